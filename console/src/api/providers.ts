import { root } from './address.ts';
import { callJson } from './call.ts';
import { config } from './config.ts';

const BACK = 'quire.login.back';

/** Leaves the page for a login provider, which sends the browser to `auth/callback`. */
export function logInAt(provider: string): void {
  const path = config.value?.loginProviders.find(({ id }) => id === provider)?.path;
  if (path === undefined) return;
  sessionStorage.setItem(BACK, location.href);
  location.assign(new URL(path.replace(/^\//, ''), root));
}

/** Leaves the page for a provider that shall be linked to the account. */
export async function linkProvider(provider: string): Promise<void> {
  const { url } = await callJson<{ url: string }>(`auth/identities/${encodeURIComponent(provider)}/link`, { body: {} });
  location.assign(new URL(url, root));
}

/** Where the login began, below the start page; the start page when it was the page of the login. */
export function takeLoginBack(): string {
  const back = sessionStorage.getItem(BACK);
  sessionStorage.removeItem(BACK);
  if (back === null || !back.startsWith(root.href)) return './';
  const path = back.slice(root.href.length);
  return path === '' || /^(login|auth)\b/.test(path) ? './' : path;
}
