import { expect } from 'chai';
import type { Client } from '@modelcontextprotocol/client';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { addUser, keyOf, sendJson, sessionOf } from '../support/login.js';
import {
  callTool,
  connect,
  refusedBy,
  rpc,
  startForAgents,
  startForAgentsWithLogin,
  textOf,
  upload,
  useTool,
} from '../support/agent.js';
import { json, send } from '../support/client.js';
import { until, type TestServer } from '../support/server.js';

const namesOf = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
/** Jobs that are neither complete nor waiting. */
const running = async ({ url }: TestServer): Promise<number> => {
  const { jobs } = json<{ jobs: { status: string }[] }>(await send(`${url}/api/v1/general/jobs`));
  return jobs.filter(({ status }) => status === 'running').length;
};
const ownTools = ['create_upload', 'read_text', 'view_pages', 'get_job', 'cancel_job'];

describe('The tools of agents', () => {
  it('are three in the small profile, which find, describe and run the others', async () => {
    const server = await startForAgents();
    try {
      const client = await connect(server, { query: '?profile=small' });
      expect(await namesOf(client)).to.deep.equal(['search_tools', 'describe_tool', 'run_tool', ...ownTools]);
      const found = await useTool(client, 'search_tools', { query: 'turn the pages of my pdf', limit: 3 });
      expect((found.structuredContent['tools'] as { name: string }[])[0]?.name).to.equal('rotate_pdf');
      const described = await useTool(client, 'describe_tool', { name: 'rotate_pdf' });
      expect(described.structuredContent['inputSchema']).to.deep.include({ required: ['fileInput'] });
      const fileInput = await upload(client, await makePdf({ pages: 1 }));
      const run = (args: object) => ({ name: 'rotate_pdf', arguments: args });
      const { files } = (await useTool(client, 'run_tool', run({ fileInput, angle: 90 }))).structuredContent;
      expect(files).to.have.length(1);
      expect(await refusedBy(client, 'run_tool', run({ fileInput, angle: 1.5 }), 'INPUT_INVALID')).to.deep.equal([
        '/arguments/angle',
      ]);
      expect(await refusedBy(client, 'run_tool', { name: 'rotate' }, 'INPUT_INVALID')).to.deep.equal(['/name']);
      expect(await refusedBy(client, 'run_tool', { name: 'run_tool' }, 'INPUT_INVALID')).to.deep.equal(['/name']);
      await client.close();
    } finally {
      await server.stop();
    }
  });

  it('are those that the operator allows and has not turned off', async () => {
    const server = await startForAgents(
      {
        allowedOperations: ['rotate-pdf', 'general/merge-pdfs', 'extractBookmarks', 'flatten_pdf', 'page-count'],
        blockedOperations: ['merge-pdfs'],
      },
      { endpoints: { toRemove: ['flatten'] } },
    );
    try {
      const client = await connect(server);
      const tools = ['extract_bookmarks', 'rotate_pdf'];
      expect((await namesOf(client)).filter((name) => !name.startsWith('filter'))).to.deep.equal([
        ...ownTools,
        ...tools,
      ]);
      const refused = json<{ error: { code: number } }>(
        await rpc(server, {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'merge_pdfs', arguments: {} },
        }),
      );
      expect(refused.error.code).to.equal(-32602);
      await client.close();
    } finally {
      await server.stop();
    }
  });

  it('are those that the API key may call', async () => {
    const server = await startForAgentsWithLogin();
    try {
      const boss = await sessionOf(server);
      const { username, password } = await addUser(server, boss, 'ada');
      const session = await sessionOf(server, username, password);
      const toolsWith = async (limits: object): Promise<string[]> => {
        const answer = await sendJson(
          server,
          '/api/v1/proprietary/ui-data/infrastructure/api-keys',
          { name: 'limited', ...limits },
          session,
        );
        const client = await connect(server, { headers: { 'x-api-key': json<{ secret: string }>(answer).secret } });
        return namesOf(client).finally(() => client.close());
      };
      const all = await toolsWith({});
      expect(all).to.include.members(['rotate_pdf', 'flatten_pdf']).and.not.include('unruly_admin');
      const some = await toolsWith({ categories: ['general'] });
      expect(some).to.include('rotate_pdf').and.not.include('flatten_pdf');
      expect(await toolsWith({ readOnly: true })).to.deep.equal(['read_text', 'view_pages', 'get_job']);
      const boot = await connect(server, { headers: { 'x-api-key': await keyOf(server, boss) } });
      expect(await namesOf(boot)).to.include('unruly_admin');
      await boot.close();
    } finally {
      await server.stop();
    }
  });
});

describe('The allowance of agents', () => {
  it('is that of calls by HTTP: work that succeeds is charged, and refused when nothing is left', async () => {
    const server = await startForAgentsWithLogin({}, { licence: { allowance: 1 } });
    try {
      const headers = { 'x-api-key': await keyOf(server, await sessionOf(server)) };
      const client = await connect(server, { headers });
      const fileInput = await upload(client, await makePdf({ pages: 1 }));
      expect((await callTool(client, 'rotate_pdf', { fileInput, angle: 'left' })).isError).to.equal(true);
      await useTool(client, 'rotate_pdf', { fileInput, angle: 90 });
      const refused = await callTool(client, 'rotate_pdf', { fileInput, angle: 90 });
      expect(refused.structuredContent.error.code).to.equal('ACCOUNT_LINK_REQUIRED');
      await client.close();
    } finally {
      await server.stop();
    }
  });
});

describe('A server that stops', () => {
  it('ends the streams of agents that wait for changes', async () => {
    const server = await startForAgents({}, { server: { port: 0, host: '127.0.0.1', shutdownSeconds: 600 } });
    const client = await connect(server);
    const listening = await client.listen({ toolsListChanged: true });
    await server.stop();
    await listening.close().catch(() => undefined);
    await client.close();
  });
});

describe('The work of agents', () => {
  let server: TestServer;
  let client: Client;
  let fileInput: string;

  before(async () => {
    server = await startForAgents({}, { jobs: { maxWaitSeconds: 1 } });
    client = await connect(server);
    fileInput = await upload(client, await makePdf({ pages: 1 }));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  it('becomes a job that another call waits for when it takes too long', async () => {
    const begun = await useTool(client, 'unruly_slow', { fileInput, ms: 1800 });
    expect(begun.structuredContent).to.include.keys('jobId', 'status', 'progress').and.not.include.keys('files');
    const { jobId } = begun.structuredContent;
    await until('the job is done', async () => {
      const { structuredContent } = await useTool(client, 'get_job', { jobId });
      return structuredContent.status === 'succeeded' && structuredContent.files.length === 1;
    });
  });

  it('reports its progress to clients that ask for it', async () => {
    const seen: number[] = [];
    await client.callTool(
      { name: 'unruly_slow', arguments: { fileInput, ms: 800 } },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect(seen.length).to.be.greaterThan(0);
    expect([...seen].sort((a, b) => a - b)).to.deep.equal(seen);
  });

  it('ends when the client goes away', async () => {
    const mark = join(mkdtempSync(join(tmpdir(), 'quire-mark-')), 'begun');
    const leave = new AbortController();
    const slow = client
      .callTool({ name: 'unruly_slow', arguments: { fileInput, ms: 900_000, mark } }, { signal: leave.signal })
      .catch(() => undefined);
    await until('the work has begun', () => existsSync(mark));
    leave.abort();
    await slow;
    await until('no job runs', async () => {
      const answer = await rpc(server, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
      expect(answer.status).to.equal(200);
      return (await running(server)) === 0;
    });
  });

  it('fails with the error of the operation', async () => {
    const broken = await upload(client, Buffer.from('%PDF-1.7 broken'));
    const failed = await callTool(client, 'rotate_pdf', { fileInput: broken, angle: 90 });
    expect(failed.isError).to.equal(true);
    expect(failed.structuredContent.error.code).to.match(/^PDF_/);
    const text = await upload(client, Buffer.from('text'), 'a.txt');
    const pointers = await refusedBy(client, 'rotate_pdf', { fileInput: text, angle: 90 }, 'INPUT_KIND');
    expect(pointers).to.deep.equal(['/fileInput']);
    expect(textOf(await callTool(client, 'unruly_crash', { fileInput }))).to.not.match(/\/core\/|node_modules/);
  });

  it('takes second files by their ids', async () => {
    const stampFile = await upload(client, Buffer.from('stamp'), 'stamp.txt');
    const args = { fileInput, stampFile, stamp: true, list: ['a', 'b'], count: 3 };
    const { jobId } = (await useTool(client, 'unruly_echo', args)).structuredContent;
    let result: unknown;
    await until('the job is done', async () => {
      result = (await useTool(client, 'get_job', { jobId })).structuredContent['result'];
      return result !== undefined;
    });
    expect(result).to.include({ count: 3, stamp: true, name: 'document.pdf' });
    expect(await refusedBy(client, 'unruly_echo', { fileInput, stamp: true }, 'INPUT_INVALID')).to.deep.equal([
      '/stampFile',
    ]);
  });
});
