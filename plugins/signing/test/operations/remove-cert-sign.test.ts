import { readFile } from 'node:fs/promises';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, expectPdf } from '@quire/plugin-kit';
import { expect } from 'chai';

const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});

describe('remove-cert-sign over HTTP', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  const path = 'security/remove-cert-sign';
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-signing'] });
    url = await server.start();
  });
  after(() => server.stop());

  it('removes the signature, says that it did, and names the file so', async () => {
    const answer = await callOperation(url, { path, files: [await fixture('signed.pdf')] });
    expect([answer.status, answer.fileName, answer.headers.get('x-effects')]).to.deep.equal([
      200,
      'signed_unsigned.pdf',
      'breaksSignature',
    ]);
    expect(Buffer.from(answer.bytes).includes('/ByteRange')).to.equal(false);
    expect((await expectPdf(answer.bytes)).pages).to.be.greaterThan(0);
  });

  it('hands an unsigned document on with the same pages', async () => {
    const answer = await callOperation(url, { path, files: [await fixture('plain.pdf')] });
    expect([answer.status, answer.headers.get('x-effects')]).to.deep.equal([200, null]);
  });

  it('refuses a damaged document', async () => {
    const answer = await callOperation(url, { path, files: [await fixture('broken.pdf')] });
    expect([answer.status, answer.code]).to.deep.equal([400, 'PDF_DAMAGED']);
  });
});
