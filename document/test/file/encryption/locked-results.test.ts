import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDict, PDFName } from 'pdf-lib';
import { withDocument } from '../../../engines/pdfium/index.js';
import { DocumentError } from '../../../errors.js';
import { encodePermissions, lockOf, type SecurityScheme } from '../../../file/encryption/index.js';
import { inspectResult } from '../../../file/inspection/index.js';
import { inRevision5 } from '../../../file/inspection/in-revision-5.js';
import { editFile, type Protection } from '../../../file/open/index.js';
import { openLazily } from '../../../file/reader/index.js';
import { closeCachedSources, FileSource, startSourceCache } from '../../../file/source/index.js';
import { hasQpdf, qpdf, secretDocument, writeFile } from './support.js';

const PAGES = 2;
/** Bytes of a stream: such files are not held in memory. */
const IN_PIECES = 5 * 1024 * 1024;
const schemes: readonly SecurityScheme[] = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'];
const passwords = { userPassword: 'user', ownerPassword: 'owner' };
const nothing = (): void => undefined;

describe('the check of a file that was locked', () => {
  let folder = '';
  let count = 0;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-lock-'));
    // PDFium's own hashes are used for the first result of a process only.
    startSourceCache();
    await inspectResult({ path: await lock({ scheme: 'AES-256' }) }, PAGES, 'user');
    closeCachedSources();
  });
  beforeEach(() => startSourceCache());
  afterEach(() => closeCachedSources());
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a locked document as an operation does and returns its path. */
  async function lock(protection: Partial<Protection>, input = writeFile(secretDocument())): Promise<string> {
    const [source, target] = [join(folder, `${++count}.pdf`), join(folder, `${count}-locked.pdf`)];
    writeFileSync(source, input);
    const all = { scheme: 'AES-256', permissions: encodePermissions({}), ...passwords, ...protection } as const;
    await editFile(source, target, { mode: 'rewrite', protection: all, stamp: false }, nothing);
    return target;
  }

  const verdict = (path: string, password: string | undefined): Promise<string> =>
    inspectResult({ path }, PAGES, password).then(
      ({ pages, engine }) => `${pages} pages, ${engine}`,
      (error: unknown) => (error instanceof DocumentError ? error.code : String(error)),
    );

  /** Changes one byte of a file. */
  function flip(path: string, at: number, to = (byte: number): number => byte ^ 1): void {
    const bytes = readFileSync(path);
    bytes[at] = to(bytes[at] ?? 0);
    writeFileSync(path, bytes);
  }

  /** Where the hexadecimal digits of a string in the encryption dictionary begin. */
  const digitsAt = (path: string, key: string): number => {
    const text = readFileSync(path, 'latin1');
    return text.indexOf(`/${key}<`, text.indexOf('/Filter/Standard')) + key.length + 2;
  };
  const otherDigit = (byte: number): number => (byte === 0x30 ? 0x31 : 0x30);

  for (const scheme of schemes) {
    it(`accepts what was written with ${scheme}, with and without a password to open`, async () => {
      expect(await verdict(await lock({ scheme }), 'user')).to.equal('2 pages, pdfium');
      expect(await verdict(await lock({ scheme, userPassword: '' }), undefined)).to.equal('2 pages, pdfium');
      expect(await verdict(await lock({ scheme, userPassword: '', ownerPassword: '' }), undefined)).to.equal(
        '2 pages, pdfium',
      );
    });

    it(`refuses a changed byte in any stream with ${scheme}`, async () => {
      const path = await lock({ scheme });
      const streams = lockOf(path)?.streams ?? [];
      expect(streams.length).to.be.greaterThan(3);
      for (const { position, length, ref } of streams) {
        for (const at of new Set([position, position + (length >> 1), position + length - 1])) {
          if (length === 0) continue;
          flip(path, at);
          expect(await verdict(path, 'user'), `${ref.toString()} at ${at}`).to.equal('PDF_DAMAGED');
          flip(path, at);
        }
      }
      expect(await verdict(path, 'user')).to.equal('2 pages, pdfium');
    });
  }

  // Of 96 digits, 64 are the hash of the password, 16 the salt of that hash, 16 the salt of the key.
  for (const [key, places] of [
    ['U', [0, 63, 64, 80, 95]],
    ['UE', [0, 63]],
    ['O', [0, 63, 64, 80, 95]],
    ['OE', [0, 63]],
    ['Perms', [0, 31]],
  ] as const)
    it(`refuses a wrong /${key}`, async () => {
      for (const place of places) {
        const path = await lock({});
        flip(path, digitsAt(path, key) + place, otherDigit);
        expect(await verdict(path, 'user'), `digit ${place}`).to.be.oneOf(['PDF_DAMAGED', 'PDF_ENCRYPTED']);
      }
    });

  it('refuses other permissions', async () => {
    const path = await lock({ permissions: encodePermissions({ print: false }) });
    const text = readFileSync(path, 'latin1');
    expect(text).to.contain('/P -8/');
    writeFileSync(path, text.replace('/P -8/', '/P -4/'), 'latin1');
    expect(await verdict(path, 'user')).to.equal('PDF_DAMAGED');
  });

  it('refuses the entries of another document with the same passwords, which have another key', async () => {
    const [path, other] = [await lock({}), await lock({})];
    let text = readFileSync(path, 'latin1');
    for (const key of ['U', 'UE', 'O', 'OE', 'Perms']) {
      const [to, from] = [digitsAt(path, key), digitsAt(other, key)];
      const length = text.indexOf('>', to) - to;
      text = text.slice(0, to) + readFileSync(other, 'latin1').slice(from, from + length) + text.slice(to + length);
    }
    writeFileSync(path, text, 'latin1');
    expect(openLazily(Buffer.from(text, 'latin1'), { password: 'user' }).encrypted).to.equal(true);
    expect(await verdict(path, 'user')).to.equal('PDF_DAMAGED');
  });

  it('refuses another password, a file without its end, and one that is not locked', async () => {
    const path = await lock({});
    expect(await verdict(path, 'owner')).to.equal('2 pages, pdfium');
    expect(await verdict(path, 'other')).to.equal('PDF_ENCRYPTED');
    expect(await verdict(path, undefined)).to.equal('PDF_ENCRYPTED');
    const cut = await lock({});
    truncateSync(cut, readFileSync(cut).length - 1200);
    expect(await verdict(cut, 'user')).to.not.contain('pages');
    const open = await lock({});
    writeFileSync(open, writeFile(secretDocument()));
    expect(await verdict(open, 'user')).to.equal('PDF_DAMAGED');
  });

  for (const scheme of schemes)
    it(`refuses a file with ${scheme} that opens without its password`, async () => {
      const path = await lock({ scheme, userPassword: '' });
      expect(await verdict(path, 'owner')).to.equal('PDF_DAMAGED');
      // Nor in a run that knows nothing about it.
      closeCachedSources();
      startSourceCache();
      expect(await verdict(path, 'owner')).to.equal('PDF_DAMAGED');
      expect(await verdict(path, undefined)).to.equal('2 pages, pdfium');
    });

  it('refuses a file that is not encrypted where a password was set', async () => {
    const path = join(folder, 'plain.pdf');
    writeFileSync(path, writeFile(secretDocument()));
    expect(await verdict(path, 'user')).to.equal('PDF_DAMAGED');
    expect(await verdict(path, undefined)).to.equal('2 pages, pdfium');
  });

  it('shows PDFium all bytes but /R, /U and /UE, with the same key behind a simpler hash', async () => {
    const path = await lock({});
    const bytes = readFileSync(path);
    const shown = inRevision5(bytes, openLazily(bytes, { password: 'user' }), 'user');
    if (!(shown instanceof Uint8Array)) throw new Error('nothing was exchanged');
    const changed = [...bytes.keys()].filter((at) => bytes[at] !== shown[at]);
    const [u, ue] = [digitsAt(path, 'U'), digitsAt(path, 'UE')];
    const within = (at: number): string =>
      at >= u && at < u + 64 ? 'hash in U' : at >= ue && at < ue + 64 ? 'UE' : bytes.toString('latin1', at - 3, at + 1);
    expect([...new Set(changed.map(within))].sort()).to.deep.equal(['/R 6', 'UE', 'hash in U']);
    await withDocument(shown, { password: 'user' }, (document) =>
      expect([document.securityRevision, document.pageCount]).to.deep.equal([5, PAGES]),
    );
    expect(inRevision5(bytes, openLazily(bytes, { password: 'user' }), 'other')).to.equal(undefined);
  });

  it('shows it the same of a file that is not held in memory, and refuses faults there', async () => {
    const context = secretDocument();
    const stream = context.register(context.stream(randomBytes(IN_PIECES)));
    (context.lookup(context.trailerInfo.Root) as PDFDict).set(PDFName.of('Large'), stream);
    const path = await lock({}, writeFile(context));
    const bytes = readFileSync(path);
    const lazy = openLazily(bytes, { password: 'user' });
    const [shown, source] = [inRevision5(bytes, lazy, 'user'), FileSource.open(path)];
    const pieces = inRevision5(source, lazy, 'user');
    if (!(shown instanceof Uint8Array) || pieces === undefined || pieces instanceof Uint8Array) throw new Error('none');
    const read = Buffer.alloc(bytes.length);
    for (let at = 0; at < read.length; at += 100) pieces.read(at, Math.min(100, read.length - at), read.subarray(at));
    source.close();
    expect(read.equals(shown)).to.equal(true);
    expect(read.equals(bytes)).to.equal(false);
    expect(await verdict(path, 'user')).to.equal('2 pages, pdfium');
    const { position = 0, length = 0 } = lockOf(path)?.streams.find((each) => each.length > IN_PIECES) ?? {};
    flip(path, position + (length >> 1));
    expect(await verdict(path, 'user')).to.equal('PDF_DAMAGED');
  });

  it('leaves the password to PDFium where the dictionary is written in another way', async () => {
    const bytes = readFileSync(await lock({}));
    const named = (text: string): unknown => {
      const changed = Buffer.from(text, 'latin1');
      return inRevision5(changed, openLazily(changed, { password: 'user' }), 'user');
    };
    const text = bytes.toString('latin1');
    expect(named(text)).to.be.instanceOf(Uint8Array);
    expect(text).to.contain('/Length 256/');
    expect(named(text.replace('/Length 256/', '/Also(/R 6 )/'))).to.equal(undefined);
    expect(named(text.replace('/R 6/Length 256/', '/R\n6/Length 256/'))).to.equal(undefined);
  });

  it('accepts an encryption that was kept', async function () {
    if (!hasQpdf) this.skip();
    const path = join(folder, 'kept.pdf');
    const locked = qpdf(writeFile(secretDocument()), ['--encrypt', '', 'owner', '256', '--']);
    for (const mode of ['append', 'rewrite'] as const) {
      closeCachedSources();
      startSourceCache();
      const source = join(folder, `kept-${mode}.pdf`);
      writeFileSync(source, locked);
      const target = `${path}-${mode}`;
      await editFile(source, target, { mode, stamp: false }, ({ document: { catalog } }) =>
        catalog.set(PDFName.of('Lang'), PDFName.of('en')),
      );
      expect(lockOf(target)?.renewed).to.equal(mode === 'rewrite' ? false : undefined);
      expect(openLazily(readFileSync(target)).trailer.lookup(PDFName.of('Encrypt'))).to.be.instanceOf(PDFDict);
      expect(await verdict(target, undefined), mode).to.equal('2 pages, pdfium');
    }
  });
});
