import type { Request } from '@hapi/hapi';
import type { CallConnection } from '@quire/registry';
import type { Credentials } from '../../access/index.js';
import type {} from '../hapi-state.js';

/**
 * Reads the credentials of a request (`docs/interface/auth.yml`, how a request is authenticated). They are never taken
 * from the URL or a cookie.
 */
export function credentialsOf(request: Request): Credentials {
  return {
    key: header(request, 'x-api-key'),
    bearer: bearerOf(header(request, 'authorization')),
    address: request.app.address,
    connection: connectionOf(request),
  };
}

/** Returns the connection of a request; one that the server injects into itself has no headers of a proxy. */
export function connectionOf({ app, raw }: Request): CallConnection {
  const { rawHeaders = [] }: { readonly rawHeaders?: readonly string[] } = raw.req;
  return { peer: app.peer, rawHeaders };
}

/** Returns every value of a header, in the order in which they were sent. `name`: in lower case. */
export function headerValues({ rawHeaders }: CallConnection, name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}

/** Returns the token of an Authorization header with the Bearer scheme (RFC 6750, 2.1). */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1];
}

/** Returns one header. Node joins repeated headers, so a repeated key is a wrong key. */
export function header(request: Request, name: string): string | undefined {
  const value = request.headers[name] as string | string[] | undefined;
  return Array.isArray(value) ? value.join(', ') : value;
}
