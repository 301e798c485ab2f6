import { expect } from 'chai';
import { PDFDict, PDFHexString, PDFName, PDFNumber, PDFRawStream, type PDFRef, PDFString } from 'pdf-lib';
import { type Security, type SecurityScheme, createSecurity } from '../../../file/encryption/index.js';
import { walkPages } from '../../../structure/pages/index.js';
import { type LazyDocument, openLazily } from '../../../file/reader/index.js';
import { appendBytes, rewriteBytes } from '../../../file/writer/index.js';
import { hasQpdf, qpdf, qpdfSays, secretDocument } from '../encryption/support.js';
import { difference } from './same-document.js';

const SCHEMES: readonly SecurityScheme[] = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'];
const name = (text: string): PDFName => PDFName.of(text);

function secured(
  scheme: SecurityScheme,
  objectStreams: boolean,
  encryptMetadata = true,
): { bytes: Uint8Array; security: Security } {
  const context = secretDocument();
  const security = createSecurity({
    context,
    scheme,
    userPassword: 'user',
    ownerPassword: 'owner',
    permissions: -4,
    encryptMetadata,
  });
  return { bytes: rewriteBytes(context, { security, objectStreams }), security };
}

const signatureOf = (document: LazyDocument): PDFDict => {
  const list = document.context.lookup(document.context.trailerInfo.Root, PDFDict).lookup(name('Extra'));
  return document.context.lookup((list as unknown as { get(index: number): PDFRef }).get(2), PDFDict);
};

describe('writing encrypted', () => {
  for (const scheme of SCHEMES) {
    for (const objectStreams of [false, true]) {
      it(
        `rewrites with ${scheme}, ${objectStreams ? 'in object streams' : 'with a table'}: reader and qpdf ` +
          'decrypt to the same document',
        () => {
          const source = secretDocument();
          const { bytes, security } = secured(scheme, objectStreams);
          for (const password of ['user', 'owner']) {
            const document = openLazily(bytes, { password });
            expect([document.recovered, document.encrypted]).to.deep.equal([false, true]);
            expect(difference(source, document.context)).to.equal(undefined);
          }
          const text = Buffer.from(bytes).toString('latin1');
          expect(text).to.include(`%PDF-${security.pdfVersion > '1.7' ? security.pdfVersion : '1.7'}`);
          for (const secret of ['signed', 'nested', 'direct in the trailer']) expect(text).to.not.include(secret);
          // A signature's value is excluded from its byte range: neither encrypted nor packed.
          expect(text).to.include('/Contents<30820102deadbeef00>');
          expect(
            (signatureOf(openLazily(bytes, { password: 'user' })).get(name('Contents')) as PDFHexString).asString(),
          ).to.equal('30820102deadbeef00');
          if (!hasQpdf) return;
          expect(qpdfSays(bytes, '--password=user', '--check')).to.include('No syntax');
          expect(
            difference(
              source,
              openLazily(qpdf(bytes, ['--password=owner', '--decrypt', '--stream-data=preserve'])).context,
            ),
          ).to.equal(undefined);
        },
      );
    }

    it(`appends to a document under ${scheme} with its cipher, and keeps the original bytes`, () => {
      const { bytes } = secured(scheme, scheme !== 'RC4-40');
      const document = openLazily(bytes, { password: 'user' });
      const [page] = walkPages(document.context);
      page?.dict.set(name('Note'), PDFString.of('a new secret'));
      const data = Buffer.from('new data, not to be read');
      page?.dict.set(
        name('Stream'),
        document.context.register(document.context.stream(data, { Said: PDFHexString.fromText('hush') })),
      );
      const result = appendBytes(document);
      expect(Buffer.from(result.subarray(0, bytes.length)).equals(bytes)).to.equal(true);
      expect(Buffer.from(result).toString('latin1')).to.not.match(/a new secret|not to be read|00680075/);
      const again = openLazily(result, { password: 'owner' });
      expect(difference(document.context, again.context)).to.equal(undefined);
      expect(again.crossReference?.revisions).to.have.length(2);
      const [halves, before] = [again, document].map((each) => each.trailer.get(name('ID'))?.toString().split('>'));
      expect(halves?.[0]).to.equal(before?.[0]);
      expect(halves?.[1]).to.not.equal(before?.[1]);
      if (!hasQpdf) return;
      expect(qpdfSays(result, '--password=user', '--check')).to.include('No syntax');
      const plain = openLazily(qpdf(result, ['--password=user', '--decrypt', '--stream-data=preserve']));
      expect(difference(document.context, plain.context)).to.equal(undefined);
      const stream = plain.context.lookup(
        walkPages(plain.context)[0]?.dict.get(name('Stream')),
        PDFRawStream as never,
      ) as unknown as PDFRawStream;
      expect(Buffer.from(stream.contents).equals(data)).to.equal(true);
    });
  }

  it('leaves metadata readable where the encryption does', () => {
    for (const scheme of ['AES-128', 'AES-256'] as const)
      expect(Buffer.from(secured(scheme, true, false).bytes).toString('latin1')).to.include('to be seen');
    expect(Buffer.from(secured('AES-256', true).bytes).toString('latin1')).to.not.include('to be seen');
  });

  it('rewrites an encrypted document without encryption, and under another', () => {
    const document = openLazily(secured('AES-256', true).bytes, { password: 'user' });
    const plain = openLazily(rewriteBytes(document.context));
    expect(plain.encrypted).to.equal(false);
    expect(difference(document.context, plain.context)).to.equal(undefined);
    const security = createSecurity({
      context: document.context,
      scheme: 'AES-128',
      userPassword: 'other',
      permissions: -4,
    });
    const other = openLazily(rewriteBytes(document.context, { security }), { password: 'other' });
    expect(other.security?.algorithm).to.equal('AES-128');
    expect(difference(document.context, other.context)).to.equal(undefined);
  });

  it('appends nothing to an unchanged encrypted document, though everything was read', () => {
    const { bytes } = secured('AES-256', true);
    const document = openLazily(bytes, { password: 'user' });
    for (const ref of document.references()) {
      const object = document.lookup(ref);
      if (object instanceof PDFRawStream) expect(object.contents).to.be.instanceOf(Uint8Array);
    }
    expect(Buffer.from(appendBytes(document)).equals(bytes)).to.equal(true);
    walkPages(document.context)[1]?.dict.set(name('Rotate'), PDFNumber.of(180));
    expect(appendBytes(document).length).to.be.greaterThan(bytes.length);
  });
});
