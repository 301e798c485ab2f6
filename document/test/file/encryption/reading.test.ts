import { expect } from 'chai';
import { PDFArray, PDFDict, type PDFHexString, PDFName, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib';
import {
  ciphertextOf,
  createSecurity,
  encodePermissions,
  type SecurityScheme,
  unlock,
} from '../../../file/encryption/index.js';
import { DocumentError } from '../../../errors.js';
import { type LazyDocument, countPages, openLazily } from '../../../file/reader/index.js';
import { rewriteBytes } from '../../../file/writer/index.js';
import { TWO_PAGES, latin1, plain } from '../reader/support.js';
import { ATTACHMENT, XMP, secretDocument, secretsOf, writeFile } from './support.js';

const schemes: readonly SecurityScheme[] = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'];

function encrypted(scheme: SecurityScheme = 'AES-256', encryptMetadata = true, owner = 'owner'): Buffer {
  const context = secretDocument();
  return Buffer.from(
    writeFile(
      context,
      createSecurity({
        context,
        scheme,
        userPassword: 'user',
        ownerPassword: owner,
        permissions: encodePermissions({}),
        encryptMetadata,
      }),
    ),
  );
}

function refusal(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof DocumentError ? error.code : String(error);
  }
}

const streamOf = (document: LazyDocument, number: number): PDFRawStream =>
  document.context.lookup(PDFRef.of(number), PDFStream) as PDFRawStream;

describe('reading an encrypted document lazily', () => {
  const original = secretsOf(openLazily(writeFile(secretDocument())));

  for (const scheme of schemes) {
    it(`decrypts every string and stream encrypted with ${scheme}`, () => {
      const bytes = encrypted(scheme);
      for (const hidden of ['alone in', 'deeper', 'xmpmeta', '100 100 l'])
        expect(bytes.includes(hidden), hidden).to.equal(false);
      for (const password of ['user', 'owner']) {
        const document = openLazily(bytes, { password });
        expect(document.security?.access).to.equal(password);
        expect(document.recovered).to.equal(false);
        expect(secretsOf(document)).to.deep.equal(original);
      }
    });

    it(`decrypts the same with ${scheme} when the cross-reference is lost`, () => {
      const bytes = encrypted(scheme);
      const document = openLazily(
        Buffer.from(
          bytes
            .toString('latin1')
            .replace(/\nxref\n/, '\nxxxx\n')
            .replace('startxref', 'startxxxx'),
          'latin1',
        ),
        { password: 'owner' },
      );
      expect(document.crossReference).to.equal(undefined);
      expect(countPages(document)).to.equal(2);
      expect(secretsOf(document)).to.deep.equal(original);
    });
  }

  it('is rejected without the password, also after damage', () => {
    const bytes = encrypted();
    expect(refusal(() => openLazily(bytes))).to.equal('PDF_ENCRYPTED');
    expect(refusal(() => openLazily(bytes, { password: 'wrong' }))).to.equal('PDF_ENCRYPTED');
    expect(
      refusal(() =>
        openLazily(Buffer.from(bytes.toString('latin1').replace('startxref', 'startxxxx'), 'latin1'), {
          password: 'wrong',
        }),
      ),
    ).to.equal('PDF_ENCRYPTED');
    expect(refusal(() => openLazily(latin1(plain(TWO_PAGES, '/Encrypt<</Filter/Acme>>'))))).to.equal(
      'PDF_ENCRYPTION_UNSUPPORTED',
    );
    expect(refusal(() => openLazily(latin1(plain(TWO_PAGES, '/Encrypt<</Filter/Adobe.PubSec>>'))))).to.equal(
      'PDF_ENCRYPTION_PUBLIC_KEY',
    );
  });

  it('treats a document as plain when its encryption dictionary is missing from the file', () => {
    const document = openLazily(latin1(plain({ ...TWO_PAGES, 5: '(text)' }, '/Encrypt 99 0 R')));
    expect(document.encrypted).to.equal(false);
    expect(document.lookup(PDFRef.of(5))?.toString()).to.equal('(text)');
    expect(openLazily(latin1(plain(TWO_PAGES, '/Encrypt null'))).encrypted).to.equal(false);
  });

  it('never returns ciphertext as text when the encryption dictionary is unreadable', () => {
    // The rest of a truncated dictionary is read, and lacks entries that every scheme needs.
    const codes = {
      '<</Filter/Standard/V 1': 'PDF_ENCRYPTION_UNSUPPORTED',
      '(a string)': 'PDF_DAMAGED',
      '<</Filter/Standard/O(no end>>': 'PDF_ENCRYPTION_UNSUPPORTED',
    };
    for (const [body, code] of Object.entries(codes)) {
      expect(
        refusal(() => openLazily(latin1(plain({ ...TWO_PAGES, 5: body }, '/Encrypt 5 0 R')))),
        body,
      ).to.equal(code);
    }
  });

  it("keeps each string's form, also nested ones, with special characters", () => {
    const document = openLazily(encrypted(), { password: 'user' });
    const array = document.context.lookup(PDFRef.of(9), PDFArray);
    expect(array.get(0).toString()).to.equal('(one)');
    expect(array.get(1).toString()).to.equal('()');
    expect(array.get(2).toString()).to.equal('<>');
    expect(array.lookup(3, PDFArray).get(0).toString()).to.equal('(two \\(nested\\) \\\\ \\r\n A)');
    expect(array.get(4).toString()).to.equal('<00ff28295c0d0a>');
    expect(document.lookup(PDFRef.of(11))?.toString()).to.equal('(alone in its object)');
  });

  it('leaves the /Contents of a signature and the encryption dictionary alone', () => {
    const document = openLazily(encrypted('AES-128'), { password: 'user' });
    const signature = document.context.lookup(PDFRef.of(10), PDFDict);
    expect(signature.get(PDFName.of('Contents'))?.toString()).to.equal('<30820102deadbeef00>');
    expect(signature.get(PDFName.of('Reason'))?.toString()).to.equal('(signed)');
    const encrypt = document.context.lookup(document.context.trailerInfo.Encrypt, PDFDict);
    expect((encrypt.get(PDFName.of('O')) as PDFHexString).asBytes()).to.have.length(32);
    const ref = document.context.trailerInfo.Encrypt as PDFRef;
    expect(document.original(ref)?.toString()).to.equal(encrypt.toString());
  });

  it('reads unencrypted metadata of every scheme that allows it', () => {
    for (const scheme of ['RC4-128', 'AES-128', 'AES-256'] as const) {
      const bytes = encrypted(scheme, false);
      expect(bytes.includes(XMP)).to.equal(true);
      expect(bytes.includes('alone in')).to.equal(false);
      const document = openLazily(bytes, { password: 'user' });
      expect(document.security?.encryptMetadata).to.equal(false);
      expect(secretsOf(document)).to.deep.equal(original);
    }
  });

  it('decrypts a stream on access, and keeps the ciphertext available', () => {
    const document = openLazily(encrypted(), { password: 'user' });
    const attachment = streamOf(document, 8);
    expect(Buffer.from(attachment.contents).equals(ATTACHMENT)).to.equal(true);
    expect(attachment.contents).to.equal(attachment.contents);
    expect(ciphertextOf(attachment)).to.have.length(ATTACHMENT.length - (ATTACHMENT.length % 16) + 32);
    expect(ciphertextOf(PDFRawStream.of(attachment.dict, new Uint8Array(1)))).to.equal(undefined);
    const content = streamOf(document, 6);
    expect(Buffer.from(content.contents).toString()).to.equal('0 0 m 100 100 l S');
    expect(content.contents).to.equal(content.contents);
    expect(Buffer.from(attachment.contents).equals(ATTACHMENT)).to.equal(true);
    expect(streamOf(document, 13).contents).to.have.length(0);
  });

  it('reads from a file in windows as from memory', () => {
    const bytes = encrypted('RC4-128');
    const read = (position: number, length: number, target: Uint8Array): boolean =>
      bytes.copy(target, 0, position, position + length) === length;
    expect(secretsOf(openLazily({ size: bytes.length, read }, { password: 'user' }))).to.deep.equal(original);
  });

  it('drops the crypt filter of a stream with its encryption', () => {
    const context = secretDocument();
    const security = createSecurity({ context, scheme: 'AES-128', permissions: -4 });
    const named = (name: string, more: string[] = []) =>
      context.stream('data', {
        Filter: ['Crypt', ...more],
        DecodeParms: [{ Type: 'CryptFilterDecodeParms', Name: name }, ...more.map(() => null)],
      });
    const refs = [named('Identity'), named('StdCF'), named('StdCF', ['ASCIIHexDecode'])].map((stream) =>
      context.register(stream),
    );
    const document = openLazily(writeFile(context, security));
    const streams = refs.map((ref) => document.context.lookup(ref, PDFStream) as PDFRawStream);
    expect(streams.map(({ contents }) => Buffer.from(contents).toString())).to.deep.equal(['data', 'data', 'data']);
    expect(streams.map(({ dict }) => dict.get(PDFName.of('Filter'))?.toString())).to.deep.equal([
      undefined,
      undefined,
      '[ /ASCIIHexDecode ]',
    ]);
    expect(streams.map(({ dict }) => dict.get(PDFName.of('DecodeParms'))?.toString())).to.deep.equal([
      undefined,
      undefined,
      '[ null ]',
    ]);
  });

  it('keeps the only crypt filter that protects a stream, and drops it without encryption', () => {
    const context = secretDocument();
    const { dict, id, pdfVersion } = createSecurity({ context, scheme: 'AES-256', permissions: -4 });
    // Only streams that name the filter are encrypted.
    for (const key of ['StmF', 'StrF']) dict.set(PDFName.of(key), PDFName.of('Identity'));
    const { cipher } = unlock({ encrypt: dict, id });
    const security = { dict, id, cipher, pdfVersion };
    const ref = context.register(
      context.stream('to be kept secret', { Filter: 'Crypt', DecodeParms: { Name: 'StdCF' } }),
    );
    const document = openLazily(writeFile(context, security));
    const stream = streamOf(document, ref.objectNumber);
    expect(Buffer.from(stream.contents).toString()).to.equal('to be kept secret');
    document.context.lookup(document.context.trailerInfo.Root, PDFDict).set(PDFName.of('Secret'), ref);
    const again = rewriteBytes(document.context, {
      security: { ...security, cipher: document.security?.cipher ?? cipher },
    });
    expect(Buffer.from(again).includes('to be kept secret')).to.equal(false);
    const plainly = rewriteBytes(document.context, {});
    expect(Buffer.from(plainly).includes('to be kept secret')).to.equal(true);
    expect(Buffer.from(plainly).includes('/Crypt')).to.equal(false);
    const reread = openLazily(again);
    expect(secretsOf(reread)).to.deep.equal(secretsOf(openLazily(plainly)));
  });

  it('drops crypt filters of streams under a new encryption', () => {
    const { context } = openLazily(writeFile(secretDocument()));
    const named = (Name: string) =>
      context.register(context.stream(`under ${Name}`, { Filter: ['Crypt'], DecodeParms: [{ Name }] }));
    context
      .lookup(context.trailerInfo.Root, PDFDict)
      .set(PDFName.of('Named'), context.obj(['Identity', 'StdCF', 'Elsewhere'].map(named)));
    const again = Buffer.from(
      rewriteBytes(context, {
        security: createSecurity({ context, scheme: 'AES-128', permissions: -4 }),
        objectStreams: false,
      }),
    );
    for (const hidden of ['under Identity', 'under StdCF', 'under Elsewhere', '/Crypt/', '/Crypt]', '/Name/'])
      expect(again.includes(hidden), hidden).to.equal(false);
    expect(secretsOf(openLazily(again))).to.deep.equal(
      secretsOf(openLazily(rewriteBytes(context, { objectStreams: false }))),
    );
  });
});
