import { expect } from 'chai';
import type { TestServerOptions } from '@quire/core';
import { json, send, type Answer } from './client.js';
import { startServer, type TestServer } from './server.js';

export const bossName = 'boss';
export const bossPassword = 'the-password-of-the-boss';
export const globalKey = 'the-one-key-of-this-test-0123456789';

/** Starts a server with login, an administrator and the global key; `security` adds settings. */
export async function startWithLogin(
  security: Readonly<Record<string, unknown>> = {},
  more: TestServerOptions['settings'] = {},
  basePath?: string,
): Promise<TestServer> {
  return startServer(
    {
      security: {
        enableLogin: true,
        customGlobalAPIKey: globalKey,
        initialLogin: { username: bossName, password: bossPassword },
        ...security,
      },
      ...more,
    },
    basePath,
  );
}

/** The part of a server that calls need. */
export type Reachable = Pick<TestServer, 'url'>;

/** Sends a JSON body. */
export function sendJson(
  server: Reachable,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Answer> {
  return send(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Logs in and returns the headers that carry the session. */
export async function sessionOf(
  server: Reachable,
  username = bossName,
  password = bossPassword,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly authorization: string }> {
  const answer = await sendJson(server, '/api/v1/auth/login', { username, password }, headers);
  expect(answer.status, answer.body.toString()).to.equal(200);
  return { authorization: `Bearer ${json<{ session: { access_token: string } }>(answer).session.access_token}` };
}

/** Logs in with a password that must be changed, changes it, and returns the headers that carry the session. */
export async function firstSessionOf(
  server: Reachable,
  username: string,
  given: string,
  chosen: string,
): Promise<{ readonly authorization: string }> {
  const session = await sessionOf(server, username, given);
  const answer = await sendFields(
    server,
    '/api/v1/user/change-password-on-login',
    { currentPassword: given, newPassword: chosen, confirmPassword: chosen },
    session,
  );
  expect(answer.status, answer.body.toString()).to.equal(200);
  return session;
}

/** The first API key of the caller that these headers authenticate. */
export async function keyOf(server: Reachable, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await send(`${server.url}/api/v1/user/get-api-key`, { method: 'POST', headers });
  expect(answer.status, answer.body.toString()).to.equal(200);
  return json<{ apiKey: string }>(answer).apiKey;
}

/** Posts form fields, as the administration calls of the contract expect them. */
export function sendFields(
  server: Reachable,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return send(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

/** Creates a user, as an administrator. */
export async function addUser(
  server: Reachable,
  boss: Readonly<Record<string, string>>,
  username: string,
  role = 'ROLE_USER',
  password = `password of ${username}`,
): Promise<{ readonly username: string; readonly password: string }> {
  const answer = await sendFields(
    server,
    '/api/v1/user/admin/saveUser',
    { username, password, role, authType: 'web' },
    boss,
  );
  expect(answer.status, answer.body.toString()).to.be.within(200, 201);
  return { username, password };
}

/** Enables or disables a user, as an administrator. */
export async function setEnabled(
  server: Reachable,
  boss: Readonly<Record<string, string>>,
  username: string,
  enabled: boolean,
): Promise<void> {
  const answer = await sendFields(
    server,
    `/api/v1/user/admin/changeUserEnabled/${username}`,
    { enabled: String(enabled) },
    boss,
  );
  expect(answer.status, answer.body.toString()).to.equal(200);
}
