import { expect } from 'chai';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { file, json, post, type Answer } from './client.js';
import { sendJson, startWithLogin, type Reachable } from './login.js';
import { startServer, type TestServer } from './server.js';

type Headers = Readonly<Record<string, string>>;

/** Specifications of the protocol that the server speaks. */
export const modern = '2026-07-28';
export const legacy = ['2025-11-25', '2025-06-18'] as const;

/** Starts a server without login, with agents. */
export function startForAgents(mcp: Readonly<Record<string, unknown>> = {}, more: object = {}): Promise<TestServer> {
  return startServer({ mcp: { enabled: true, auth: { mode: 'apikey' }, ...mcp }, ...more });
}

/** Starts a server with login, with agents. */
export function startForAgentsWithLogin(mcp: Readonly<Record<string, unknown>> = {}, more: object = {}) {
  return startWithLogin({}, { mcp: { enabled: true, auth: { mode: 'apikey' }, ...mcp }, ...more });
}

/** Connects the official client. `version`: 2026-07-28, or an older one, which is negotiated by `initialize`. */
export async function connect(
  { url }: Reachable,
  { headers = {}, query = '', version = modern }: { headers?: Headers; query?: string; version?: string } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'quire-tests', version: '1.0.0' },
    version === modern
      ? { versionNegotiation: { mode: { pin: modern } } }
      : { supportedProtocolVersions: [version], versionNegotiation: { mode: 'legacy' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers } }));
  return client;
}

/** The result of a tool, as these tests read it. */
export interface Result {
  readonly isError?: boolean;
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly data?: string;
    readonly mimeType?: string;
  }[];
  readonly structuredContent: Record<string, unknown> & {
    readonly jobId: string;
    readonly fileId: string;
    readonly uploadUrl: string;
    readonly status: string;
    readonly files: readonly {
      readonly fileId: string;
      readonly name: string;
      readonly size: number;
      readonly link: string;
    }[];
    readonly error: {
      readonly code: string;
      readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
    };
  };
}

/** Calls a tool. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  return (await client.callTool({ name, arguments: args })) as unknown as Result;
}

/** Calls a tool that must succeed. */
export async function useTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const result = await callTool(client, name, args);
  expect(result.isError, textOf(result)).to.not.equal(true);
  return result;
}

/** Calls a tool that must fail, and returns the pointers of the faults. */
export async function refusedBy(client: Client, name: string, args: Record<string, unknown>, code: string) {
  const result = await callTool(client, name, args);
  expect(result.isError, textOf(result)).to.equal(true);
  expect(result.structuredContent.error.code).to.equal(code);
  return result.structuredContent.error.errors.map(({ pointer }) => pointer);
}

/** The text of a result. */
export function textOf({ content }: Result): string {
  return content.map(({ text = '' }) => text).join('\n');
}

/** Uploads a file to a one-time address, and returns its id. */
export async function upload(client: Client, bytes: Uint8Array, name = 'document.pdf'): Promise<string> {
  const { fileId, uploadUrl } = (await useTool(client, 'create_upload')).structuredContent;
  const answer = await post(uploadUrl, [file(bytes, name, 'file')]);
  expect(answer.status, answer.body.toString()).to.equal(200);
  expect(json(answer)).to.deep.equal({ fileId, name, size: bytes.length });
  return fileId;
}

/** Sends one message as plain JSON-RPC, as clients of the older specifications do. */
export function rpc(server: Reachable, message: unknown, headers: Headers = {}, query = ''): Promise<Answer> {
  return sendJson(server, `/mcp${query}`, message, { accept: 'application/json', ...headers });
}
