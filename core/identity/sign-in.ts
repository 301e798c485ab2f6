import { isQuireError, type Logger } from '@quire/registry';
import { checkUsername, type AccountServices, type ProfileSource, type User } from '../accounts/index.js';
import { applyGroups, groupOutcome, type GroupOutcome, type GroupRules, type RuleBase } from './group-rules.js';
import type { IdentityRecords } from './identity-records.js';
import { SignInRefused, type ExternalIdentity, type Protocol } from './model.js';

export interface SignInRules {
  /** Where they are in the settings. */
  readonly base: RuleBase;
  /** Of accounts that are created. */
  readonly type: User['authenticationType'];
  /** Of accounts that an administrator has entered for these providers. */
  readonly binds: readonly User['authenticationType'][];
  /** Where a provider says how users have logged in, for messages. */
  readonly factorsIn: string;
  readonly autoCreate: boolean;
  readonly blockRegistration: boolean;
  readonly acceptUnverified: boolean;
  readonly requireSecondFactor: boolean;
  readonly groups: GroupRules;
}

export interface SignInDeps {
  readonly accounts: Pick<AccountServices, 'users' | 'teams' | 'profiles' | 'loginWithProvider'>;
  readonly identities: IdentityRecords;
  /** By protocol. */
  rules(protocol: Protocol): SignInRules;
  readonly log: Logger;
}

/** The account of an identity: it has it, it was entered for it, or there is none and one would be created. */
type Found =
  | { readonly by: 'identity' | 'name'; readonly user: User }
  | { readonly by: 'nothing'; readonly username: string };

/** What a login would do. */
export interface LoginForecast extends GroupOutcome {
  readonly outcome: 'opens' | 'binds' | 'creates';
  readonly username: string;
  /** The account has a password, so groups change nothing. */
  readonly keepsRights: boolean;
}

/**
 * Finds or creates the account of somebody who has logged in at a provider. An account is found by the issuer's subject
 * alone; a name never opens one that has a password, since whoever chooses their name at a provider would get it.
 */
export class SignIn {
  constructor(private readonly deps: SignInDeps) {}

  /** Returns the account, with the role and team of its groups. Throws SignInRefused. */
  async logIn(identity: ExternalIdentity): Promise<User> {
    const { accounts, identities, log } = this.deps;
    const rules = this.#rulesOf(identity);
    refuseWithoutFactor(rules, identity);
    const user = await this.#accountOf(identity);
    refuseWithoutFactorOf(rules, user, identity);
    const outcome = await accounts.loginWithProvider(user.id);
    if ('refused' in outcome) throw disabled();
    await identities.noteLogin(identity);
    const known = await accounts.profiles.follow(outcome.user, profileOf(identity));
    // Whoever linked a provider to an account with a password keeps what was given here.
    if (known.authenticationType === 'web') return known;
    const { user: now, kept } = await applyGroups(accounts, rules.groups, known, identity.groups);
    if (kept !== undefined) log.warn({ user: user.username }, `login with a provider: ${kept}`);
    return now;
  }

  /** Returns what a login would do, and does nothing. Throws SignInRefused as `logIn` does. */
  async forecast(identity: ExternalIdentity): Promise<LoginForecast> {
    const { accounts } = this.deps;
    const rules = this.#rulesOf(identity);
    refuseWithoutFactor(rules, identity);
    const found = await this.#find(identity);
    if (found.by === 'nothing') {
      const { username } = found;
      await refuseToCreate(username, async () => {
        checkUsername(username);
        await accounts.users.refuseWhenFull(this.#rulesOf(identity).type);
      });
      return {
        outcome: 'creates',
        username,
        keepsRights: false,
        ...this.#firstOutcome(identity),
      };
    }
    const { username, role, authenticationType } = enabled(found.user);
    refuseWithoutFactorOf(rules, found.user, identity);
    const keepsRights = authenticationType === 'web';
    return {
      outcome: found.by === 'identity' ? 'opens' : 'binds',
      username,
      keepsRights,
      ...(keepsRights ? { role, team: undefined } : groupOutcome(accounts.users, rules.groups, role, identity.groups)),
    };
  }

  /** Lets an identity belong to the account of somebody who is logged in. Throws SignInRefused. */
  async link(identity: ExternalIdentity, userId: string): Promise<User> {
    const user = await this.deps.accounts.users.byId(userId);
    if (user?.enabled !== true) throw disabled();
    if (!(await this.deps.identities.link(identity, userId)))
      throw new SignInRefused('already_linked', 'the identity belongs to another account');
    return this.deps.accounts.profiles.follow(user, profileOf(identity));
  }

  async #accountOf(identity: ExternalIdentity): Promise<User> {
    const found = await this.#find(identity);
    if (found.by === 'identity') return enabled(found.user);
    const { identities } = this.deps;
    // The account was deleted while this node did not hear of it.
    const stale = await identities.get(identity);
    if (stale !== undefined) await identities.unlink(stale.userId, stale.id);
    return found.by === 'nothing'
      ? this.#create(identity, found.username)
      : enabled(await this.link(identity, found.user.id));
  }

  /** Changes nothing. Throws SignInRefused. */
  async #find(identity: ExternalIdentity): Promise<Found> {
    const {
      accounts: { users },
      identities,
    } = this.deps;
    const rules = this.#rulesOf(identity);
    const known = await identities.get(identity);
    const own = known === undefined ? undefined : await users.byId(known.userId);
    if (own !== undefined) return { by: 'identity', user: own };
    const username = this.#usernameOf(identity);
    const user = await users.byName(username);
    if (user === undefined) {
      if (rules.blockRegistration)
        throw new SignInRefused(
          'oAuth2AdminBlockedUser',
          `${username} has no account (${rules.base}.blockRegistration)`,
        );
      if (!rules.autoCreate)
        throw new SignInRefused(
          'oAuth2AutoCreateDisabled',
          `${username} has no account (${rules.base}.autoCreateUser is off)`,
        );
      return { by: 'nothing', username };
    }
    if (!rules.binds.includes(user.authenticationType) || (await identities.list(user.id)).length > 0)
      throw new SignInRefused(
        'userAlreadyExistsWeb',
        `an account ${username} exists already; its user has to log in and link the provider in the account`,
      );
    return { by: 'name', user };
  }

  #rulesOf({ provider }: ExternalIdentity): SignInRules {
    return this.deps.rules(provider.protocol);
  }

  /** Of an account that is created. */
  #firstOutcome(identity: ExternalIdentity): GroupOutcome {
    const { users } = this.deps.accounts;
    return groupOutcome(users, this.#rulesOf(identity).groups, users.defaultRole(), identity.groups);
  }

  #usernameOf(identity: ExternalIdentity): string {
    const { username, unverified, provider } = identity;
    if (username === undefined) throw new SignInRefused('invalidUsername', `${provider.name} sends no user name`);
    if (unverified && !this.#rulesOf(identity).acceptUnverified)
      throw new SignInRefused(
        'email_not_verified',
        `${provider.name} does not vouch for the name ${username} (claim email_verified); ` +
          'security.oauth2.acceptUnverifiedEmail accepts such names',
      );
    return username;
  }

  async #create(identity: ExternalIdentity, username: string): Promise<User> {
    const { accounts, identities } = this.deps;
    const { role } = this.#firstOutcome(identity);
    const user = await refuseToCreate(username, () =>
      accounts.users.create({ username, password: null, role, authenticationType: this.#rulesOf(identity).type }),
    );
    if (await identities.link(identity, user.id)) return user;
    // Two logins at once: the other one was first.
    await accounts.users.takeRights(user, 'delete');
    return this.#accountOf(identity);
  }
}

function profileOf({ provider, displayName, picture, photo }: ExternalIdentity): ProfileSource {
  return { issuer: provider.issuer, displayName, from: photo ?? picture };
}

function enabled(user: User): User {
  if (!user.enabled) throw disabled();
  return user;
}

function refuseWithoutFactor({ requireSecondFactor, base, factorsIn }: SignInRules, identity: ExternalIdentity): void {
  if (requireSecondFactor && !identity.secondFactor)
    throw new SignInRefused(
      'second_factor_required',
      `the provider does not say that a second factor was used (${factorsIn}), and ${base}.requireSecondFactor is on`,
    );
}

function refuseWithoutFactorOf({ factorsIn }: SignInRules, user: User, { secondFactor }: ExternalIdentity): void {
  if (user.mfaEnabled && !secondFactor)
    throw new SignInRefused(
      'second_factor_required',
      `the account has a second factor here, and the provider does not say that one was used (${factorsIn})`,
    );
}

function disabled(): SignInRefused {
  return new SignInRefused('userIsDisabled', 'the account is disabled');
}

/** Creates an account, or finds out whether it could be. Throws SignInRefused. */
async function refuseToCreate<R>(username: string, create: () => Promise<R>): Promise<R> {
  try {
    return await create();
  } catch (error) {
    throw refusalOfCreate(error, username);
  }
}

function refusalOfCreate(error: unknown, username: string): unknown {
  if (!isQuireError(error)) return error;
  if (error.code === 'USER_CAP_REACHED') return new SignInRefused('maxUsersReached', error.message, { cause: error });
  if (error.code === 'USERNAME_INVALID')
    return new SignInRefused('invalidUsername', `"${username.slice(0, 100)}": ${error.message}`, { cause: error });
  if (error.code === 'USERNAME_TAKEN')
    return new SignInRefused('oauth2AuthenticationError', `${username} was created meanwhile; log in again`, {
      cause: error,
    });
  return error;
}
