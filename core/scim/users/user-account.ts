import { InputError, isQuireError } from '@quire/registry';
import { checkUsername, type AccountServices, type Role, type User } from '../../accounts/index.js';
import { isObject } from '../filter/match-filter.js';
import { asRole, usualRoles } from '../model/assignable-roles.js';
import type { Resource } from '../model/schema.js';

/** What a resource says about the account itself; what is undefined stays as it is. */
export interface WantedAccount {
  readonly username: string;
  readonly enabled: boolean | undefined;
  readonly role: Role | undefined;
}

/** Reads what a resource says about the account. Throws SCIM_VALUE_INVALID. */
export function wantedAccount(
  { users }: { readonly users: Pick<AccountServices['users'], 'mayHave'> },
  resource: Resource,
  rolesFollowGroups: boolean,
): WantedAccount {
  const { userName, active, roles: given } = resource;
  if (typeof userName !== 'string') throw invalid('userName', 'it is required');
  return {
    username: asValue('userName', () => checkUsername(userName)),
    enabled: typeof active === 'boolean' ? active : undefined,
    role: rolesFollowGroups ? undefined : roleOf(users, chosenRole(given)),
  };
}

/**
 * Changes an account, permissions first: what is refused for the last administrator then changes nothing. Returns what
 * was changed, for the audit log. Throws SCIM_VALUE_INVALID, SCIM_TAKEN, USER_CAP_REACHED or ACCOUNT_LAST_ADMIN.
 */
export async function changeAccount(
  { users }: Pick<AccountServices, 'users'>,
  user: User,
  wanted: WantedAccount,
): Promise<readonly string[]> {
  const changes: string[] = [];
  if (wanted.enabled === false && user.enabled) {
    await users.takeRights(user, { enabled: false });
    changes.push('disabled: its sessions, API keys and jobs end');
  }
  if (wanted.role !== undefined && wanted.role !== user.role) {
    const now = (await users.byId(user.id)) ?? user;
    await users.takeRights(now, { role: wanted.role, teamId: now.teamId, teamLead: now.teamLead });
    changes.push(`role ${user.role} is now ${wanted.role}`);
  }
  if (wanted.username !== user.username) {
    await takenAsScim(users.rename(user.id, wanted.username), wanted.username);
    changes.push(`renamed from ${user.username}`);
  }
  if (wanted.enabled === true && !user.enabled) {
    await users.enable(user);
    changes.push('enabled');
  }
  return changes;
}

/** Rejects with SCIM_TAKEN where a name is in use. */
export async function takenAsScim<T>(work: Promise<T>, username: string): Promise<T> {
  return work.catch((error: unknown) => {
    if (!isQuireError(error) || error.code !== 'USERNAME_TAKEN') throw error;
    throw new InputError(
      'SCIM_TAKEN',
      { attribute: 'userName', detail: `another account of this server is named ${username}` },
      [],
      { cause: error },
    );
  });
}

/** Returns the primary role, else the last: an account has one, and PATCH adds the new one behind it. */
export function chosenRole(given: unknown): Resource | undefined {
  const elements = Array.isArray(given) ? (given as unknown[]).filter(isObject) : [];
  return elements.find(({ primary }) => primary === true) ?? elements.at(-1);
}

function roleOf(users: Pick<AccountServices['users'], 'mayHave'>, chosen: Resource | undefined): Role | undefined {
  if (chosen === undefined) return undefined;
  const role = asRole(chosen['value']);
  if (users.mayHave(role)) return role;
  const value = String(chosen['value'] ?? '').slice(0, 100);
  throw invalid('roles', `"${value}" is not a role of this server, such as ${usualRoles.join(', ')}`);
}

function asValue<T>(attribute: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!isQuireError(error)) throw error;
    throw new InputError('SCIM_VALUE_INVALID', { attribute, detail: String(error.data['detail']) }, [], {
      cause: error,
    });
  }
}

function invalid(attribute: string, detail: string): InputError {
  return new InputError('SCIM_VALUE_INVALID', { attribute, detail });
}
