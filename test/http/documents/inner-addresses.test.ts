import { createTestServer, type QuireServer } from '@quire/core';
import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { innerHosts } from '../../fixtures/inner-addresses.js';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post } from '../support/client.js';

const API = '/api/v1';

describe('Internal addresses', function () {
  this.timeout(120_000);
  let server: QuireServer;
  let url: string;
  let canary: Server;
  let port: number;
  let pdf: Uint8Array;
  const heard: string[] = [];

  before(async () => {
    canary = createServer((request, answer) => {
      heard.push(request.url ?? '');
      answer.end('{}');
    });
    await new Promise<void>((resolve) => canary.listen(0, '0.0.0.0', resolve));
    ({ port } = canary.address() as AddressInfo);
    server = await createTestServer({
      settings: { system: { enableUrlToPDF: true } },
      plugins: ['@quire/plugin-convert', '@quire/plugin-integration', '@quire/plugin-signing'],
    });
    url = await server.start();
    pdf = await makePdf({ pages: 1 });
  });
  after(async () => {
    await server.stop();
    canary.close();
  });

  const connection = async (config: Readonly<Record<string, unknown>>): Promise<{ status: number; id: number }> => {
    const answer = await fetch(`${url}${API}/integrations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ integrationType: 'API', name: 'inner', config }),
    });
    return { status: answer.status, id: ((await answer.json()) as { id: number }).id };
  };

  it('are never called for a web page', async () => {
    for (const host of innerHosts) {
      const answer = await post(`${url}${API}/convert/url/pdf`, [field('urlInput', `http://${host}:${port}/page`)]);
      expect(answer.status, host).to.equal(400);
      expect(['ADDRESS_REFUSED', 'URL_INVALID'], host).to.include(json<{ code: string }>(answer).code);
    }
    expect(heard).to.deep.equal([]);
  });

  it('are never called through a connection, neither when it is created nor when it is used', async () => {
    for (const host of innerHosts) {
      const { status, id } = await connection({ baseUrl: `http://${host}:${port}`, authType: 'NONE' });
      if (status === 400) continue;
      expect(status, host).to.equal(200);
      const answer = await post(`${url}${API}/integration/external-api-call`, [
        file(pdf),
        field('connectionId', String(id)),
      ]);
      expectProblem(answer, 400, 'ADDRESS_REFUSED');
    }
    expect(heard).to.deep.equal([]);
  });

  it('are never asked for a timestamp', async () => {
    for (const host of innerHosts) {
      const answer = await post(`${url}${API}/security/timestamp-pdf`, [
        file(pdf),
        field('tsaUrl', `http://${host}:${port}/tsr`),
      ]);
      expect(answer.status, host).to.equal(400);
    }
    expect(heard).to.deep.equal([]);
  });
});
