import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { makePdf } from '../../kit/make-pdf.js';
import { Wire, boundary, field, file, formBody, post, type Part } from '../support/client.js';
import { isAlive, leftovers, openDescriptors, quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';
const rotatePath = `${API}/general/rotate-pdf`;
const mark = join(tmpdir(), `quire-mark-${process.pid}`);
const MB = 1024 * 1024;
/** The file exists a moment before its text does. */
const hasBegun = (): boolean => existsSync(mark) && readFileSync(mark, 'utf8') !== '';

/** Sets when a process gets a processor: `--idle`, hardly ever while others want one. */
function schedule(pid: number, policy: '--idle' | '--other'): void {
  spawnSync('chrt', ['--all-tasks', policy, '--pid', '0', String(pid)]);
}

describe('A client that disconnects', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  let large: Buffer;

  before(async () => {
    server = await startServer({
      server: { port: 0, host: '127.0.0.1', slowReaderSeconds: 2 },
      limits: { workers: 2 },
    });
    pdf = await makePdf({ pages: 1 });
    // The filter returns its input unchanged: a large answer that costs nothing to create.
    const document = await PDFDocument.load(pdf);
    document.context.register(document.context.stream(randomBytes(24 * MB)));
    large = Buffer.from(await document.save({ useObjectStreams: false }));
  });
  after(() => server.stop());
  beforeEach(() => rmSync(mark, { force: true }));
  afterEach(() => quiet(server));

  async function sendForm(path: string, parts: readonly Part[]): Promise<Wire> {
    const body = formBody(parts);
    return (await Wire.open(server.url)).head(path, `Content-Length: ${body.length}`).write(body);
  }

  it('in the middle of an upload leaves no file behind', async () => {
    for (const path of [rotatePath, `${API}/general/merge-pdfs`, `${API}/pipeline/handleData`]) {
      const wires = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const wire = (await Wire.open(server.url)).head(
            path,
            ...(i % 2 === 0 ? ['Content-Length: 9000000'] : ['Transfer-Encoding: chunked']),
          );
          const part = `--${boundary}\r\nContent-Disposition: form-data; name="fileInput"; filename="a.pdf"\r\n\r\n`;
          return wire.write(
            i % 2 === 0 ? `${part}${'x'.repeat(50_000)}` : `${part.length.toString(16)}\r\n${part}\r\n`,
          );
        }),
      );
      await until('the uploads have begun', () => leftovers(server.basePath).length > 0);
      wires.forEach((wire) => wire.close());
      await quiet(server);
    }
  });

  it('in the middle of a multipart header leaves no file behind', async () => {
    const wire = (await Wire.open(server.url))
      .head(rotatePath, 'Content-Length: 9000')
      .write(`--${boundary}\r\nContent-Disposition: form-da`);
    await until('the upload has begun', () => leftovers(server.basePath).length > 0);
    wire.socket.end();
    await quiet(server);
  });

  it('while its work waits in a worker stops that work', async () => {
    const wire = await sendForm(`${API}/misc/unruly-slow`, [file(pdf), field('ms', '60000'), field('mark', mark)]);
    await until('the work has begun', hasBegun);
    const worker = Number(readFileSync(mark, 'utf8'));
    wire.close();
    await until('the work is over', () => leftovers(server.basePath).length === 0);
    expect(isAlive(worker), 'a worker that listens is kept').to.equal(true);
  });

  it('while its work waits for a processor keeps the worker (skipped without chrt)', async function starved() {
    if (spawnSync('chrt', ['--idle', '0', 'true']).status !== 0) this.skip();
    const wire = await sendForm(`${API}/misc/unruly-slow`, [file(pdf), field('ms', '60000'), field('mark', mark)]);
    await until('the work has begun', hasBegun);
    const worker = Number(readFileSync(mark, 'utf8'));
    const loops = cpus()
      .flatMap(() => [1, 2, 3])
      .map(() => spawn('sh', ['-c', 'while :; do :; done']));
    try {
      schedule(worker, '--idle');
      wire.close();
      await until('the work is over', () => leftovers(server.basePath).length === 0);
      expect(isAlive(worker), 'a worker that listens is kept').to.equal(true);
    } finally {
      loops.forEach((loop) => loop.kill('SIGKILL'));
      schedule(worker, '--other');
    }
  });

  it('while its work does not respond ends the worker, and the next call gets another', async () => {
    const wire = await sendForm(`${API}/misc/unruly-slow`, [
      file(pdf),
      field('ms', '60000'),
      field('deaf', 'true'),
      field('mark', mark),
    ]);
    await until('the work has begun', hasBegun);
    const worker = Number(readFileSync(mark, 'utf8'));
    wire.close();
    await until('the worker is gone', () => !isAlive(worker));
    expect((await post(`${server.url}${rotatePath}`, [file(pdf)])).status).to.equal(200);
  });

  it('while its work waits in the server stops that work', async () => {
    const wire = await sendForm(`${API}/misc/unruly-wait`, [file(pdf)]);
    await until('the work has begun', () => leftovers(server.basePath).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    wire.close();
    await until('the work is over', () => leftovers(server.basePath).length === 0);
  });

  it('while its work is queued removes it from the queue', async () => {
    const slow = [file(pdf), field('ms', '60000')];
    const wires = [];
    for (let i = 0; i < 6; i++) wires.push(await sendForm(`${API}/misc/unruly-slow`, slow));
    await until('all of them have arrived', () => leftovers(server.basePath).length === 6);
    await new Promise((resolve) => setTimeout(resolve, 200));
    wires.forEach((wire) => wire.close());
    await until('all of them have left', () => leftovers(server.basePath).length === 0);
    expect((await post(`${server.url}${rotatePath}`, [file(pdf)])).status).to.equal(200);
  });

  it('in the middle of a pipeline stops the pipeline', async () => {
    const step = { operation: `${API}/misc/unruly-slow`, parameters: { ms: 60_000, mark } };
    const wire = await sendForm(`${API}/pipeline/handleData`, [
      file(pdf),
      field('json', JSON.stringify({ pipeline: [step, step] })),
    ]);
    await until('the work has begun', hasBegun);
    wire.close();
    await until('the work is over', () => leftovers(server.basePath).length === 0);
  });

  it('in the middle of a download closes the file', async () => {
    for (const path of [
      `${API}/filter/filter-page-count?pageCount=0&comparator=Greater`,
      `${API}/pipeline/handleData`,
    ]) {
      const definition = {
        pipeline: [
          { operation: `${API}/filter/filter-page-count`, parameters: { pageCount: 0, comparator: 'Greater' } },
        ],
      };
      for (let i = 0; i < 3; i++) {
        const wire = await sendForm(path, [
          file(large),
          ...(path.includes('pipeline') ? [field('json', JSON.stringify(definition))] : []),
        ]);
        wire.socket.once('data', () => wire.socket.pause());
        await until('the answer has begun', () => wire.status === 200);
        wire.close();
      }
      await quiet(server);
    }
  });

  it('or does not read its answer is disconnected', async () => {
    const wire = await sendForm(`${API}/filter/filter-page-count?pageCount=0&comparator=Greater`, [file(large)]);
    wire.socket.once('data', () => wire.socket.pause());
    await until('the answer has begun', () => wire.status === 200);
    await until(
      'the file is closed',
      () => openDescriptors(server.basePath).length === 0 && leftovers(server.basePath).length === 0,
    );
    wire.close();
  });

  it('may read a large answer slowly and gets all of it', async () => {
    const wire = await sendForm(`${API}/filter/filter-page-count?pageCount=0&comparator=Greater`, [file(large)]);
    const timer = setInterval(() => {
      wire.socket.pause();
      setTimeout(() => wire.socket.resume(), 150);
    }, 300);
    await until('the whole answer has come', () => wire.text.length > large.length);
    clearInterval(timer);
    expect(wire.status).to.equal(200);
    wire.close();
  });
});
