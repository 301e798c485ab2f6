import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Permission } from '@quire/document/file/encryption';
import { editBytes, withPdf } from '@quire/document/file/open';
import { openLazily } from '@quire/document/file/reader';
import { withDocument } from '@quire/document/engines/pdfium';
import { readXmp } from '@quire/document/structure/metadata';
import { expect } from 'chai';
import { PDFHexString, PDFName, type PDFRawStream } from 'pdf-lib';
import { type Lock, lockFile } from '../../src/functions/lock-pdf.js';
import { secretPdf, inflated, objectsOf } from './secret-document.js';

const fixture = fileURLToPath(new URL('../../fixtures/rotated-and-cropped.pdf', import.meta.url));
const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;
const open: Lock = { userPassword: '', ownerPassword: '', keyBits: 256, withheld: [], encryptMetadata: true };

/** Each permission: its bit in /P, counted from 1 (ISO 32000-1, table 22), and its name in qpdf. */
const rights: readonly (readonly [right: Permission, bit: number, word: string])[] = [
  ['print', 3, 'print low resolution'],
  ['modify', 4, 'modify other'],
  ['copy', 5, 'extract for any purpose'],
  ['annotate', 6, 'modify annotations'],
  ['fillForms', 9, 'modify forms'],
  ['accessibility', 10, 'extract for accessibility'],
  ['assemble', 11, 'modify document assembly'],
  ['printHighQuality', 12, 'print high resolution'],
];

describe('lockFile', function () {
  this.timeout(60_000);
  let folder: string;
  let count = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-lock-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const next = (): string => join(folder, `${++count}.pdf`);
  const locked = async (lock: Partial<Lock>, source = fixture): Promise<string> => {
    const target = next();
    await lockFile(source, target, { ...open, ...lock });
    return target;
  };
  const run = (program: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'latin1', maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
    return stdout;
  };
  const store = (bytes: Uint8Array): string => {
    const path = next();
    writeFileSync(path, bytes);
    return path;
  };

  for (const keyBits of [40, 128, 256] as const) {
    for (const [userPassword, ownerPassword] of [
      ['', ''],
      ['user', ''],
      ['', 'owner'],
      ['user', 'owner'],
    ] as const) {
      const given = [userPassword, ownerPassword].filter((password) => password !== '').join(' and ') || 'no password';
      it(`denies each permission by its own bit: ${keyBits} bits, ${given}`, async function () {
        if (!hasQpdf) this.skip();
        for (const withheld of [
          [],
          ...rights.map(([right]) => [right]),
          rights.map(([right]) => right),
        ] as Permission[][]) {
          const bits = rights.flatMap(([right, bit]) => (withheld.includes(right) ? [bit] : []));
          const revision = keyBits === 256 ? 6 : keyBits === 128 ? 4 : bits.some((bit) => bit > 6) ? 3 : 2;
          const told = run('qpdf', [
            `--password=${userPassword}`,
            '--show-encryption',
            await locked({ keyBits, userPassword, ownerPassword, withheld }),
          ]);
          expect(told).to.match(
            new RegExp(`^R = ${revision}\nP = ${-4 - bits.reduce((sum, bit) => sum + (1 << (bit - 1)), 0)}\n`),
          );
          expect(told).to.contain(
            `Supplied password is ${userPassword !== '' && ownerPassword === '' ? 'owner' : 'user'} password`,
          );
          if (revision > 2)
            for (const [right, , word] of rights) {
              // High-quality printing requires the permission to print; from AES on, extraction for accessibility is
              // always allowed.
              const allowed =
                !withheld.includes(right) && !(right === 'printHighQuality' && withheld.includes('print'));
              if (right !== 'accessibility')
                expect(told, `${word} of ${withheld.join()}`).to.contain(
                  `${word}: ${allowed ? 'allowed' : 'not allowed'}`,
                );
            }
          if (keyBits > 40)
            expect(told).to.contain(
              `stream encryption method: ${keyBits === 256 ? 'AESv3' : 'AESv2'}\nstring encryption method: ` +
                `${keyBits === 256 ? 'AESv3' : 'AESv2'}\nfile encryption method: ` +
                `${keyBits === 256 ? 'AESv3' : 'AESv2'}`,
            );
        }
      });
    }
  }

  it('reports the permissions to another reader', async function () {
    if (spawnSync('pdfinfo', ['-v']).status !== 0) this.skip();
    for (const [keyBits, algorithm] of [
      [40, 'RC4'],
      [128, 'AES'],
      [256, 'AES-256'],
    ] as const) {
      const shown = async (...withheld: Permission[]): Promise<string | undefined> =>
        /Encrypted: +(.*)/.exec(
          run('pdfinfo', [
            '-upw',
            'user',
            await locked({ keyBits, userPassword: 'user', ownerPassword: 'owner', withheld }),
          ]),
        )?.[1];
      expect(await shown()).to.equal(`yes (print:yes copy:yes change:yes addNotes:yes algorithm:${algorithm})`);
      expect(await shown('print', 'copy')).to.equal(
        `yes (print:no copy:no change:yes addNotes:yes algorithm:${algorithm})`,
      );
      expect(await shown('modify', 'annotate')).to.equal(
        `yes (print:yes copy:yes change:no addNotes:no algorithm:${algorithm})`,
      );
    }
  });

  it('gives no reader owner permissions if no password is set', async () => {
    for (const keyBits of [40, 128, 256] as const) {
      const { security } = openLazily(readFileSync(await locked({ keyBits, withheld: ['print'] })));
      expect([security?.access, (security?.permissions ?? 0) & 4]).to.deep.equal(['user', 0]);
    }
  });

  it('accepts passwords with which other readers open the file', async function () {
    if (!hasQpdf) this.skip();
    const modern = [
      '',
      'a',
      'pässwörd',
      'пароль',
      '密码',
      '😀🎉',
      'p'.repeat(127),
      'ü'.repeat(63),
      ' lead and trail  ',
      'سر1',
    ];
    const legacy = ['', 'pässwörd', 'p'.repeat(32), ' lead and trail  ', 'ÿ°'];
    for (const [keyBits, passwords] of [
      [256, modern],
      [128, legacy],
      [40, legacy],
    ] as const)
      for (const userPassword of passwords) {
        const path = await locked({ keyBits, userPassword, ownerPassword: 'owner' });
        const title = `${keyBits}: ${userPassword}`;
        expect(run('qpdf', [`--password=${userPassword}`, '--check', path]), title).to.contain(
          'No syntax or stream encoding errors found',
        );
        expect(
          await withDocument(new Uint8Array(readFileSync(path)), { password: userPassword }, (document) =>
            document.pageText(0),
          ),
          title,
        ).to.contain('Plain page');
        // pdftotext uses the first 32 bytes of its argument without converting them.
        const bytes = keyBits === 256 ? Buffer.from(userPassword) : Buffer.from(userPassword, 'latin1');
        const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
        if (bytes.length <= 32)
          expect(run('sh', ['-c', `pdftotext -upw "$(printf '${octal}')" "$1" -`, 'sh', path]), title).to.contain(
            'Plain page',
          );
        for (const wrong of [`x${userPassword}`, userPassword.trim()].filter(
          (password) => password !== userPassword && userPassword !== '',
        ))
          expect(
            spawnSync('qpdf', [`--password=${wrong}`, '--check', path]).status,
            `${title}, with ${wrong}`,
          ).to.equal(2);
      }
  });

  describe('a document with text everywhere', () => {
    const hidden = [
      'Secret title',
      'Secret outline',
      'Secret note',
      'Secret field value',
      'Secret attachment content',
      'secret-file.txt',
      'Secret page text',
      'Secret XMP',
      'Secret script',
      'Secret destination',
    ];
    let source: Uint8Array;
    before(async () => {
      source = await secretPdf();
      const text = Buffer.from(source).toString('latin1');
      for (const word of hidden) expect(text, word).to.contain(word);
    });

    for (const keyBits of [40, 128, 256] as const)
      for (const objectStreams of [false, true]) {
        it(
          `hides all of it, and returns all of it: ${keyBits} bits, ` +
            `${objectStreams ? 'object streams' : 'plain objects'}`,
          async () => {
            const input = store(
              objectStreams ? await editBytes(source, { objectStreams: true }, () => undefined) : source,
            );
            for (const word of hidden)
              expect(
                inflated(readFileSync(input)).some((part) => part.includes(word)),
                `${word} before`,
              ).to.equal(true);
            const path = await locked({ keyBits, userPassword: 'user', ownerPassword: 'owner' }, input);
            const bytes = readFileSync(path);
            for (const word of hidden)
              expect(
                inflated(bytes).some((part) => part.includes(word)),
                word,
              ).to.equal(false);
            const plain = next();
            for (const password of ['user', 'owner'])
              expect(objectsOf(openLazily(bytes, { password }).context), password).to.deep.equal(
                objectsOf(openLazily(readFileSync(input)).context),
              );
            if (!hasQpdf) return;
            run('qpdf', ['--password=user', '--decrypt', '--qdf', '--object-streams=disable', path, plain]);
            for (const word of hidden) expect(readFileSync(plain, 'latin1'), word).to.contain(word);
          },
        );
      }

    it('leaves only its XMP metadata readable when asked', async () => {
      for (const keyBits of [128, 256] as const) {
        const path = await locked({ keyBits, userPassword: 'user', encryptMetadata: false }, store(source));
        const text = readFileSync(path, 'latin1');
        expect(text)
          .to.contain('Secret XMP')
          .and.contain('/EncryptMetadata false')
          .and.match(/\/Crypt.*\/Identity/s);
        for (const word of hidden.filter((each) => each !== 'Secret XMP')) expect(text, word).not.to.contain(word);
        const document = openLazily(readFileSync(path), { password: 'user' });
        expect(document.security?.encryptMetadata).to.equal(false);
        expect(readXmp(document.context)).to.contain('Secret XMP');
        if (spawnSync('pdfinfo', ['-v']).status === 0)
          expect(run('pdfinfo', ['-upw', 'user', '-meta', path])).to.contain('Secret XMP');
        if (hasQpdf)
          expect(run('qpdf', ['--password=user', '--check', path])).to.contain(
            'No syntax or stream encoding errors found',
          );
      }
    });

    it('leaves XMP metadata readable even if it was compressed or has no Type', async () => {
      const packed = await editBytes(source, {}, ({ document: { catalog, context } }) => {
        const metadata = catalog.lookup(PDFName.of('Metadata')) as PDFRawStream;
        catalog.set(PDFName.of('Metadata'), context.register(context.flateStream(metadata.contents)));
      });
      expect(Buffer.from(packed).includes('Secret XMP')).to.equal(false);
      expect(
        readFileSync(await locked({ userPassword: 'user', encryptMetadata: false }, store(packed)), 'latin1'),
      ).to.contain('Secret XMP');
    });

    it('encrypts streams that an earlier encryption left plain', async () => {
      const exempt = await editBytes(source, {}, ({ document: { catalog, context } }) => {
        catalog.set(
          PDFName.of('Exempt'),
          context.register(
            context.stream('left plain before', { Filter: ['Crypt'], DecodeParms: [{ Name: 'Identity' }] }),
          ),
        );
      });
      expect(Buffer.from(exempt).includes('left plain before')).to.equal(true);
      expect(
        readFileSync(await locked({ userPassword: 'user' }, store(exempt))).includes('left plain before'),
      ).to.equal(false);
    });
  });

  it('encrypts a document that opens without a password again, whatever its encryption', async () => {
    const restricted = fileURLToPath(new URL('../../fixtures/restricted.pdf', import.meta.url));
    const path = await locked({ userPassword: 'new' }, restricted);
    const document = openLazily(readFileSync(path), { password: 'new' });
    expect(document.security).to.include({ revision: 6, algorithm: 'AES-256', permissions: -4 });
    expect(() => openLazily(readFileSync(path), { password: 'owner' })).to.throw('PDF_ENCRYPTED');
    expect(
      await withDocument(new Uint8Array(readFileSync(path)), { password: 'new' }, (opened) => opened.pageText(0)),
    ).to.contain('Restricted page');
  });

  it('keeps the identifier that all versions of a document share', async () => {
    const identifier = (bytes: Uint8Array, password = ''): string =>
      /\/ID ?\[ ?<([0-9a-fA-F]+)>/.exec(Buffer.from(bytes).toString('latin1'))?.[1]?.toLowerCase() ?? password;
    const source = await editBytes(readFileSync(fixture), {}, ({ document: { context } }) => {
      context.trailerInfo.ID = context.obj([
        PDFHexString.of('00112233445566778899aabbccddeeff'),
        PDFHexString.of('00112233445566778899aabbccddeeff'),
      ]);
    });
    for (const keyBits of [40, 128, 256] as const)
      expect(identifier(readFileSync(await locked({ keyBits, userPassword: 'user' }, store(source))))).to.equal(
        '00112233445566778899aabbccddeeff',
      );
  });

  it('removes declarations of standards that forbid encryption, and no others', async () => {
    const claiming = store(
      await secretPdf(
        '<pdfaid:part xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">2</pdfaid:part><pdfuaid:part ' +
          'xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">1</pdfuaid:part>',
      ),
    );
    expect(await lockFile(claiming, next(), { ...open, userPassword: 'user' })).to.deep.equal({ withdrawn: ['PDF/A'] });
    expect(
      await lockFile(claiming, next(), { ...open, userPassword: 'user', withheld: ['accessibility'] }),
    ).to.deep.equal({ withdrawn: ['PDF/A', 'PDF/UA'] });
    expect(await lockFile(fixture, next(), open)).to.deep.equal({ withdrawn: [] });
  });

  it('repairs damaged files on the way, and accepts linearized files', async function () {
    const broken = store(
      Buffer.from(
        readFileSync(fixture)
          .toString('latin1')
          .replace(/startxref\s+\d+/, 'startxref\n7'),
        'latin1',
      ),
    );
    expect(
      await withPdf(
        { path: await locked({ userPassword: 'user' }, broken) },
        { password: 'user' },
        ({ pages }) => pages.length,
      ),
    ).to.equal(3);
    if (!hasQpdf) this.skip();
    const linear = next();
    run('qpdf', ['--linearize', fixture, linear]);
    expect(run('qpdf', ['--password=user', '--check', await locked({ userPassword: 'user' }, linear)]))
      .to.contain('not linearized')
      .and.contain('No syntax or stream encoding errors');
  });
});
