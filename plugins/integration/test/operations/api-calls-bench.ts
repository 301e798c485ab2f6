import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createTestServer } from '@quire/core';
import { field, file, json, post, type Answer, type Problem } from '../../../../test/http/support/client.js';
import { sendJson } from '../../../../test/http/support/login.js';
import { leftovers, until } from '../../../../test/http/support/server.js';
import { startRemote, type RemoteService, type Seen } from './remote-service.js';

/** A server of the product. */
export type Server = Awaited<ReturnType<typeof createTestServer>>;
/** Parameters of a call. */
export type Fields = Readonly<Record<string, string | number | boolean | object>>;

/** Address of the operation. */
export const PATH = '/api/v1/integration/external-api-call';
/** The token of connections that say no other. */
export const SECRET = 'canary-token-0123456789';
/** A document with a title, a classification and a label. */
export const pdf = readFileSync(new URL('../../fixtures/labelled.pdf', import.meta.url));

/**
 * A server that may call this machine, a service that its connections lead to, and another one; they stand while the
 * tests around run, and the services are as new for each.
 */
export class Bench {
  server!: Server;
  remote!: RemoteService;
  elsewhere!: RemoteService;
  readonly #ids = new Map<string, number>();

  constructor() {
    before(async () => {
      [this.remote, this.elsewhere] = [await startRemote(), await startRemote()];
      this.server = await createTestServer({
        plugins: ['@quire/plugin-integration', '@quire/plugin-general'],
        settings: { policies: { allowPrivateApiEndpoints: true }, limits: { workers: 1 } },
      });
      await this.server.start();
    });
    after(async () => {
      await this.server?.stop();
      await Promise.all([this.remote?.stop(), this.elsewhere?.stop()]);
    });
    beforeEach(() => {
      for (const service of [this.remote, this.elsewhere]) service.seen.length = 0;
      this.answers('{"ok":true}');
    });
    afterEach(async () => until('no temporary file is left', () => leftovers(this.server.basePath).length === 0));
  }

  /** The number of a connection with these settings beside the usual ones. */
  async connect(config: object = {}): Promise<number> {
    const key = JSON.stringify(config);
    let id = this.#ids.get(key);
    if (id === undefined) {
      const answer = await sendJson(this.server, '/api/v1/integrations', {
        integrationType: 'API',
        name: 'Archive',
        config: { baseUrl: `${this.remote.url}/api`, authType: 'BEARER', token: SECRET, timeoutSeconds: 2, ...config },
      });
      expect(answer.status, answer.body.toString()).to.equal(200);
      this.#ids.set(key, (id = json<{ id: number }>(answer).id));
    }
    return id;
  }

  /** Calls the operation over such a connection. */
  async call(
    params: Fields = {},
    config: object = {},
    document: Uint8Array = pdf,
    name = 'report.pdf',
  ): Promise<Answer> {
    const connectionId = 'connectionId' in params ? params['connectionId'] : await this.connect(config);
    return post(`${this.server.url}${PATH}`, [
      file(document, name),
      ...Object.entries({ connectionId, ...params }).map(([key, value]) =>
        field(key, typeof value === 'object' ? JSON.stringify(value) : String(value)),
      ),
    ]);
  }

  /** Demands that a call fails with this code and text, and shows no secret. */
  async failed(code: string, text: string, params: Fields = {}, config: object = {}): Promise<void> {
    const answer = await this.call(params, config);
    const { code: found, detail, status } = problem(answer);
    expect([found, status], detail).to.deep.equal([
      code,
      code === 'REMOTE_TIMEOUT' ? 504 : code.startsWith('REMOTE') ? 502 : 400,
    ]);
    expect(detail).to.contain(text);
    expect(answer.body.toString()).not.to.contain(SECRET);
  }

  /** Makes the service answer this. */
  answers(
    body: string | Buffer,
    type = 'application/json',
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.remote.answer = (_request, response) =>
      void response.writeHead(status, { ...(type === '' ? {} : { 'content-type': type }), ...headers }).end(body);
  }

  /** The last request to the service. */
  last(): Seen {
    return this.remote.seen.at(-1) ?? expect.fail('the service was not called');
  }
}

/** The content of `X-Tool-Report`. */
export function report(answer: Pick<Answer, 'headers'>): Record<string, unknown> {
  return JSON.parse(String(answer.headers['x-tool-report'])) as Record<string, unknown>;
}

/** An answer as a problem. */
export function problem(answer: Answer): Problem {
  return json(answer) as unknown as Problem;
}
