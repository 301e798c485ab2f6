import type { Clock, Logger, Outbound } from '@quire/registry';
import type { Store } from '../store/index.js';
import type { ServerSecret } from '../secrets/index.js';
import { openAccountRecords } from './account-records.js';
import { AttemptLock, type LockSettings } from './attempt-lock.js';
import { prepareAccounts, type FirstStartSettings } from './first-start.js';
import { Invites } from './invites.js';
import { Login } from './login.js';
import type { Roles } from '../roles/index.js';
import type { Accounts, LoginOutcome, User } from './model.js';
import { shippedRoles } from './names.js';
import { OwnAccount } from './own-account.js';
import { Challenges, PasskeyLogin, Passkeys } from './passkeys/index.js';
import { Pictures, Profiles } from './profiles/index.js';
import { PasswordResets } from './password-resets.js';
import { PasswordHasher, type PasswordCost } from './passwords.js';
import { SecondFactor } from './second-factor.js';
import { Teams } from './teams.js';
import { UserAdministration } from './user-administration.js';
import { Users, type UserCap } from './users.js';

export interface AccountsDeps {
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  readonly cap: UserCap;
  readonly lock: LockSettings;
  readonly firstStart: FirstStartSettings;
  /** Roles and grants; default: the roles of the server, and no grants. */
  readonly roles?: Roles | undefined;
  /** Name of the server in authenticator apps and beside passkeys. */
  readonly issuer: string;
  /** Fetches the pictures of users that login providers name; undefined: none are kept. */
  readonly pictures?: Pick<Outbound, 'call'> | undefined;
  /** Shows a random password to the operator, once. */
  readonly announce: (text: string) => void;
  /** Lower in tests. */
  readonly passwordCost?: PasswordCost | undefined;
}

/** All services of accounts: those that the guard needs, and those behind the endpoints. */
export interface AccountServices extends Accounts {
  /** Hashes the passwords of accounts; other passwords of the server are hashed alike. */
  readonly passwords: PasswordHasher;
  readonly users: Users;
  readonly own: OwnAccount;
  readonly administration: UserAdministration;
  readonly teams: Teams;
  readonly invites: Invites;
  readonly resets: PasswordResets;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly passkeyLogin: PasskeyLogin;
  readonly profiles: Profiles;
  /** Returns how many accounts and open invites have each role. */
  countByRole(): Promise<ReadonlyMap<string, number>>;
  /** Records a login of a user whom a provider has authenticated, unless the account is disabled or gone. */
  loginWithProvider(userId: string): Promise<LoginOutcome>;
}

/** Opens the accounts and creates the server's own ones. Called only while login is on. */
export async function openAccounts({
  store,
  secret,
  clock,
  log,
  cap,
  lock: lockSettings,
  firstStart,
  roles,
  issuer,
  pictures: outbound,
  announce,
  passwordCost,
}: AccountsDeps): Promise<AccountServices> {
  const records = openAccountRecords(store);
  const passwords = new PasswordHasher(passwordCost);
  const teams = new Teams(records);
  const known = roles ?? shippedRoles;
  const users = new Users(records, teams, passwords, cap, clock, known, (user) => mayUsePortal(roles, user));
  const lock = new AttemptLock(records.attempts, lockSettings, () => clock.now().getTime());
  const secondFactor = new SecondFactor(records, users, lock, secret, clock, issuer);
  const login = new Login(records, users, passwords, secondFactor, lock, secret, clock);
  const challenges = new Challenges(store, secret, clock);
  await prepareAccounts({ records, users, teams, log, announce }, firstStart);
  await login.sweep();
  users.onUserChange((id, what) => (what === 'gone' ? roles?.forgetHolder('USER', id) : undefined));
  teams.onDeleted((id) => roles?.forgetHolder('TEAM', id));
  const pictures = new Pictures({ store, users, outbound, clock, log });
  await pictures.start();
  const invites = new Invites(records, users, teams, secret, clock, known);
  return {
    passwords,
    users,
    teams,
    secondFactor,
    passkeys: new Passkeys({ store, users, challenges, secret, clock, issuer }),
    passkeyLogin: new PasskeyLogin({ store, users, login, challenges, clock, log }),
    profiles: new Profiles(users, pictures),
    own: new OwnAccount(users, passwords, lock),
    administration: new UserAdministration(users, teams, passwords, login, secondFactor, known),
    invites,
    resets: new PasswordResets(records, users, passwords, login, secret, clock),
    countByRole: async () => {
      const counts = new Map(await users.countByRole());
      for (const [role, count] of await invites.countByRole()) counts.set(role, (counts.get(role) ?? 0) + count);
      return counts;
    },
    byId: (id) => users.byId(id),
    byName: (name) => users.byName(name),
    loginWithProvider: (userId) => login.succeed(userId),
    authenticate: (attempt) => login.authenticate(attempt),
    isKnown: (username, address) => login.isKnown(username, address),
    toWire: (user) => users.toWire(user),
    onUserChange: (listener) => users.onUserChange(listener),
  };
}

function mayUsePortal(roles: Roles | undefined, { id, role, teamId, teamLead }: User): boolean {
  return roles?.mayUsePortal({ id, roles: [role], teamLead, ...(teamId === null ? {} : { teamId }) }) ?? true;
}
