import { effect, signal } from '@preact/signals';

/** The account, as `auth/login` and `auth/me` return it. */
export interface User {
  readonly id: number;
  readonly username: string;
  /** The person's name; null: there is only the user name. */
  readonly displayName: string | null;
  /** Null: there is no picture. */
  readonly pictureVersion: string | null;
  readonly email: string;
  readonly role: string;
  /** `web`: the account has a password here. */
  readonly authenticationType: string;
  readonly team?: { readonly id: number; readonly name: string };
  readonly user_metadata: { readonly firstLogin: boolean };
}

/** How calls are authenticated. */
export type Credentials =
  | { readonly kind: 'session'; readonly token: string; readonly expiresAt: number }
  | { readonly kind: 'key'; readonly key: string };

const STORED = 'quire.session';

/** Undefined while nobody is logged in, or login is off. Shared by all tabs. */
export const credentials = signal<Credentials | undefined>(readStored());

/** Undefined until it is known who is logged in. */
export const user = signal<User | undefined>(undefined);

effect(() => {
  const current = credentials.value;
  if (current === undefined) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, JSON.stringify(current));
});
addEventListener('storage', ({ key }) => {
  if (key === STORED) credentials.value = readStored();
});

export function authHeaders(): Record<string, string> {
  const current = credentials.value;
  if (current === undefined) return {};
  return current.kind === 'key' ? { 'X-API-KEY': current.key } : { Authorization: `Bearer ${current.token}` };
}

/** Keeps the session of an answer of `auth/login` or `auth/refresh`. */
export function keepSession(answer: SessionAnswer): void {
  const { access_token: token, expires_in: seconds } = answer.session;
  credentials.value = { kind: 'session', token, expiresAt: Date.now() + seconds * 1000 };
  user.value = answer.user;
}

/** Keeps a session token that came without an answer, from a login provider (RFC 7519, 4.1.4, `exp`). */
export function keepToken(token: string): void {
  const payload = token.split('.')[1] ?? '';
  const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp: number };
  credentials.value = { kind: 'session', token, expiresAt: exp * 1000 };
}

export interface SessionAnswer {
  readonly user: User;
  readonly session: { readonly access_token: string; readonly expires_in: number };
}

export function forgetSession(): void {
  credentials.value = undefined;
  user.value = undefined;
}

function readStored(): Credentials | undefined {
  try {
    return (JSON.parse(localStorage.getItem(STORED) ?? 'null') as Credentials | null) ?? undefined;
  } catch {
    return undefined;
  }
}
