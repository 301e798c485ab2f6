import { createTestServer } from '@quire/core';
import { makePdf } from '../../kit/make-pdf.js';
import { Box, Shelf } from '../../suites/automation-connectors.js';
import { json, send, type Answer } from './client.js';
import { sendJson } from './login.js';
import { API } from './pipelines.js';
import type { TestServer } from './server.js';

interface ShownAutomation {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly revision: number;
  readonly editable: boolean;
  readonly nextStart: string | null;
  readonly inputs: readonly unknown[];
  readonly work: { readonly pipeline: readonly { readonly parameters: Readonly<Record<string, unknown>> }[] };
  readonly destinations: readonly { readonly id: string; readonly options: Readonly<Record<string, unknown>> }[];
  readonly files: Readonly<Record<string, number>>;
}

export interface ShownFile {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly runId: string | null;
  readonly reason: { readonly code: string; readonly detail: string } | null;
  readonly places: readonly string[];
}

export const turn = { pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 } }] };

const usualPlugins = ['general', 'misc', 'filter', 'security'].map((name) => `@quire/plugin-${name}`);

/** A server with one kind of source and one of destination, both in memory. */
export class AutomationServer {
  server!: TestServer;
  readonly box = new Box();
  readonly shelf = new Shelf();
  headers: Readonly<Record<string, string>> = {};

  /** `plugins`: those that it has beside the usual ones. */
  constructor(private readonly plugins: readonly string[] = []) {}

  get url(): string {
    return this.server.url;
  }

  async start(settings: Readonly<Record<string, unknown>> = {}, basePath?: string): Promise<void> {
    this.server = await createTestServer({
      settings: { ...settings, security: { isolation: ['limits'], ...(settings['security'] as object | undefined) } },
      plugins: [...usualPlugins, ...this.plugins],
      connectors: { sources: [this.box.kind()], destinations: [this.shelf.kind()] },
      ...(basePath === undefined ? {} : { basePath }),
    });
    await this.server.start();
  }

  get(path: string, headers = this.headers): Promise<Answer> {
    return send(`${this.url}${API}/${path}`, { headers });
  }

  delete(path: string, headers = this.headers): Promise<Answer> {
    return send(`${this.url}${API}/${path}`, { method: 'DELETE', headers });
  }

  send(path: string, body: unknown, method = 'POST', headers = this.headers): Promise<Answer> {
    return sendJson(this, `${API}/${path}`, body, headers, method);
  }

  post(path: string, headers = this.headers): Promise<Answer> {
    return send(`${this.url}${API}/${path}`, { method: 'POST', headers });
  }

  async source(more: object = {}): Promise<string> {
    const answer = await this.send('sources', { name: 'Scans', type: 'box', ...more });
    return json<{ id: string }>(answer).id;
  }

  async create(more: object): Promise<ShownAutomation> {
    const answer = await this.send('automations', { work: turn, ...more });
    if (answer.status !== 201) throw new Error(answer.body.toString());
    return json<ShownAutomation>(answer);
  }

  async shown(id: string): Promise<ShownAutomation> {
    return json<ShownAutomation>(await this.get(`automations/${id}`));
  }

  async files(id: string, query = ''): Promise<readonly ShownFile[]> {
    return json<{ files: ShownFile[] }>(await this.get(`automations/${id}/items${query}`)).files;
  }

  /** Puts a PDF into the source. */
  async scan(name: string, pages = 1): Promise<void> {
    this.box.put(name, Buffer.from(await makePdf({ pages })).toString('latin1'));
  }
}
