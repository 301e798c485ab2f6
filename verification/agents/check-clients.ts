// npm run check:agent-clients
// Uses the tools of a server with login as assistants do: by the official SDKs for TypeScript and Python, of this year
// and of the year before, and through mcp-remote, which Claude Desktop and other programs start to reach a server by
// HTTP. Each lists the tools, uploads a PDF, rotates it and fetches the result. Installs the clients in .cache/agents,
// from npm and PyPI. The last line is "N passed, N failed".
import { execFile, execFileSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createTestServer } from '@quire/core';

/** The part that clients of all versions of the SDK share. */
interface Agent {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

interface Connected {
  readonly agent: Agent;
  /** Revision of the protocol that was agreed on. */
  readonly spoken: string | undefined;
}

/** Version 1 of the SDK for TypeScript. */
interface OldSdk {
  readonly Client: new (info: object) => Agent & { connect(transport: object): Promise<void> };
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => { readonly protocolVersion?: string };
}

const MODERN = '2026-07-28';
const KEY = 'the-key-of-this-check-0123456789';
const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.cache', 'agents');
const pdf = join(root, 'plugins', 'general', 'fixtures', 'two-pages.pdf');
const info = { name: 'quire-check', version: '1.0.0' };
const requestInit = { headers: { 'X-API-KEY': KEY } };

execFileSync('sh', [join(import.meta.dirname, 'install-clients.sh'), cache], { stdio: ['ignore', 2, 2] });
const server = await createTestServer({
  settings: {
    security: { enableLogin: true, customGlobalAPIKey: KEY },
    mcp: { enabled: true, auth: { mode: 'apikey' } },
  },
});
const url = `${await server.start()}/mcp`;
let passed = 0;
let failed = 0;
try {
  await check('SDK for TypeScript 2', MODERN, () => byNewSdk(MODERN));
  for (const revision of ['2025-11-25', '2025-06-18']) {
    await check('SDK for TypeScript 2', revision, () => byNewSdk(revision));
    await check('SDK for TypeScript 1', revision, () => byOldSdk(revision));
    await check('mcp-remote', revision, () => byMcpRemote(revision, 'legacy'));
  }
  await check('mcp-remote --protocol auto', '2025-11-25', () => byMcpRemote('2025-11-25', 'auto'));
  for (const [version, revision] of [
    ['2.3.0', MODERN],
    ['2.3.0', '2025-11-25'],
    ['1.22.0', '2025-06-18'],
  ] as const)
    await report(`SDK for Python ${version}`, revision, () => byPython(version, revision));
} finally {
  await server.stop();
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Connects, uses the tools and disconnects. */
function check(name: string, revision: string, connect: () => Promise<Connected>): Promise<void> {
  return report(name, revision, async () => {
    const { agent, spoken } = await connect();
    try {
      await useTools(agent);
      return spoken;
    } finally {
      await agent.close();
    }
  });
}

/** Prints whether `run` succeeds and returns the revision that was to be spoken. */
async function report(name: string, revision: string, run: () => Promise<string | undefined>): Promise<void> {
  const fault = await run().then(
    (spoken) => (spoken === revision ? undefined : `it speaks ${spoken}`),
    (error: unknown) => String(error),
  );
  if (fault === undefined) passed += 1;
  else failed += 1;
  process.stdout.write(
    `${fault === undefined ? 'passed' : 'FAILED'}: ${name}, ${revision}${fault ? `: ${fault}` : ''}\n`,
  );
}

async function useTools(agent: Agent): Promise<void> {
  const { tools } = await agent.listTools();
  if (!tools.some(({ name }) => name === 'rotate_pdf')) throw new Error('rotate_pdf is not among the tools');
  const { fileId, uploadUrl } = await call<{ fileId: string; uploadUrl: string }>(agent, 'create_upload', {});
  const form = new FormData();
  form.append('file', await openAsBlob(pdf), 'two-pages.pdf');
  const upload = await fetch(uploadUrl, { method: 'POST', body: form });
  if (!upload.ok) throw new Error(`the upload was answered ${upload.status}`);
  const { files } = await call<{ files: { link: string }[] }>(agent, 'rotate_pdf', { fileInput: fileId, angle: 90 });
  const result = await (await fetch(files[0]?.link ?? '')).text();
  if (!result.includes('/Rotate 90')) throw new Error('the result is not rotated');
}

/** Returns the structured result of a tool that must succeed. */
async function call<T>(agent: Agent, name: string, args: Record<string, unknown>): Promise<T> {
  const result = (await agent.callTool({ name, arguments: args })) as {
    readonly isError?: boolean;
    readonly content: unknown;
    readonly structuredContent: T;
  };
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

function newClient(revision: string): Client {
  return new Client(
    info,
    revision === MODERN
      ? { versionNegotiation: { mode: { pin: MODERN } } }
      : { supportedProtocolVersions: [revision], versionNegotiation: { mode: 'legacy' } },
  );
}

async function byNewSdk(revision: string): Promise<Connected> {
  const agent = newClient(revision);
  await agent.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return { agent, spoken: agent.getNegotiatedProtocolVersion() };
}

async function byOldSdk(revision: string): Promise<Connected> {
  const load = async (file: string): Promise<object> =>
    import(pathToFileURL(join(cache, 'node_modules', `sdk-${revision}`, 'dist', 'esm', 'client', file)).href);
  const sdk = { ...(await load('index.js')), ...(await load('streamableHttp.js')) } as OldSdk;
  const agent = new sdk.Client(info);
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit });
  await agent.connect(transport);
  return { agent, spoken: transport.protocolVersion };
}

/** The configuration is that of docs/guides/agents.md. */
async function byMcpRemote(revision: string, protocol: string): Promise<Connected> {
  const agent = newClient(revision);
  const proxy = join(cache, 'node_modules', 'mcp-remote', 'dist', 'proxy.js');
  await agent.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [proxy, url, '--header', 'X-API-KEY:${QUIRE_KEY}', '--protocol', protocol],
      env: { QUIRE_KEY: KEY, PATH: process.env['PATH'] ?? '', MCP_REMOTE_CONFIG_DIR: join(cache, 'mcp-remote') },
      stderr: 'ignore',
    }),
  );
  return { agent, spoken: agent.getNegotiatedProtocolVersion() };
}

async function byPython(version: string, revision: string): Promise<string> {
  const python = join(cache, `python-${version}`, 'bin', 'python');
  const script = join(import.meta.dirname, 'python_client.py');
  const { stdout } = await promisify(execFile)(python, [script, url, revision, pdf], {
    env: { ...process.env, QUIRE_KEY: KEY },
  });
  return stdout.trim();
}
