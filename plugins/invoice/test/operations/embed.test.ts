import { readFile } from 'node:fs/promises';
import type { QuireServer } from '@quire/core';
import { callOperation, createTestServer, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import { ciiInvoice } from '../../fixtures/invoice-texts.js';
import { fixture, hasVeraPdf } from '../hybrid/embed-support.js';

const page = fixture('page.pdf');

describe('invoice/embed over HTTP', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-invoice', '@quire/plugin-security'] });
    url = await server.start();
  });
  after(() => server.stop());
  const call = async (bytes: Uint8Array, params: Record<string, string> = {}): Promise<OperationAnswer> =>
    callOperation(url, {
      path: 'invoice/embed',
      files: [{ name: 'bill.pdf', bytes }],
      parts: { invoice: [{ name: 'any.xml', bytes: new TextEncoder().encode(ciiInvoice) }] },
      params,
    });

  it('answers with a hybrid invoice and reports how it was made', async () => {
    const answer = await call(new Uint8Array(await readFile(page)));
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'bill_invoice.pdf']);
    expect(JSON.parse(answer.headers.get('x-tool-report') ?? '{}')).to.include({
      profile: 'EN 16931',
      attachment: 'factur-x.xml',
      relationship: 'Alternative',
      checked: hasVeraPdf,
      replaced: 0,
    });
    const detected = await callOperation(url, {
      path: 'invoice/detect',
      files: [{ name: 'bill.pdf', bytes: answer.bytes }],
      params: {},
    });
    expect(JSON.parse(new TextDecoder().decode(detected.bytes))).to.include({ found: true, agrees: true });
  });

  it('refuses a signed PDF, because the conversion would break the signature', async () => {
    const document = await PDFDocument.load(await readFile(page), { updateMetadata: false });
    const { context } = document;
    const field = context.register(
      context.obj({
        FT: 'Sig',
        T: 'Signature',
        Kids: [],
        V: {
          Type: 'Sig',
          Filter: 'Adobe.PPKLite',
          SubFilter: 'adbe.pkcs7.detached',
          ByteRange: [0, 10, 20, 10],
          Contents: '00',
        },
      } as never),
    );
    document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field], SigFlags: 3 }));
    const answer = await call(await document.save({ useObjectStreams: false }));
    expect([answer.status, JSON.parse(new TextDecoder().decode(answer.bytes)).code]).to.deep.equal([409, 'PDF_SIGNED']);
  });

  it('refuses a PDF that needs a password', async () => {
    const locked = new URL('../../../security/fixtures/locked.pdf', import.meta.url);
    const answer = await call(new Uint8Array(await readFile(locked)));
    expect(JSON.parse(new TextDecoder().decode(answer.bytes)).code).to.equal('PDF_ENCRYPTED');
  });
});
