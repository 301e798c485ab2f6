import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFName } from 'pdf-lib';
import { encodePermissions, type SecurityScheme } from '../../../file/encryption/index.js';
import { DocumentError } from '../../../errors.js';
import { editBytes, editFile, type Protection } from '../../../file/open/index.js';
import { openLazily } from '../../../file/reader/index.js';
import { corpusFiles, hasCorpus } from '../inspection/corpus.js';
import { XMP, hasQpdf, qpdf, qpdfSays, secretDocument, secretsOf, writeFile } from './support.js';

const ways: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['RC4 of 40 bits', ['40']],
  ['RC4 of 128 bits', ['128', '--use-aes=n']],
  ['RC4 by crypt filters', ['128', '--use-aes=n', '--force-V4']],
  ['AES-128', ['128', '--use-aes=y']],
  ['AES-128 with plain metadata', ['128', '--use-aes=y', '--cleartext-metadata']],
  ['AES-256 of revision 5', ['256', '--force-R5']],
  ['AES-256', ['256']],
  ['AES-256 with plain metadata', ['256', '--cleartext-metadata']],
];
const schemes: readonly SecurityScheme[] = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'];
const nothing = (): void => undefined;
const lockWith = (scheme: SecurityScheme, more: Partial<Protection> = {}): Protection => ({
  scheme,
  userPassword: 'new',
  ownerPassword: 'newer',
  permissions: encodePermissions({ print: false }),
  ...more,
});

describe('writing a document with another encryption, or none', () => {
  const plain = writeFile(secretDocument());
  /** The content that a rewrite keeps under any encryption. */
  const kept = async (): Promise<string[]> => secretsOf(openLazily(await editBytes(plain, { stamp: false }, nothing)));

  for (const [name, options] of ways) {
    it(`removes ${name} with either password, and applies a new encryption`, async function () {
      if (!hasQpdf) this.skip();
      const locked = qpdf(plain, [
        '--allow-weak-crypto',
        '--stream-data=preserve',
        '--encrypt',
        'user',
        'owner',
        ...options,
        '--',
      ]);
      const expected = await kept();
      for (const password of ['user', 'owner']) {
        const open = Buffer.from(await editBytes(locked, { password, protection: 'none', stamp: false }, nothing));
        expect(open.includes('/Encrypt')).to.equal(false);
        expect(secretsOf(openLazily(open))).to.deep.equal(expected);
        expect(qpdfSays(open, '--check'))
          .to.contain('File is not encrypted')
          .and.contain('No syntax or stream encoding errors found');
      }
      for (const scheme of schemes) {
        const again = await editBytes(
          locked,
          { password: 'user', protection: lockWith(scheme), stamp: false },
          nothing,
        );
        expect(secretsOf(openLazily(again, { password: 'newer' })), scheme).to.deep.equal(expected);
        expect(() => openLazily(again, { password: 'owner' })).to.throw(DocumentError);
        expect(qpdfSays(again, '--password=new', '--check'))
          .to.contain('Supplied password is user password')
          .and.contain('No syntax or stream encoding errors found');
      }
    });
  }

  it(`removes encryption of attachments only${hasCorpus ? '' : ' (skipped: no ../shared/corpus)'}`, async function () {
    if (!hasCorpus) return this.skip();
    const files = corpusFiles().filter(({ file, path }) => /embedded-encrypted/.test(file) && existsSync(path));
    expect(files).not.to.have.length(0);
    for (const { file, path, password } of files) {
      const open = Buffer.from(await editBytes(readFileSync(path), { password, protection: 'none' }, nothing));
      expect(open.includes('/Crypt'), file).to.equal(false);
      const before = secretsOf(openLazily(readFileSync(path), { password })).filter((secret) =>
        secret.startsWith('stream'),
      );
      expect(
        secretsOf(openLazily(open)).filter((secret) => secret.startsWith('stream')),
        file,
      ).to.include.members(before.filter((secret) => / 905$/.test(secret)));
    }
  });

  it('keeps the encryption by default, and never appends when it changes', async () => {
    const locked = await editBytes(plain, { protection: lockWith('AES-256') }, nothing);
    expect(
      openLazily(await editBytes(locked, { password: 'new' }, nothing), { password: 'newer' }).security?.access,
    ).to.equal('owner');
    for (const protection of ['none', lockWith('AES-128')] as const) {
      const changed = await editBytes(locked, { password: 'new', mode: 'append', protection }, nothing);
      expect(Buffer.from(changed).subarray(0, locked.length).equals(locked)).to.equal(false);
    }
  });

  it('marks unencrypted metadata, under a new encryption and a kept one', async () => {
    for (const scheme of ['AES-128', 'AES-256'] as const) {
      const locked = await editBytes(plain, { protection: lockWith(scheme, { encryptMetadata: false }) }, nothing);
      const kept = await editBytes(locked, { password: 'new' }, nothing);
      const appended = await editBytes(
        locked,
        { password: 'new', mode: 'append' },
        ({ document: { catalog } }) => void catalog.set(PDFName.of('Changed'), PDFName.of('Yes')),
      );
      for (const bytes of [locked, kept, appended]) {
        const text = Buffer.from(bytes).toString('latin1');
        expect(text)
          .to.contain('to be seen')
          .and.match(/\/Filter\[\/Crypt\]\/DecodeParms\[<<\/Type\/CryptFilterDecodeParms\/Name\/Identity>>\]/);
        expect(text.match(/\/Crypt\]/g)).to.have.length(1);
        expect(
          secretsOf(openLazily(bytes, { password: 'new' })).some((secret) => secret.endsWith(` ${XMP.length}`)),
        ).to.equal(true);
        if (hasQpdf)
          expect(qpdfSays(bytes, '--password=new', '--check')).to.contain('No syntax or stream encoding errors found');
      }
    }
  });

  it('leaves no partial file where the encryption cannot be created', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-protection-'));
    const [source, target] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    writeFileSync(source, plain);
    const refused = await editFile(
      source,
      target,
      { protection: lockWith('RC4-40', { encryptMetadata: false }) },
      nothing,
    ).then(nothing, (error: unknown) => (error as DocumentError).code);
    expect([refused, existsSync(target)]).to.deep.equal(['INPUT_INVALID', false]);
    rmSync(folder, { recursive: true });
  });
});
