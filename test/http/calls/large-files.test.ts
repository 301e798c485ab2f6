import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { readPdf } from '../../kit/expect-pdf.js';
import { expectProblem, field, file, formBody, post, Wire } from '../support/client.js';
import { leftovers, quiet, startServer, until, type TestServer } from '../support/server.js';

const MB = 1024 * 1024;

/** A PDF of this many bytes, more or less, that cannot be packed. */
async function largePdf(bytes: number, pages: number): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let n = 0; n < pages; n++) document.addPage([200, 300]);
  await document.attach(randomBytes(bytes), 'noise.bin');
  return Buffer.from(await document.save());
}

describe('Large files', () => {
  let server: TestServer;
  let pdf: Buffer;

  before(async () => {
    server = await startServer({ server: { port: 0, host: '127.0.0.1' } });
    pdf = await largePdf(5 * MB, 2);
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const rotate = '/api/v1/general/rotate-pdf';

  it('come back with an update behind their bytes, each its own', async () => {
    const others = await Promise.all([3, 4, 5, 6].map((pages) => largePdf(2 * MB + pages, pages)));
    const sent = [pdf, ...others];
    const answers = await Promise.all(
      sent.map((bytes) => post(`${server.url}${rotate}`, [file(bytes), field('angle', '90')])),
    );
    for (const [i, { status, body }] of answers.entries()) {
      const bytes = sent[i] as Buffer;
      expect([status, body.subarray(0, bytes.length).equals(bytes)], `file ${i}`).to.deep.equal([200, true]);
      expect((await readPdf(body)).sizes.map(({ rotation }) => rotation)).to.deep.equal(Array<number>(i + 2).fill(90));
    }
  });

  it('are joined whole when several come in one form', async () => {
    const others = await Promise.all([1, 3].map((pages) => largePdf(MB, pages)));
    const { status, body } = await post(`${server.url}/api/v1/general/merge-pdfs`, [
      file(pdf, 'a.pdf'),
      ...others.map((bytes, i) => file(bytes, `b${i}.pdf`)),
    ]);
    expect(status).to.equal(200);
    expect((await readPdf(body)).pages).to.equal(6);
  });

  it('are refused as damaged ones are, and the next call gets its own file', async () => {
    const damaged = Buffer.concat([pdf.subarray(0, 3 * MB), Buffer.alloc(MB)]);
    const [bad, good] = await Promise.all([
      post(`${server.url}${rotate}`, [file(damaged), field('angle', '90')]),
      post(`${server.url}${rotate}`, [file(pdf), field('angle', '180')]),
    ]);
    expectProblem(bad, 400, 'PDF_DAMAGED');
    expect(good.status).to.equal(200);
    expect((await readPdf(good.body)).sizes.map(({ rotation }) => rotation)).to.deep.equal([180, 180]);
  });

  it('leave nothing behind when the client breaks off in the middle', async () => {
    const body = formBody([file(pdf), field('angle', '90')]);
    const wire = (await Wire.open(server.url)).head(rotate, `Content-Length: ${body.length}`);
    wire.write(body.subarray(0, 3 * MB));
    await until('the file is on the disk', async () => (await leftovers(server.basePath)).length > 0);
    wire.close();
    await until('nothing is left', async () => (await leftovers(server.basePath)).length === 0);
  });

  it('that are rotated twice with the same key are rotated once', async () => {
    const parts = [file(pdf), field('angle', '90')];
    const key = { 'idempotency-key': 'large-1' };
    const [first, second] = [
      await post(`${server.url}${rotate}`, parts, key),
      await post(`${server.url}${rotate}`, parts, key),
    ];
    expect([first.status, second.status, second.body.equals(first.body)]).to.deep.equal([200, 200, true]);
    const other = await post(`${server.url}${rotate}`, [file(pdf), field('angle', '180')], key);
    expect(other.status).to.equal(422);
  });
});
