import { fileURLToPath } from 'node:url';
import { createTestServer, type TestServer } from '../../kit/test-server.js';
import { expect } from 'chai';
import { callOperation } from '../../kit/call-operation.js';

const badgePlugin = fileURLToPath(new URL('../../fixtures/badge-plugin', import.meta.url));
const note = { name: 'note.txt', bytes: new TextEncoder().encode('Room 4') };
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('A plugin with settings and a category of its own', function () {
  this.timeout(60_000);
  let server: TestServer;
  let url: string;

  before(async () => {
    server = await createTestServer({
      settings: { plugins: [{ use: badgePlugin, options: { company: 'Example Ltd', apiKey: 'k-123' } }] },
    });
    url = await server.start();
  });
  after(() => server?.stop());

  it('has its settings in a worker by a service of its own', async () => {
    const answer = await callOperation(url, { path: 'badge/add-badge', files: [note], params: { name: 'Ann' } });
    expect([answer.status, text(answer.bytes)]).to.deep.equal([200, 'Ann, Example Ltd\nRoom 4']);
  });

  it('is a step of a pipeline', async () => {
    const step = (name: string): object => ({ operation: '/api/v1/badge/add-badge', parameters: { name } });
    const answer = await callOperation(url, {
      path: 'pipeline/handleData',
      files: [note],
      params: { json: JSON.stringify({ pipeline: [step('Ann'), step('Bo')] }) },
    });
    expect([answer.status, text(answer.bytes)]).to.deep.equal([200, 'Bo, Example Ltd\nAnn, Example Ltd\nRoom 4']);
  });
});
