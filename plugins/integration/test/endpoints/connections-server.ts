import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { json, send, type Answer } from '../../../../test/http/support/client.js';
import { sendJson } from '../../../../test/http/support/login.js';

export type Server = Awaited<ReturnType<typeof createTestServer>>;
export interface Connection {
  readonly id: number;
  readonly name: string;
  readonly scope: string;
  readonly ownerUserId: number | null;
  readonly ownerTeamId: number | null;
  readonly enabled: boolean;
  readonly locked: boolean;
  readonly canManage: boolean;
  readonly config: Record<string, unknown>;
  readonly createdAt: string;
}
export type Headers = Readonly<Record<string, string>>;

export const ALL = '/api/v1/integrations';
const plugins = ['@quire/plugin-integration'];
export const TENANT = '11111111-2222-3333-4444-555555555555';
export const api = (config: object = {}, more: object = {}) => ({
  integrationType: 'API',
  name: 'Archive',
  config: { baseUrl: 'https://archive.example.com/api/', authType: 'BEARER', token: 'very-secret-token', ...config },
  ...more,
});

export async function start(settings: object = {}): Promise<Server> {
  const server = await createTestServer({ plugins, settings: settings as Record<string, unknown> });
  await server.start();
  return server;
}

export const make = (server: Server, body: unknown, headers: Headers = {}): Promise<Answer> =>
  sendJson(server, ALL, body, headers);
export const change = (server: Server, id: number | string, body: unknown, headers: Headers = {}): Promise<Answer> =>
  sendJson(server, `${ALL}/${id}`, body, headers, 'PUT');
export const get = (server: Server, place: string, headers: Headers = {}): Promise<Answer> =>
  send(`${server.url}${ALL}${place}`, { headers });
export const remove = (server: Server, id: number | string, headers: Headers = {}): Promise<Answer> =>
  send(`${server.url}${ALL}/${id}`, { method: 'DELETE', headers });
export async function made(server: Server, body: unknown, headers: Headers = {}): Promise<Connection> {
  const answer = await make(server, body, headers);
  expect(answer.status, answer.body.toString()).to.equal(200);
  return json<Connection>(answer);
}
