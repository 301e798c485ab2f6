import type { Server } from '@hapi/hapi';
import type {} from '../../../core/http/hapi-state.js';
import type { Access } from '@quire/registry';
import { expect } from 'chai';
import type { TestServer } from './server.js';

/** A route of the running server with the access that its declaration grants; undefined when it declares none. */
export interface Route {
  readonly method: string;
  readonly url: string;
  readonly access: Access | undefined;
  /** False for a route whose declaration says nothing at all. */
  readonly declared: boolean;
  /** Pattern of the route. */
  readonly path: string;
  /** A GET that changes data. */
  readonly changes: boolean;
}

const refusals: readonly string[] = [
  'KEY_INVALID',
  'TOKEN_INVALID',
  'ACCOUNT_DISABLED',
  'PASSWORD_CHANGE_REQUIRED',
  'MFA_SETUP_REQUIRED',
  'ADMIN_ONLY',
  'RIGHTS_MISSING',
  'SESSION_REQUIRED',
  'BUILT_IN_REFUSED',
  'LOGIN_REQUIRED',
  'TOO_MANY_ATTEMPTS',
];

/**
 * Every route of the server, from its own routing table. A first request loads the documentation routes; those of
 * operations and endpoints are made when they may be needed.
 */
export async function routesOf(server: TestServer): Promise<{ hapi: Server; routes: Route[] }> {
  await server.inject('/v1/api-docs');
  const hapi = (await server.inject('/livez')).request.server;
  for (const { path } of hapi.app.routes?.declared() ?? []) hapi.app.routes?.ready(path);
  const routes = hapi.table().map(({ method, path, settings: { plugins } }) => ({
    method: method.toUpperCase(),
    path,
    url: path.replace(/\{[^}]+\}/g, 'x'),
    changes: (plugins as { quire?: { changes?: boolean } } | undefined)?.quire?.changes === true,
    declared: path === '/v1/api-docs' || (plugins as { quire?: object } | undefined)?.quire !== undefined,
    // The route of the API document comes from the generator, so the server opens it by its path.
    access:
      path === '/v1/api-docs'
        ? { role: 'public' as const }
        : (plugins as { quire?: { access?: Access } } | undefined)?.quire?.access,
  }));
  return { hapi, routes };
}

/**
 * Sends each request from its own address and reports the result of authentication: its code, or `passed`. No handler
 * runs.
 */
export function guardOf(
  server: TestServer,
  hapi: Server,
): (
  route: Pick<Route, 'method' | 'url'>,
  caller: { readonly headers: Readonly<Record<string, string>>; readonly query?: string },
) => Promise<{ verdict: string; body: Record<string, unknown> }> {
  hapi.ext('onPreAuth', (_, h) => h.response().code(299).takeover());
  let address = 0;
  return async ({ method, url }, { headers, query = '' }) => {
    address += 1;
    const { statusCode, payload } = await server.inject({
      method,
      url: `${url}${query}`,
      headers,
      remoteAddress: `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`,
    });
    const body = payload === '' ? {} : (JSON.parse(payload) as Record<string, unknown>);
    const refused = refusals.includes(String(body['code']));
    if (refused) expect(statusCode).to.equal(body['status']);
    return { verdict: refused ? String(body['code']) : 'passed', body };
  };
}
