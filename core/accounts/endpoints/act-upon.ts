import { InputError, type Principal } from '@quire/registry';
import type { User } from '../index.js';
import { checkRole } from '../names.js';
import { accountsOf } from './account-caller.js';
import { loginOf, type LoginDeps } from './login-of.js';

/**
 * Call before an administrator changes an account: who administers only some areas could otherwise take over accounts
 * with more rights. Throws RIGHTS_EXCEEDED. Names that do not exist are left to the change itself.
 */
export async function checkActsUpon(deps: LoginDeps, caller: Principal, username: string): Promise<void> {
  refuseStronger(deps, caller, await accountsOf(deps).byName(username));
}

/** As `checkActsUpon`, for changes of teams, which nobody with only some areas makes in their own account. */
export async function checkMoves(deps: LoginDeps, caller: Principal, userId: string, teamId: string): Promise<void> {
  const user = await accountsOf(deps).byId(userId);
  refuseStronger(deps, caller, user);
  if (user === undefined || caller.role === 'admin') return;
  if (user.id === caller.id) throw new InputError('ACCOUNT_OWN', { action: 'change the team of' });
  refuseBeyond(deps, caller, { ...user, teamId }, `Moving ${user.username} into this team`);
}

/** Call before an account gets this role and team; returns the role. Throws RIGHTS_EXCEEDED or ROLE_INVALID. */
export function checkGives(
  deps: LoginDeps,
  caller: Principal,
  given: { readonly role: string | undefined; readonly teamId: string | undefined },
): string {
  const role = checkRole(given.role, loginOf(deps).roles);
  refuseBeyond(deps, caller, { id: '', role, teamId: given.teamId ?? null }, `Giving the role ${role}`);
  return role;
}

function refuseStronger(deps: LoginDeps, caller: Principal, user: User | undefined): void {
  if (user !== undefined) refuseBeyond(deps, caller, user, `Changing the account ${user.username}`);
}

function refuseBeyond(
  deps: LoginDeps,
  caller: Principal,
  { id, role, teamId }: Pick<User, 'id' | 'role' | 'teamId'>,
  action: string,
): void {
  const { roles } = loginOf(deps);
  const wanted = roles.rightsOf({ id, roles: [role], ...(teamId === null ? {} : { teamId }) });
  roles.refuseBeyond(caller, wanted, action);
}
