import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { callTool, connect, startForAgentsWithLogin, textOf, upload } from '../support/agent.js';
import { sendJson, sessionOf } from '../support/login.js';
import { idOf, userRights, userWithRole } from '../support/roles.js';
import type { TestServer } from '../support/server.js';

describe('Agents of users with a role', () => {
  let server: TestServer;
  let client: Client;
  let agent: () => Promise<Client>;
  let userId: number;
  let boss: { readonly authorization: string };
  const toolNames = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

  before(async function () {
    this.timeout(60_000);
    server = await startForAgentsWithLogin();
    boss = await sessionOf(server);
    const rights = { ...userRights, categories: ['filter'], limits: { pagesPerDocument: 2 } };
    const { session } = await userWithRole(server, boss, 'ROLE_FILTERS', rights);
    const key = await sendJson(server, '/api/v1/user/get-api-key', {}, session);
    const { apiKey } = JSON.parse(key.body.toString()) as { apiKey: string };
    userId = await idOf(server, session);
    agent = () => connect(server, { headers: { 'x-api-key': apiKey } });
    client = await agent();
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  it('see and call the tools that the role includes, and those that were granted', async () => {
    const before = await toolNames();
    expect(before.some((name) => name.startsWith('filter'))).to.equal(true);
    expect(before).not.to.include('rotate_pdf');
    const refusal = await callTool(client, 'rotate_pdf', { angle: 90 }).catch((error: Error) => error.message);
    expect(refusal).to.match(/rotate_pdf is not allowed for this caller\. Your role "Title of ROLE_FILTERS"/);
    const unknown = await callTool(client, 'rotate_pdv', {}).catch((error: Error) => error.message);
    expect(unknown).to.match(/Unknown tool/);
    const grant = {
      resourceType: 'OPERATION',
      resourceId: 'general/rotate-pdf',
      principalType: 'USER',
      principalId: userId,
    };
    expect((await sendJson(server, '/api/v1/admin/access/grants', grant, boss)).status).to.equal(200);
    // Clients keep the list for a while.
    await client.close();
    client = await agent();
    expect(await toolNames()).to.include('rotate_pdf');
  });

  it('get documents refused that have more pages than the role allows', async () => {
    const fileInput = await upload(client, await makePdf({ pages: 3 }));
    const refused = await callTool(client, 'filter_page_count', { fileInput, pageCount: 1, comparator: 'Greater' });
    expect(refused.isError).to.equal(true);
    expect(textOf(refused)).to.include('3 pages').and.include('ROLE_FILTERS');
  });
});
