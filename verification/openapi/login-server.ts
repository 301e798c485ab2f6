import { createTestServer, type QuireServer } from '@quire/core';
import type { Caller } from './fuzzer.js';

export interface LoginServer {
  readonly url: string;
  readonly server: QuireServer;
  readonly callers: readonly Caller[];
}

const administrator = { username: 'admin', password: 'the-password-of-the-administrator' };
const initial = 'the-first-password-of-the-user';
const chosen = 'the-second-password-of-the-user';

const ownKey = { revokeApiKey: 'revokes the key that the fuzzer calls with; the session calls it' };
const ownSession = {
  endSession: 'ends the session that the fuzzer calls with; a session of its own calls it',
  logout: 'ends the session that the fuzzer calls with; a session of its own calls it',
};

/**
 * Starts a server with login, and the features on that the login makes possible. Callers: keys of an ordinary user and
 * of an administrator, and sessions, because some calls take no key. The administrator comes last: it may change and
 * delete the others.
 */
export async function startWithLogin(): Promise<LoginServer> {
  const server = await createTestServer({
    settings: {
      system: { enableUrlToPDF: true },
      security: {
        enableLogin: true,
        initialLogin: administrator,
        // The fuzzer sends wrong keys and passwords all the time.
        loginAttemptCount: -1,
        throttle: { wrongKeys: 1_000_000, wrongPasswords: 1_000_000, wrongPasswordsPerAddress: 1_000_000 },
      },
      storage: { enabled: true, sharing: { enabled: true, linkEnabled: true } },
    },
  });
  const url = await server.start();
  const admin = await login(url, administrator.username, administrator.password);
  const session = async (username: string): Promise<string> => `Authorization: ${await newUser(url, admin, username)}`;
  const callers = [
    { name: 'user with a key', header: await keyOf(url, await newUser(url, admin, 'anna'), chosen), leftOut: ownKey },
    { name: 'user with a session', header: await session('bert'), leftOut: ownSession },
    { name: 'session to be ended', header: await session('carl'), only: Object.keys(ownSession) },
    { name: 'administrator with a key', header: await keyOf(url, admin, administrator.password), leftOut: ownKey },
  ];
  return { url, server, callers };
}

/** Whether the server still recognises the caller; otherwise its last calls were all refused with 401. */
export async function isRecognised(url: string, { header = '' }: Caller): Promise<boolean> {
  const [name = '', value = ''] = header.split(': ');
  return (await fetch(`${url}/api/v1/auth/me`, { headers: { [name]: value } })).status === 200;
}

/** Creates a user and changes the first password, as users have to. Returns the Authorization header of the session. */
async function newUser(url: string, admin: string, username: string): Promise<string> {
  const user = { username, password: initial, role: 'ROLE_USER', authType: 'web' };
  await post(url, 'user/admin/saveUser', new URLSearchParams(user), admin);
  const session = await login(url, username, initial);
  const passwords = { currentPassword: initial, newPassword: chosen, confirmPassword: chosen };
  await post(url, 'user/change-password-on-login', new URLSearchParams(passwords), session);
  return login(url, username, chosen);
}

async function login(url: string, username: string, password: string): Promise<string> {
  const { session } = await post<{ session: { access_token: string } }>(url, 'auth/login', { username, password });
  return `Bearer ${session.access_token}`;
}

async function keyOf(url: string, session: string, password: string): Promise<string> {
  const path = 'proprietary/ui-data/infrastructure/api-keys';
  const { secret } = await post<{ secret: string }>(url, path, { name: 'fuzzer', password }, session);
  return `X-API-KEY: ${secret}`;
}

/** Sends a form or JSON and returns the JSON answer; throws what the server answers instead. */
async function post<Answer>(url: string, path: string, body: object, authorization = ''): Promise<Answer> {
  const isForm = body instanceof URLSearchParams;
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: {
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...(authorization === '' ? {} : { authorization }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Answer;
}
