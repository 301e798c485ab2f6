import type { Client } from '@modelcontextprotocol/client';
import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import {
  callTool,
  connect,
  startForAgents,
  startForAgentsWithLogin,
  textOf,
  upload,
  useTool,
} from '../support/agent.js';
import { send } from '../support/client.js';
import { addUser, keyOf, sendJson, sessionOf } from '../support/login.js';
import { API, step } from '../support/pipelines.js';
import type { TestServer } from '../support/server.js';

const turnAll = {
  name: 'turn-all',
  title: 'Turn all pages',
  description: 'Turns every page of a scan upright',
  definition: {
    pipeline: [step('general/rotate-pdf', { angle: 90 }), step('misc/update-metadata', { title: '{{input.title}}' })],
  },
  inputs: [
    { name: 'angle', field: '/pipeline/0/parameters/angle', values: [90, 180] },
    { name: 'title', label: 'Title', required: true },
  ],
};

describe('Saved pipelines of agents', () => {
  let server: TestServer;
  let client: Client;

  beforeEach(async () => {
    server = await startForAgents();
    expect((await sendJson(server, `${API}/pipelines`, turnAll)).status).to.equal(201);
    client = await connect(server);
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const names = async (agent: Client): Promise<string[]> => (await agent.listTools()).tools.map(({ name }) => name);

  it('are tools with their inputs, and leave files like every tool', async () => {
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'pipeline_turn_all');
    expect(tool).to.deep.include({ title: 'Turn all pages' });
    expect(tool?.description).to.equal(
      'Turns every page of a scan upright. A saved pipeline: rotate-pdf, then update-metadata.',
    );
    expect(tool?.inputSchema).to.deep.include({ required: ['fileInput', 'title'], additionalProperties: false });
    expect(tool?.inputSchema.properties?.['angle']).to.deep.include({ type: 'integer', enum: [90, 180], default: 90 });
    const fileId = await upload(client, await makePdf({ pages: 1 }));
    const done = await useTool(client, 'pipeline_turn_all', { fileInput: [fileId], angle: 180, title: 'A' });
    const document = await PDFDocument.load((await send(done.structuredContent.files[0]?.link ?? '')).body);
    expect(document.getPage(0).getRotation().angle).to.equal(180);
    expect(document.getTitle()).to.equal('A');
  });

  it('are refused with pointers into their arguments', async () => {
    const fileId = await upload(client, await makePdf({ pages: 1 }));
    const wrong = await callTool(client, 'pipeline_turn_all', { fileInput: [fileId], angle: 45, titel: 'A' });
    expect(wrong.isError).to.equal(true);
    expect(wrong.structuredContent.error.errors.map(({ pointer }) => pointer)).to.deep.equal(['/titel']);
    expect(textOf(wrong)).to.include('did you mean title?');
    const odd = await callTool(client, 'pipeline_turn_all', { fileInput: [fileId], angle: 45, title: 'A' });
    expect(odd.structuredContent.error.errors.map(({ pointer }) => pointer)).to.deep.equal(['/angle']);
  });

  it('are found and run with the small profile', async () => {
    const small = await connect(server, { query: '?profile=small' });
    expect(textOf(await useTool(small, 'search_tools', { query: 'turn pages upright' }))).to.match(
      /^pipeline_turn_all: /,
    );
    const fileId = await upload(small, await makePdf({ pages: 1 }));
    const args = { fileInput: [fileId], title: 'B' };
    const done = await useTool(small, 'run_tool', { name: 'pipeline_turn_all', arguments: args });
    expect(done.structuredContent.status).to.equal('succeeded');
    await small.close();
  });

  it('are gone when they are deleted', async () => {
    expect(await names(client)).to.include('pipeline_turn_all');
    expect((await send(`${server.url}${API}/pipelines/turn-all`, { method: 'DELETE' })).status).to.equal(204);
    const later = await connect(server);
    expect(await names(later)).to.not.include('pipeline_turn_all');
    await later.close();
  });

  it('belong to their owners and those with whom they are shared', async () => {
    const closed = await startForAgentsWithLogin();
    try {
      const boss = await sessionOf(closed);
      const agents: Client[] = [];
      for (const name of ['ann', 'bob', 'cid']) {
        await addUser(closed, boss, name);
        const key = await keyOf(closed, await sessionOf(closed, name, `password of ${name}`));
        agents.push(await connect(closed, { headers: { 'x-api-key': key } }));
      }
      const ann = await sessionOf(closed, 'ann', 'password of ann');
      await sendJson(closed, `${API}/pipelines`, { ...turnAll, sharedWith: [{ kind: 'user', name: 'bob' }] }, ann);
      const seen = await Promise.all(agents.map(async (agent) => (await names(agent)).includes('pipeline_turn_all')));
      expect(seen).to.deep.equal([true, true, false]);
      for (const agent of agents) await agent.close();
    } finally {
      await closed.stop();
    }
  });
});
