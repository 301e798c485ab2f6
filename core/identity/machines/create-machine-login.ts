import type { Clock, Logger, QuireError } from '@quire/registry';
import type { MachineLogin } from '../../access/index.js';
import type { LoginServices } from '../../accounts/index.js';
import type { Settings } from '../../settings/index.js';
import type { Store } from '../../store/index.js';
import { IdentityRecords } from '../identity-records.js';
import type { Provider } from '../model.js';
import type { KeySets } from '../tokens/index.js';
import { AccessTokens } from './access-tokens.js';
import { ClientCertificates } from './client-certificates.js';
import { Refusals } from './refusals.js';
import { tokenSettings } from './token-settings.js';

export interface CreateMachineLoginDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly keySets: KeySets;
  readonly providers: readonly Provider[];
  readonly login: LoginServices | undefined;
}

/**
 * Creates the authentication by access tokens of an issuer and by client certificates; undefined where neither is set
 * up. Throws SETTINGS_INVALID.
 */
export function createMachineLogin(deps: CreateMachineLoginDeps): MachineLogin | undefined {
  const { settings, store, clock, log, keySets, providers, login } = deps;
  const tokens = tokenSettings(settings, providers);
  const withCertificates = settings.get('security.clientCertificates.header') !== '';
  if (tokens === undefined && !withCertificates) return undefined;
  if (login === undefined) {
    log.warn(
      { setting: 'security.enableLogin' },
      'access tokens and client certificates are set up, but login is off: they are not needed and not checked',
    );
    return undefined;
  }
  const { accounts } = login;
  const refusals = new Refusals(log, () => clock.now().getTime());
  const accessTokens =
    tokens &&
    new AccessTokens({
      settings: tokens,
      keySets,
      accounts,
      identities: new IdentityRecords(store, clock),
      refusals,
      clock,
      secondFactorPolicy: login.secondFactorPolicy,
      requireSecondFactor: settings.get('security.oauth2.requireSecondFactor'),
    });
  return {
    byToken: async (bearer, address) => accessTokens?.recognise(bearer, address),
    certificates: withCertificates ? new ClientCertificates({ settings, accounts, refusals, clock }) : undefined,
    challenge: (error) => (accessTokens === undefined ? undefined : challengeOf(error)),
  };
}

/** RFC 6750, 3.1. */
function challengeOf({ code, data, row }: QuireError): string | undefined {
  if (code !== 'ACCESS_TOKEN_SCOPE' && row.status !== 401) return undefined;
  const fault =
    code === 'ACCESS_TOKEN_SCOPE'
      ? 'insufficient_scope'
      : code === 'ACCESS_TOKEN_INVALID' || code === 'ACCESS_TOKEN_UNKNOWN'
        ? 'invalid_token'
        : undefined;
  const described = data['detail'] === undefined ? [] : [`error_description="${quotable(String(data['detail']))}"`];
  return ['Bearer realm="quire"', ...(fault === undefined ? [] : [`error="${fault}"`, ...described])].join(', ');
}

function quotable(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
}
