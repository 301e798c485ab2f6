import { expect } from 'chai';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import {
  Wire,
  boundary,
  expectProblem,
  field,
  file,
  formBody,
  json,
  post,
  send,
  formType,
  type Part,
} from '../support/client.js';
import { folderSize, leftovers, quiet, startServer, until, type TestServer } from '../support/server.js';

const LIMIT = 1024 * 1024;
const rotatePath = '/api/v1/general/rotate-pdf';
const filePart = `--${boundary}\r\nContent-Disposition: form-data; name="fileInput"; filename="a.pdf"\r\n\r\n`;

describe('Uploads', () => {
  let server: TestServer;
  let rotate: string;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer({
      server: {
        port: 0,
        host: '127.0.0.1',
        headersTimeoutSeconds: 1,
        uploadIdleSeconds: 1,
        uploadMinBytesPerSecond: 4096,
      },
      system: { fileUploadLimit: '1MB' },
      limits: { maxParts: 20, maxFieldSize: '64KB' },
    });
    rotate = `${server.url}${rotatePath}`;
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('refuses a declared size above the limit at once and closes the connection', async () => {
    const wire = (await Wire.open(server.url)).head(rotatePath, 'Content-Length: 2147483648');
    await until('the server has answered', () => wire.status !== 0);
    expect(wire.status).to.equal(413);
    expect(wire.text).to.contain('INPUT_TOO_LARGE').and.to.contain(`"maxSizeBytes":${LIMIT}`);
    await until('the connection is closed', () => wire.closed);
  });

  it('refuses it before it answers 100 Continue', async () => {
    const wire = (await Wire.open(server.url)).head(rotatePath, 'Content-Length: 2147483648', 'Expect: 100-continue');
    await until('the server has answered', () => wire.text.includes('INPUT_TOO_LARGE'));
    expect(wire.status).to.equal(413);
    await until('the connection is closed', () => wire.closed);
  });

  it('answers 100 Continue to a client that asks, and accepts its file', async () => {
    const body = formBody([file(pdf)]);
    const wire = (await Wire.open(server.url)).head(
      rotatePath,
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    );
    await until('the server says go on', () => wire.status === 100);
    wire.write(body);
    await until('the answer has come', () => wire.closed);
    expect(wire.text).to.contain('HTTP/1.1 200').and.to.contain('%PDF');
  });

  it('refuses a chunked upload at the limit and keeps nothing of it', async () => {
    const wire = (await Wire.open(server.url)).head(rotatePath, 'Transfer-Encoding: chunked');
    const chunk = (data: string | Buffer): Buffer =>
      Buffer.concat([
        Buffer.from(`${Buffer.byteLength(data).toString(16)}\r\n`),
        Buffer.from(data),
        Buffer.from('\r\n'),
      ]);
    wire.write(chunk(filePart));
    for (let sent = 0; sent < 3 * LIMIT && wire.status === 0; sent += 65_536) {
      wire.write(chunk(Buffer.alloc(65_536, 1)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until('the server has answered', () => wire.status !== 0);
    expect(wire.status).to.equal(413);
    expect(folderSize(join(server.basePath, 'tmp', 'runs'))).to.be.below(2 * LIMIT);
    await until('the connection is closed', () => wire.closed);
  });

  it('lets a client that sends first and reads later see why it was refused', async () => {
    const wire = (await Wire.open(server.url)).head(rotatePath, `Content-Length: ${LIMIT + 300_000}`);
    wire.write(filePart).write(Buffer.alloc(LIMIT + 300_000 - filePart.length, 1));
    await until('the server has answered', () => wire.text.includes('INPUT_TOO_LARGE'));
    expect(wire.status).to.equal(413);
    wire.close();
  });

  it('discards what a refused client keeps sending, so that it can read its answer', async () => {
    const size = 8 * LIMIT;
    const wire = (await Wire.open(server.url)).head(rotatePath, `Content-Length: ${size}`).write(filePart);
    let left = size - filePart.length;
    for (; left > 0 && !wire.closed; left -= 65_536) {
      wire.write(Buffer.alloc(Math.min(left, 65_536), 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until('the connection is closed', () => wire.closed);
    expect(left, 'bytes that could not be sent').to.be.at.most(0);
    expect(wire.status).to.equal(413);
  });

  it('accepts an upload just below the limit', async () => {
    const answer = await post(rotate, [file(Buffer.concat([pdf, Buffer.alloc(LIMIT - pdf.length - 1000, '\n')]))]);
    expect(answer.status).to.equal(200);
  });

  it('refuses too many parts', async () => {
    const fields = Array.from({ length: 50 }, (_, i) => field(`f${i}`, 'x'));
    expectProblem(await post(rotate, fields), 413, 'INPUT_TOO_MANY_PARTS');
    const files = Array.from({ length: 50 }, () => file(pdf));
    expectProblem(await post(rotate, files), 413, 'INPUT_TOO_MANY_PARTS');
    expectProblem(
      await post(
        rotate,
        Array.from({ length: 5000 }, (_, i) => field(`f${i}`, '')),
      ),
      413,
      'INPUT_TOO_MANY_PARTS',
    );
  });

  it('refuses text above the total limit, in one field or in many', async () => {
    const one = expectProblem(
      await post(rotate, [file(pdf), field('note', 'x'.repeat(100_000))]),
      400,
      'INPUT_INVALID',
    );
    expect(one.errors?.[0]?.pointer).to.equal('/note');
    const many = expectProblem(
      await post(rotate, [file(pdf), ...Array.from({ length: 15 }, (_, i) => field(`note${i}`, 'x'.repeat(6000)))]),
      400,
      'INPUT_INVALID',
    );
    expect(many.errors?.[0]?.pointer).to.equal('/note10');
  });

  it('refuses forms with broken headers', async () => {
    const broken = [
      `--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${boundary}--\r\n`,
      `--${boundary}\r\n\r\nx\r\n--${boundary}--\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="fileInput"; filename="${'a'.repeat(40_000)}"\r\n` +
        `\r\nx\r\n--${boundary}--\r\n`,
      `--${boundary}\r\n${'X-Y: z\r\n'.repeat(500)}Content-Disposition: form-data; name="fileInput"; ` +
        `filename="a.pdf"\r\n\r\nx\r\n--${boundary}--\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="${'n'.repeat(5000)}"\r\n\r\nx\r\n--${boundary}--\r\n`,
    ];
    for (const body of broken) {
      const answer = await send(rotate, { method: 'POST', headers: { 'content-type': formType }, body });
      expect(answer.status, answer.body.toString()).to.be.within(400, 415);
      expectProblem(answer, answer.status, json<{ code: string }>(answer).code);
    }
  });

  it('refuses a truncated form', async () => {
    const whole = formBody([field('angle', '90'), file(pdf)]);
    for (const cut of [10, 60, 120, 300, whole.length - 60, whole.length - 10]) {
      const answer = await send(rotate, {
        method: 'POST',
        headers: { 'content-type': formType },
        body: whole.subarray(0, cut),
      });
      expectProblem(answer, 400, 'INPUT_MALFORMED');
    }
  });

  it('reads a form split into chunks of any size', async () => {
    const body = formBody([field('angle', '90'), file(pdf)]);
    const wire = (await Wire.open(server.url)).head(rotatePath, `Content-Length: ${body.length}`, 'Connection: close');
    for (let at = 0; at < 700; at++) {
      wire.write(body.subarray(at, at + 1));
      if (at % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    wire.write(body.subarray(700));
    await until('the answer has come', () => wire.closed);
    expect(wire.text).to.contain('HTTP/1.1 200').and.to.contain('%PDF');
  });

  it('disconnects a client that never finishes its headers', async () => {
    const wire = (await Wire.open(server.url)).write('POST / HTTP/1.1\r\nHost: localhost\r\n');
    const timer = setInterval(() => wire.write('X-A: b\r\n'), 200);
    await until('the connection is closed', () => wire.closed);
    clearInterval(timer);
    expect(wire.status).to.equal(408);
    expect(wire.text).to.contain('HEADERS_TOO_SLOW');
  });

  it('ends a stalled upload', async () => {
    const wire = (await Wire.open(server.url)).head(rotatePath, 'Content-Length: 500000').write(filePart);
    await until('the server has answered', () => wire.status !== 0);
    expect(wire.status).to.equal(408);
    expect(wire.text).to.contain('INPUT_TOO_SLOW');
    await until('the connection is closed', () => wire.closed);
  });

  it('ends an upload that is too slow', async () => {
    const wire = (await Wire.open(server.url)).head(rotatePath, 'Content-Length: 500000').write(filePart);
    const timer = setInterval(() => wire.write('x'), 100);
    await until('the server has answered', () => wire.status !== 0);
    expect(wire.status).to.equal(408);
    await until('the connection is closed', () => wire.closed);
    clearInterval(timer);
  });

  it('ends a stalled pipeline upload and a stalled JSON body', async () => {
    const pipeline = (await Wire.open(server.url))
      .head('/api/v1/pipeline/handleData', 'Content-Length: 500000')
      .write(filePart);
    await until('the server has answered', () => pipeline.status !== 0);
    expect(pipeline.status).to.equal(408);
  });

  it('serves others while many clients are slow', async () => {
    const dawdlers = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const wire = await Wire.open(server.url);
        return i % 2 === 0
          ? wire.write('POST / HTTP/1.1\r\nHo')
          : wire.head(rotatePath, 'Content-Length: 500000').write(filePart);
      }),
    );
    expect((await post(rotate, [file(pdf)])).status).to.equal(200);
    await until('all of them are let go', () => dawdlers.every(({ closed }) => closed));
  });

  it('keeps every part of a form with many files', async () => {
    const parts: Part[] = Array.from({ length: 15 }, (_, i) => file(pdf, `${i}.pdf`));
    const answer = await post(`${server.url}/api/v1/general/merge-pdfs`, parts);
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-disposition']).to.contain('0_merged');
  });

  it('answers bytes that are not HTTP', async () => {
    for (const text of [
      '\x16\x03\x01\x02\x00\x01\x00',
      'GET / HTTP/9.9\r\n\r\n',
      'HELO test\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n',
    ]) {
      const wire = (await Wire.open(server.url)).write(text);
      await until('the connection is closed', () => wire.closed);
      expect([0, 400, 431], text.slice(0, 40)).to.include(wire.status);
    }
    expect(leftovers(server.basePath)).to.deep.equal([]);
  });
});
