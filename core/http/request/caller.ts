import type { Request } from '@hapi/hapi';
import type { Principal } from '@quire/registry';
import { accountOwner, addressOwner } from '../../semaphore/index.js';
import type {} from '../hapi-state.js';

/** Returns the authenticated caller. */
export function callerOf(request: Request): Principal {
  const { principal } = request.app;
  if (principal === undefined) throw new Error('the request is not authenticated yet');
  return principal;
}

/**
 * Returns whose turn a call takes in queues: the account, else the client's address. The global key is shared, so its
 * calls count by address too.
 */
export function turnOwner({ app: { principal, address } }: Request): string {
  return principal === undefined || principal.via === 'none' || principal.via === 'globalKey'
    ? addressOwner(address)
    : accountOwner(principal.id);
}
