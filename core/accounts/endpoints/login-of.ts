import { AccessError } from '@quire/registry';
import type { LoginRooms } from '../../access/login-services.js';
import type { EndpointParts } from '../../http/endpoint-deps.js';

/** What exists while login is on. The guard has refused already when it is off; throws LOGIN_REQUIRED all the same. */
export function loginOf({ login }: Pick<EndpointParts, 'login'>): LoginRooms {
  if (login === undefined) throw new AccessError('LOGIN_REQUIRED');
  return login;
}
