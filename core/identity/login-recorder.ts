import type { EndpointRequest, Logger } from '@quire/registry';
import type { User } from '../accounts/index.js';
import type { AuditData, AuditLog } from '../audit/index.js';
import type { IdentityEndpointDeps } from './endpoints/identity-deps.js';

/** Tells the administrator about logins with providers, in the log and the audit log; users see a code only. */
export function loginRecorder({
  log,
  audit,
  debugging,
}: {
  readonly log: Logger;
  readonly audit: Pick<AuditLog, 'record'> | undefined;
  /** `security.oauth2.debugLogging`. */
  readonly debugging: boolean;
}): Pick<IdentityEndpointDeps, 'recordLogin' | 'recordRefusal' | 'recordTrial' | 'debug'> {
  return {
    recordLogin(request, { username }, provider, linked) {
      const reason = linked ? `${provider} was linked` : provider;
      audit?.record(linked ? 'USER_PROFILE_UPDATE' : 'USER_LOGIN', username, dataOf(request, username, reason));
    },
    recordRefusal(request, provider, { code, message }) {
      // Causes may contain claims of the user.
      log.warn({ provider, code, reason: message, address: request.address }, 'a login was refused');
      audit?.record('USER_FAILED_LOGIN', 'anonymous', dataOf(request, undefined, `${provider}: ${code}: ${message}`));
    },
    recordTrial(request, administrator, reason) {
      audit?.record('LOGIN_TRIAL', administrator, dataOf(request, undefined, reason));
    },
    debug({ name }, identity) {
      if (debugging) log.info({ provider: name, identity }, 'what a provider says about a user who logs in');
    },
  };
}

function dataOf({ address }: EndpointRequest, subject: User['username'] | undefined, reason: string): AuditData {
  return {
    method: 'GET',
    path: '/login/oauth2/code/{registrationId}',
    status: 302,
    ms: 0,
    address,
    origin: 'WEB',
    requestId: '',
    ...(subject === undefined ? {} : { subject }),
    reason: reason.slice(0, 1000),
  };
}
