import type { ApiConfig, JsonValue } from './connection-types.js';

/**
 * The body of a login: `{{username}}` and `{{password}}` in it are those of the connection, escaped for where they
 * stand; without a body of its own it is JSON of both.
 */
export function loginBody({
  loginBody: body,
  username = '',
  password = '',
}: Pick<ApiConfig, 'loginBody' | 'username' | 'password'>): { readonly body: string; readonly contentType: string } {
  const json = { contentType: 'application/json' } as const;
  if (body === undefined) return { ...json, body: JSON.stringify({ username, password }) };
  if (typeof body !== 'string') return { ...json, body: JSON.stringify(filled(body, username, password)) };
  if (/^\s*[{[]/.test(body))
    return { ...json, body: replaced(body, username, password, (text) => JSON.stringify(text).slice(1, -1)) };
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: replaced(body, username, password, encodeURIComponent),
  };
}

function filled(value: JsonValue | undefined, username: string, password: string): JsonValue {
  if (typeof value === 'string') return replaced(value, username, password, (text) => text);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one) => filled(one, username, password));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, username, password)]));
  return value ?? null;
}

function replaced(text: string, username: string, password: string, encode: (text: string) => string): string {
  return text.replace(/\{\{\s*(username|password)\s*\}\}/g, (_whole, name: string) =>
    encode(name === 'username' ? username : password),
  );
}
