import {
  StartupError,
  type Clock,
  type Endpoint,
  type EndpointRequest,
  type Logger,
  type Mailer,
  type Outbound,
} from '@quire/registry';
import type { Backplane } from '../jobs/backplane/index.js';
import { ADMIN_ROLE, INTERNAL_ROLE, ROLE_NAME, Roles, type PortalDefault } from '../roles/index.js';
import type { ServerSecret } from '../secrets/index.js';
import { shortOrigin, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { openAccounts } from './accounts.js';
import { accountEndpoints } from './endpoints/index.js';
import { relyingParties } from './passkeys/index.js';
import { openLogin, type LoginServices } from './login-services.js';
import type { ProviderSession } from './model.js';
import { SecondFactorPolicy } from './second-factor-policy.js';
import type { PasswordCost } from './passwords.js';

export interface CreateAccountsDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly backplane: Backplane;
  readonly clock: Clock;
  readonly log: Logger;
  readonly mailer: Mailer;
  readonly outbound: Pick<Outbound, 'call'>;
  /** Shows the first administrator's password to the operator, once. */
  readonly announce: (text: string) => void;
  /** Returns the address that ends the session of a login provider; undefined where that is not possible. */
  logoutUrl(session: ProviderSession, site: EndpointRequest['site']): Promise<string | undefined>;
  /** Categories that an API key can be limited to. */
  categories(): readonly string[];
  /** Cost of a password hash; lower in tests. */
  readonly passwordCost: PasswordCost | undefined;
}

export interface AccountsFeature {
  /** Undefined while login is off; then no account records are read or written. */
  readonly login: LoginServices | undefined;
  readonly endpoints: readonly Endpoint[];
  /** Writes data that is still in memory. */
  stop(): Promise<void>;
}

/** Opens accounts, API keys and sessions while login is on. Rejects with STORE_DOWN when the store is unreachable. */
export async function createAccounts(deps: CreateAccountsDeps): Promise<AccountsFeature> {
  const login = deps.settings.get('security.enableLogin') ? await openLoginServices(deps) : undefined;
  return {
    login,
    endpoints: accountEndpoints({ ...deps, login, relyingParty: relyingParties(deps.settings) }),
    stop: async () => login?.close(),
  };
}

async function openLoginServices({
  settings,
  store,
  secret,
  clock,
  log,
  backplane,
  outbound,
  announce,
  passwordCost,
}: CreateAccountsDeps): Promise<LoginServices> {
  const globalKey = settings.get('security.customGlobalAPIKey');
  const roles = new Roles({
    store,
    clock,
    log,
    backplane,
    rateLimit: settings.get('rateLimit'),
    defaultRole: defaultRoleOf(settings),
    portal: settings.get('security.portal.defaultAccess') as PortalDefault,
  });
  await roles.start();
  const accounts = await openAccounts({
    store,
    secret,
    clock,
    log,
    pictures: settings.get('security.userPictures') ? outbound : undefined,
    announce,
    passwordCost,
    roles,
    cap: { tier: settings.get('licence.tier'), maxUsers: settings.get('premium.maxUsers') },
    lock: {
      attempts: settings.get('security.loginAttemptCount'),
      minutes: settings.get('security.loginResetTimeMinutes'),
    },
    firstStart: {
      username: settings.get('security.initialLogin.username'),
      password: settings.get('security.initialLogin.password'),
      globalKey: globalKey !== '',
    },
    issuer: settings.get('ui.appNameNavbar') || 'Quire',
  });
  return openLogin({
    store,
    accounts,
    roles,
    secondFactorPolicy: SecondFactorPolicy.of(settings, (userId) => accounts.passkeys.has(userId)),
    secret,
    clock,
    log,
    globalKey,
    throttle: {
      keys: settings.get('security.throttle.wrongKeys'),
      passwords: settings.get('security.throttle.wrongPasswords'),
      addressPasswords: settings.get('security.throttle.wrongPasswordsPerAddress'),
      linkCalls: settings.get('security.throttle.linkCalls'),
      windowSeconds: settings.get('security.throttle.windowSeconds'),
    },
    sessions: {
      expiryMinutes: settings.get('security.jwt.tokenExpiryMinutes'),
      desktopExpiryMinutes: settings.get('security.jwt.desktopTokenExpiryMinutes'),
      clockSkewSeconds: settings.get('security.jwt.allowedClockSkewSeconds'),
      refreshGraceMinutes: settings.get('security.jwt.refreshGraceMinutes'),
      maxDays: settings.get('security.sessionMaxDays'),
      keepKeys: settings.get('security.jwt.enableKeystore'),
      cleanUpKeys: settings.get('security.jwt.enableKeyCleanup'),
    },
  });
}

/** Whether the role exists is checked at each use, since roles are data. Throws SETTINGS_INVALID. */
function defaultRoleOf(settings: Settings): string {
  const role = settings.get('security.defaultRole');
  const fault = !ROLE_NAME.test(role)
    ? 'is not the name of a role, such as ROLE_USER'
    : role === ADMIN_ROLE || role === INTERNAL_ROLE
      ? 'would give everybody rights of the server or of full administrators'
      : undefined;
  if (fault === undefined) return role;
  const where = shortOrigin(settings.origin('security.defaultRole'));
  throw new StartupError('SETTINGS_INVALID', { where, detail: `security.defaultRole: "${role}" ${fault}` });
}
