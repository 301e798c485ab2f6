import { expect } from 'chai';
import { json, send, type Answer } from './client.js';
import { addUser, sendJson, sessionOf, type Reachable } from './login.js';

export type Headers = Readonly<Record<string, string>>;

/** Rights to everything that users have, and no administration. */
export const userRights = {
  categories: null as string[] | null,
  storage: 'use',
  automations: true,
  apiKeys: true,
  areas: [] as string[],
};

/** Makes a role, as an administrator; returns the answer. */
export function addRole(server: Reachable, boss: Headers, name: string, rights: object): Promise<Answer> {
  return sendJson(server, '/api/v1/admin/roles', { name, title: `Title of ${name}`, rights }, boss);
}

/** Makes a role and a user with it; returns the headers of a session of the user. */
export async function userWithRole(
  server: Reachable,
  boss: Headers,
  role: string,
  rights: object,
): Promise<{ readonly name: string; readonly session: Headers }> {
  const answer = await addRole(server, boss, role, rights);
  expect(answer.status, answer.body.toString()).to.equal(201);
  const { username, password } = await addUser(server, boss, role.toLowerCase().replaceAll('_', '.'), role);
  return { name: username, session: await sessionOf(server, username, password) };
}

/** The id of the account of these headers. */
export async function idOf(server: Reachable, headers: Headers): Promise<number> {
  const answer = await send(`${server.url}/api/v1/auth/me`, { headers });
  return json<{ user: { id: number } }>(answer).user.id;
}
