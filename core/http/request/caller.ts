import type { Request } from '@hapi/hapi';
import type { Principal } from '@quire/registry';
import type {} from '../hapi-state.js';

/** Returns the authenticated caller. */
export function callerOf(request: Request): Principal {
  const { principal } = request.app;
  if (principal === undefined) throw new Error('the request is not authenticated yet');
  return principal;
}
