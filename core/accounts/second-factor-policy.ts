import { StartupError } from '@quire/registry';
import { ROLE_NAME } from '../roles/index.js';
import { networkList, shortOrigin, type Settings } from '../settings/index.js';
import type { LoginMethod, User } from './model.js';

/** How a session began, as far as it matters for second factors. */
export interface FactorSession {
  readonly method?: LoginMethod;
  /** The login provider has said that a second factor was used (claim amr). */
  readonly secondFactor?: boolean;
}

type IsWithin = (address: string) => boolean;

/** Every role. */
const ALL = '*';

/**
 * Who needs a second factor: users of some roles, and everybody outside of some networks. Compared with every call, so
 * that a session that began in the office is not enough elsewhere.
 */
export class SecondFactorPolicy {
  constructor(
    private readonly roles: ReadonlySet<string>,
    private readonly isTrusted: IsWithin,
    /** Undefined without a rule. */
    private readonly isInside: IsWithin | undefined,
    private readonly hasPasskey: (userId: string) => Promise<boolean>,
  ) {}

  /** Nobody needs one. */
  static none(): SecondFactorPolicy {
    return new SecondFactorPolicy(
      new Set(),
      () => false,
      undefined,
      () => Promise.resolve(false),
    );
  }

  /** Throws SETTINGS_INVALID. */
  static of(settings: Settings, hasPasskey: (userId: string) => Promise<boolean>): SecondFactorPolicy {
    const roles = settings.get('security.secondFactor.requiredForRoles');
    const wrong = roles.find((role) => role !== ALL && !ROLE_NAME.test(role));
    if (wrong !== undefined)
      throw new StartupError('SETTINGS_INVALID', {
        where: shortOrigin(settings.origin('security.secondFactor.requiredForRoles')),
        detail:
          `security.secondFactor.requiredForRoles: "${wrong}" is not the name of a role, ` +
          'such as ROLE_ADMIN, nor *',
      });
    const outside = settings.get('security.secondFactor.requiredOutsideNetworks');
    return new SecondFactorPolicy(
      new Set(roles),
      networks(settings, 'security.secondFactor.trustedNetworks'),
      outside.length === 0 ? undefined : networks(settings, 'security.secondFactor.requiredOutsideNetworks'),
      hasPasskey,
    );
  }

  /** Whether a user needs a second factor at this address. */
  isRequired({ role }: Pick<User, 'role'>, address: string): boolean {
    if (this.isInside?.(address) === false) return true;
    return this.#isFor(role) && !this.isTrusted(address);
  }

  /** Whether a session lacks the factor that its user needs at this address. */
  lacks(user: User, { method, secondFactor }: FactorSession, address: string): boolean {
    // A password is accepted only with a code while the account has an authenticator app.
    const shown = method === 'passkey' || secondFactor === true || user.mfaEnabled;
    return !shown && this.isRequired(user, address);
  }

  /**
   * Whether API keys of an account have to wait until it has a second factor. A key shows none, and is made for
   * programs elsewhere: so the networks do not count, and any factor of the account does. Accounts of login providers
   * could create the key only in a session that had one.
   */
  async blocksKeys(user: User): Promise<boolean> {
    if (!this.#isFor(user.role) || user.mfaEnabled || user.authenticationType !== 'web') return false;
    return !(await this.hasPasskey(user.id));
  }

  #isFor(role: string): boolean {
    return this.roles.has(ALL) || this.roles.has(role);
  }
}

function networks(
  settings: Settings,
  key: 'security.secondFactor.trustedNetworks' | 'security.secondFactor.requiredOutsideNetworks',
): IsWithin {
  return networkList(settings.get(key), shortOrigin(settings.origin(key)), key);
}
