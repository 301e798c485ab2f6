import { signal } from '@preact/signals';
import { apiAddress } from './address.ts';
import { asProblem, problemOf, type Problem } from './problem.ts';
import {
  authHeaders,
  credentials,
  forgetSession,
  keepSession,
  user,
  type SessionAnswer,
  type User,
} from './session.ts';

/** Somebody has to log in: the login dialog is open, and calls wait for its end. */
export const loginWanted = signal<{ readonly expired: boolean } | undefined>(undefined);

let waiting: { readonly promise: Promise<boolean>; readonly end: (loggedIn: boolean) => void } | undefined;

/**
 * Opens the login dialog. Resolves to true once somebody has logged in, to false when the dialog was closed. `expired`:
 * the server no longer accepts the session, which the dialog says.
 */
export function askLogin(expired = credentials.value !== undefined): Promise<boolean> {
  if (waiting === undefined) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting = { promise, end: resolve };
    loginWanted.value = { expired };
  }
  return waiting.promise;
}

/** Ends the login dialog. */
export function endLogin(loggedIn: boolean): void {
  loginWanted.value = undefined;
  waiting?.end(loggedIn);
  waiting = undefined;
}

let typedPassword: string | undefined;

/** The password of the login that is under way: a password that has to be replaced at once is not asked for again. */
export function passwordOfLogin(): string | undefined {
  return typedPassword;
}

export function forgetPasswordOfLogin(): void {
  typedPassword = undefined;
}

/** Logs in. Rejects with a problem: MFA_CODE_REQUIRED when a code of the second factor is needed. */
export async function logIn(name: string, password: string, mfaCode: string): Promise<void> {
  keepSession((await post('auth/login', { username: name, password, mfaCode })) as SessionAnswer);
  typedPassword = password;
}

/** Uses an API key instead of a session; the server checks it with a call of its own. */
export async function useKey(key: string): Promise<void> {
  const response = await fetch(apiAddress('auth/me'), { headers: { 'X-API-KEY': key } });
  if (!response.ok) throw await rejected(response);
  credentials.value = { kind: 'key', key };
  user.value = ((await response.json()) as { user: User }).user;
}

/** Finds out who is logged in, after the page was loaded again. */
export async function loadUser(): Promise<void> {
  if (credentials.value === undefined) return;
  const response = await fetch(apiAddress('auth/me'), { headers: authHeaders() });
  if (response.ok) user.value = ((await response.json()) as { user: User }).user;
}

/** Ends the session. Resolves to the address that ends the one at the login provider; undefined if there is none. */
export async function logOut(): Promise<string | undefined> {
  const ended =
    credentials.value?.kind === 'session'
      ? ((await post('auth/logout').catch(() => undefined)) as { readonly logoutUrl?: string } | undefined)
      : undefined;
  forgetSession();
  // Drafts and jobs of this tab belong to the account.
  sessionStorage.clear();
  return ended?.logoutUrl;
}

/** A token that ends sooner is renewed before an upload, which would otherwise be sent twice. */
const SOON_MS = 120_000;

/** Renews the token before a long call. */
export async function freshenSession(): Promise<void> {
  const current = credentials.value;
  if (current?.kind === 'session' && current.expiresAt - Date.now() < SOON_MS) await refreshSession();
}

let refreshing: Promise<boolean> | undefined;

/** Gets a new token for an expired one. False when the session is over. All callers share one attempt. */
export function refreshSession(): Promise<boolean> {
  if (credentials.value?.kind !== 'session') return Promise.resolve(false);
  return (refreshing ??= renew().finally(() => (refreshing = undefined)));
}

async function renew(): Promise<boolean> {
  // Another tab may have a newer token already: tabs take turns.
  const before = credentials.value;
  const attempt = async (): Promise<boolean> => {
    if (credentials.value !== before) return credentials.value !== undefined;
    try {
      keepSession((await post('auth/refresh')) as SessionAnswer);
      return true;
    } catch {
      return false;
    }
  };
  return 'locks' in navigator ? navigator.locks.request('quire.refresh', attempt) : attempt();
}

async function post(path: string, body: object = {}): Promise<unknown> {
  try {
    const response = await fetch(apiAddress(path), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...authHeaders() },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await rejected(response);
    return await response.json();
  } catch (error) {
    throw asProblem(error);
  }
}

async function rejected(response: Response): Promise<Problem> {
  return problemOf(response.status, await response.text(), (name) => response.headers.get(name));
}
