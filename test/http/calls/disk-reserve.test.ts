import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { makePdf } from '../../kit/make-pdf.js';
import { Wire, expectProblem, field, file, post } from '../support/client.js';
import { sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { mountsDisks, smallDisk } from '../../suites/small-disk.js';
import { definitionOf, step } from '../support/pipelines.js';
import { leftovers, quiet, startServer, until, type TestServer } from '../support/server.js';

const rotatePath = '/api/v1/general/rotate-pdf';

describe('A server whose disk is nearly full', () => {
  let server: TestServer;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer({ limits: { diskReserve: '4000TB' } });
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('answers an upload with 507 and a time to try again, and keeps nothing', async () => {
    const answer = await post(`${server.url}${rotatePath}`, [file(pdf)]);
    expectProblem(answer, 507, 'STORAGE_FULL');
    expect(answer.headers['retry-after']).to.equal('60');
    expect(leftovers(server.basePath)).to.deep.equal([]);
  });

  it('answers before the body is read, and before 100 Continue', async () => {
    for (const lines of [['Content-Length: 100000'], ['Transfer-Encoding: chunked', 'Expect: 100-continue']]) {
      const wire = (await Wire.open(server.url)).head(rotatePath, ...lines);
      await until('the server has answered', () => wire.text.includes('STORAGE_FULL'));
      expect(wire.status).to.equal(507);
      wire.close();
    }
  });

  it('refuses new jobs and pipelines', async () => {
    expectProblem(await post(`${server.url}${rotatePath}?async=true`, [file(pdf)]), 507, 'STORAGE_FULL');
    const pipeline = [file(pdf), field('json', definitionOf([step('general/rotate-pdf')]))];
    expectProblem(await post(`${server.url}/api/v1/pipeline/handleData`, pipeline), 507, 'STORAGE_FULL');
  });

  it('answers an unknown address with 404 as always', async () => {
    expectProblem(await post(`${server.url}/api/v1/nowhere`, [file(pdf)]), 404, 'NOT_FOUND');
  });
});

describe('A server with a reserve of disk and space left', () => {
  let server: TestServer;
  before(async () => (server = await startServer({ limits: { diskReserve: '1MB' } })));
  after(() => server.stop());

  it('accepts uploads', async () => {
    const answer = await post(`${server.url}${rotatePath}`, [file(await makePdf({ pages: 1 }))]);
    expect(answer.status).to.equal(200);
  });
});

describe('A server whose disk becomes full while it works', () => {
  let server: TestServer;
  let folder: string;
  let unmount: (() => void) | undefined;
  let pdf: Uint8Array;

  before(async function () {
    if (!mountsDisks()) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'quire-full-disk-'));
    unmount = smallDisk(folder);
    server = await startServer({
      limits: { diskReserve: '1B' },
      system: { tempFileManagement: { baseTmpDir: folder } },
    });
    const document = await PDFDocument.create();
    document.addPage();
    // Noise, because results are packed.
    await document.attach(randomBytes(600_000), 'noise.bin');
    pdf = await document.save();
  });
  after(async () => {
    await server?.stop();
    unmount?.();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  it('answers with 507 instead of blaming the document or itself, and goes on', async () => {
    const path = (name: string): string => `${server.url}/api/v1/${name}`;
    const small = await makePdf({ pages: 1 });
    expectProblem(await post(path('general/merge-pdfs'), [file(pdf), file(small)]), 507, 'STORAGE_FULL');
    expectProblem(await post(path('misc/decompress-pdf'), [file(pdf)]), 507, 'STORAGE_FULL');
    expectProblem(await post(path('misc/compress-pdf'), [file(pdf)]), 507, 'STORAGE_FULL');
    expect((await post(path('general/merge-pdfs'), [file(small), file(small)])).status).to.equal(200);
  });
});

describe('A server with login whose disk is nearly full', () => {
  let server: TestServer;
  before(async () => (server = await startWithLogin({}, { limits: { diskReserve: '4000TB' } })));
  after(() => server.stop());

  it('still lets people log in and change settings, so that somebody can make space', async () => {
    const session = await sessionOf(server);
    const change = { settings: { 'limits.diskReserve': '0B' } };
    const saved = await sendJson(server, '/api/v1/admin/settings', change, session, 'PUT');
    expect(saved.status, saved.body.toString()).to.equal(200);
  });

  it('asks who calls before it looks at the disk', async () => {
    expect((await post(`${server.url}${rotatePath}`, [file(await makePdf({ pages: 1 }))])).status).to.equal(401);
  });
});
