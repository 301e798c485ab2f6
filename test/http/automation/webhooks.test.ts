import { expect } from 'chai';
import { createHmac, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '@quire/core';
import { WebhookSpool, webhookEndpoint } from '../../../core/automation/connectors/index.js';
import { loadSettings } from '../../../core/settings/index.js';
import type { Store } from '../../../core/store/index.js';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../suites/temporary-store.js';
import { quiet, type TestServer } from '../support/server.js';

const plugin = fileURLToPath(new URL('../../fixtures/webhook-plugin', import.meta.url));
const WEBHOOK = 'webhook-of-ann-0001';
const PAUSED = 'webhook-paused-0001';
const SECRET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ';
const LIMIT = 2_000_000;
const BODY = Buffer.from('%PDF-1.7 a document');

interface Given {
  readonly to?: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('POST /api/v1/webhooks/{webhookId}', function () {
  this.timeout(60_000);
  let temporary: TemporaryStore;
  let store: Store;
  let spool: WebhookSpool;
  let server: TestServer;

  before(async () => {
    temporary = await temporaryEmbeddedStore();
    store = await temporary.open();
    const clock = { now: () => new Date() };
    spool = new WebhookSpool(store, clock);
    const sources = new Map([
      [WEBHOOK, { options: { webhookId: WEBHOOK, signingSecret: SECRET }, enabled: true }],
      [PAUSED, { options: { webhookId: PAUSED, signingSecret: SECRET }, enabled: false }],
    ]);
    const settings = loadSettings({ env: { POLICIES_WEBHOOKMAXBYTES: String(LIMIT) }, cwd: temporary.folder ?? '' });
    const declared = webhookEndpoint({ spool, settings, clock, source: async (id) => sources.get(id) });
    // Beside the server's own webhooks, with sources and a spool that the test knows.
    const endpoint = { ...declared, id: 'deliverToTestWebhook', path: 'test-webhooks/{webhookId}' };
    Object.assign(globalThis, { [Symbol.for('quire.test.webhookEndpoint')]: endpoint });
    // Login is on: the signature is the only proof.
    server = await createTestServer({
      settings: { security: { enableLogin: true, initialLogin: { username: 'boss', password: randomUUID() } } },
      plugins: [plugin],
    });
    await server.start();
  });
  after(async () => {
    await server.stop();
    await store.close();
    await temporary.remove();
  });

  const plain = (body: Buffer): string => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const send = async ({ to = WEBHOOK, body = BODY, headers = { 'x-signature': plain(body) } }: Given = {}) => {
    const response = await fetch(`${server.url}/api/v1/test-webhooks/${to}`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'content-type': 'application/pdf', ...headers },
    });
    const answer = (await response.json()) as Readonly<Record<string, unknown>>;
    return { status: response.status, answer, code: answer['code'] };
  };
  const names = async (): Promise<string[]> => (await spool.waiting(WEBHOOK)).map(({ name }) => name);
  const standard = (id: string, seconds = Math.floor(Date.now() / 1000)): Record<string, string> => ({
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${createHmac('sha256', Buffer.from(SECRET, 'base64'))
      .update(`${id}.${seconds}.`)
      .update(BODY)
      .digest('base64')}`,
  });

  it('stores a document before it answers 202, and cleans its name', async () => {
    const headers = { 'x-signature': plain(BODY), 'x-filename': '../in voices/../.änother file.pdf' };
    const { status, answer } = await send({ headers });
    expect([status, answer]).to.deep.equal([202, { accepted: true, filename: '_nother_file.pdf', bytes: BODY.length }]);
    expect((await send()).answer['filename']).to.equal('document.pdf');
    expect(await names()).to.deep.equal(['_nother_file.pdf', 'document.pdf']);
  });

  it('accepts a delivery of Standard Webhooks once, however often it is sent', async () => {
    const before = (await names()).length;
    const headers = standard('msg_one');
    for (let attempt = 0; attempt < 3; attempt++) expect((await send({ headers })).status).to.equal(202);
    expect(await names()).to.have.length(before + 1);
    const old = await send({ headers: standard('msg_two', Math.floor(Date.now() / 1000) - 400) });
    expect([old.status, old.code]).to.deep.equal([401, 'WEBHOOK_SIGNATURE']);
  });

  it('checks in this order: id, length, signature, paused, empty', async () => {
    const empty = Buffer.alloc(0);
    const large = Buffer.alloc(LIMIT + 1);
    const bad = { 'x-signature': plain(Buffer.from('other')) };
    const before = await names();
    for (const [given, status, code] of [
      [{ to: 'short' }, 404, 'NOT_FOUND'],
      [{ to: 'webhook-of-nobody-1', body: large }, 404, 'NOT_FOUND'],
      [{ to: 'webhook-of-ann-000%20' }, 404, 'NOT_FOUND'],
      [{ body: large, headers: bad }, 413, 'WEBHOOK_TOO_LARGE'],
      [{ headers: {} }, 401, 'WEBHOOK_SIGNATURE'],
      [{ headers: bad }, 401, 'WEBHOOK_SIGNATURE'],
      [{ to: PAUSED, headers: bad }, 401, 'WEBHOOK_SIGNATURE'],
      [{ to: PAUSED }, 403, 'WEBHOOK_PAUSED'],
      [{ to: PAUSED, body: empty }, 403, 'WEBHOOK_PAUSED'],
      [{ body: empty }, 400, 'INPUT_FILE_EMPTY'],
    ] as const) {
      const answer = await send(given);
      expect([answer.status, answer.code], JSON.stringify(given).slice(0, 100)).to.deep.equal([status, code]);
    }
    expect(await names()).to.deep.equal(before);
  });

  it('needs a length, and all of the bytes that it says', async () => {
    const { hostname, port } = new URL(server.url);
    const head = [`POST /api/v1/test-webhooks/${WEBHOOK} HTTP/1.1`, `Host: ${hostname}:${port}`, 'Connection: close'];
    const raw = (lines: readonly string[], end: boolean): Promise<string> =>
      new Promise((resolve, reject) => {
        let text = '';
        const socket = connect(Number(port), hostname, () => {
          socket.write([...head, ...lines].join('\r\n'));
          if (end) socket.end();
        });
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('close', () => resolve(text));
        socket.on('error', reject);
      });
    expect(await raw(['Transfer-Encoding: chunked', '', '0', '', ''], false)).to.match(/^HTTP\/1.1 411 /);
    const before = await names();
    const short = [`Content-Length: ${BODY.length + 1}`, `X-Signature: ${plain(BODY)}`, '', BODY.toString()];
    expect(await raw(short, true)).not.to.match(/^HTTP\/1.1 202 /);
    expect(await names()).to.deep.equal(before);
    await quiet(server);
  });

  it('stores a body of the largest size that is allowed', async () => {
    const body = Buffer.alloc(LIMIT, 1);
    expect((await send({ body })).status).to.equal(202);
  });
});
