import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { json, pointers, send } from '../support/client.js';
import { sendJson } from '../support/login.js';
import { quiet, until, type TestServer } from '../support/server.js';

const turnLong = {
  pipeline: [
    { if: { fact: 'pages', above: 2 }, then: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] },
  ],
};

describe('Automations with folders and webhooks', function () {
  this.timeout(120_000);
  let server: TestServer;
  let folder: string;
  let out: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-automations-'));
    out = join(folder, 'out');
    await mkdir(out);
    server = await createTestServer({
      plugins: ['@quire/plugin-general'],
      settings: {
        security: { isolation: ['limits'] },
        policies: { allowedFolderRoots: [folder], watchQuietPeriodMs: 10 },
        autoPipeline: { fileReadiness: { settleTimeMillis: 100, sizeCheckDelayMillis: 50 } },
      },
    });
    await server.start();
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => quiet(server));

  const call = (path: string, body: unknown) => sendJson(server, `/api/v1/${path}`, body);

  /** Puts a file there as others do: complete from its first moment. */
  async function put(path: string, pages: number): Promise<void> {
    await writeFile(join(folder, 'part'), await makePdf({ pages }));
    await rename(join(folder, 'part'), path);
  }
  async function angleOf(name: string): Promise<number> {
    const pdf = await PDFDocument.load(await readFile(join(out, name)));
    return pdf.getPage(0).getRotation().angle;
  }
  const arrives = (name: string) => until(`${name} is delivered`, async () => (await readdir(out)).includes(name));

  it('take files that arrive in a folder, and put the results into another', async () => {
    const scans = join(folder, 'scans');
    await mkdir(scans);
    const source = await call('sources', { name: 'Scans', type: 'folder', options: { directory: scans } });
    expect(source.status, source.body.toString()).to.equal(200);
    const answer = await call('automations', {
      name: 'Turn long ones',
      work: turnLong,
      inputs: [{ source: json<{ id: string }>(source).id, trigger: { type: 'arrival' } }],
      destinations: [{ type: 'folder', options: { directory: out, filenamePattern: '{filename}-done' } }],
    });
    expect(answer.status, answer.body.toString()).to.equal(201);
    await put(join(scans, 'long.pdf'), 3);
    await put(join(scans, 'short.pdf'), 1);
    await arrives('long-done.pdf');
    await arrives('short-done.pdf');
    expect([await angleOf('long-done.pdf'), await angleOf('short-done.pdf')]).to.deep.equal([90, 0]);
    await until('the folder is empty', async () => (await readdir(scans)).length === 0);
  });

  it('take files that others deliver to a webhook', async () => {
    const source = await call('sources', { name: 'Orders', type: 'webhook' });
    expect(source.status, source.body.toString()).to.equal(200);
    const { id, options } = json<{ id: string; options: { webhookId: string; signingSecret: string } }>(source);
    const answer = await call('automations', {
      name: 'Orders',
      work: turnLong,
      inputs: [{ source: id, trigger: { type: 'arrival' } }],
      destinations: [{ type: 'folder', options: { directory: out } }],
    });
    expect(answer.status, answer.body.toString()).to.equal(201);
    const body = await makePdf({ pages: 4 });
    const signature = createHmac('sha256', options.signingSecret).update(body).digest('hex');
    const deliver = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/v1/webhooks/${options.webhookId}`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers,
      });
    expect((await deliver({ 'x-signature': `sha256=${'0'.repeat(64)}` })).status).to.equal(401);
    expect((await deliver({ 'x-signature': `sha256=${signature}`, 'x-filename': 'order.pdf' })).status).to.equal(202);
    await arrives('order.pdf');
    expect(await angleOf('order.pdf')).to.equal(90);
    const shown = await send(`${server.url}/api/v1/sources/${id}`);
    expect(json<{ options: object }>(shown).options).to.include({ signingSecret: '********' });
  });

  it('are refused where a folder is not one of those that are allowed', async () => {
    const source = await call('sources', { name: 'Everything', type: 'folder', options: { directory: '/etc' } });
    expect([source.status, pointers(source)]).to.deep.equal([400, ['/options/directory']]);
    const answer = await call('automations', {
      name: 'Into the system',
      work: turnLong,
      destinations: [{ type: 'folder', options: { directory: join(folder, '..', 'elsewhere') } }],
    });
    expect([answer.status, pointers(answer)]).to.deep.equal([400, ['/destinations/0/options/directory']]);
  });
});
