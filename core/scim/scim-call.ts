import type { EndpointRequest } from '@quire/registry';
import type { AuditLog } from '../audit/index.js';

export const SCIM_PATH = '/scim/v2';
/** The caller in audit log and jobs: an identity provider has no account. */
export const SCIM_NAME = 'SCIM';

/** What the services need of a call. */
export interface ScimCall {
  /** Address of `/scim/v2`, for locations. */
  readonly base: string;
  readonly ifMatch: string | undefined;
  /** Records a change in the audit log. `about`: the account, or none for groups. */
  record(about: string | undefined, reason: string): void;
}

/** Longest reason in the audit log. */
const LONGEST_REASON = 1000;

/** Returns the call of a request to a route. */
export function scimCall(
  audit: Pick<AuditLog, 'record'> | undefined,
  { site, headers, address }: EndpointRequest,
  method: string,
  path: string,
): ScimCall {
  return {
    base: `${site?.url ?? ''}${SCIM_PATH}`,
    ifMatch: headers['if-match'],
    record: (about, reason) =>
      audit?.record('USER_PROFILE_UPDATE', SCIM_NAME, {
        method,
        path,
        status: 200,
        ms: 0,
        address,
        origin: 'API',
        requestId: headers['x-request-id'] ?? '',
        ...(about === undefined ? {} : { subject: about }),
        reason: reason.slice(0, LONGEST_REASON),
      }),
  };
}
