import type { EndpointRequest, Logger } from '@quire/registry';
import type { User } from '../accounts/index.js';
import type { AuditData, AuditLog } from '../audit/index.js';
import type { IdentityEndpointDeps } from './endpoints/identity-deps.js';
import type { LoginProvider, Protocol } from './model.js';

/** Tells the administrator about logins with providers, in the log and the audit log; users see a code only. */
export function loginRecorder({
  log,
  audit,
  debugging,
}: {
  readonly log: Logger;
  readonly audit: Pick<AuditLog, 'record'> | undefined;
  /** `debugLogging` of `security.oauth2` and `security.saml2`. */
  debugging(protocol: Protocol): boolean;
}): Pick<IdentityEndpointDeps, 'recordLogin' | 'recordRefusal' | 'recordTrial' | 'debug'> {
  return {
    recordLogin(request, { username }, provider, linked) {
      const reason = linked ? `${provider.name} was linked` : provider.name;
      const data = dataOf(request, provider, username, reason);
      audit?.record(linked ? 'USER_PROFILE_UPDATE' : 'USER_LOGIN', username, data);
    },
    recordRefusal(request, provider, { code, message }) {
      // Causes may contain claims of the user.
      const { name } = provider;
      log.warn({ provider: name, code, reason: message, address: request.address }, 'a login was refused');
      const data = dataOf(request, provider, undefined, `${name}: ${code}: ${message}`);
      audit?.record('USER_FAILED_LOGIN', 'anonymous', data);
    },
    recordTrial(request, administrator, reason) {
      audit?.record('LOGIN_TRIAL', administrator, dataOf(request, { protocol: 'oidc' }, undefined, reason));
    },
    debug(identity) {
      const { name, protocol } = identity.provider;
      if (debugging(protocol)) log.info({ provider: name, identity }, 'what a provider says about a user who logs in');
    },
  };
}

function dataOf(
  { address }: EndpointRequest,
  { protocol }: Pick<LoginProvider, 'protocol'>,
  subject: User['username'] | undefined,
  reason: string,
): AuditData {
  return {
    method: protocol === 'saml' ? 'POST' : 'GET',
    path: protocol === 'saml' ? '/login/saml2/sso/{registrationId}' : '/login/oauth2/code/{registrationId}',
    status: 302,
    ms: 0,
    address,
    origin: 'WEB',
    requestId: '',
    ...(subject === undefined ? {} : { subject }),
    reason: reason.slice(0, 1000),
  };
}
