import { StartupError } from '@quire/registry';
import { roles, INTERNAL_ROLE, type AccountServices, type Role, type User } from '../accounts/index.js';
import { shortOrigin, type Settings } from '../settings/index.js';

/** Roles and teams by group (`security.oauth2.groupRoles` and `groupTeams`). */
export interface GroupRules {
  /** The strongest first. */
  readonly roles: readonly (readonly [group: string, role: Role])[];
  readonly teams: readonly (readonly [group: string, team: string])[];
}

/** Reads the rules. Throws SETTINGS_INVALID for an entry that is not one. */
export function groupRulesOf(settings: Settings): GroupRules {
  const known = roles.filter((role) => role !== INTERNAL_ROLE);
  return {
    roles: pairsOf(settings, 'security.oauth2.groupRoles').map(([group, name]) => {
      const role = known.find((one) => one === name);
      if (role === undefined)
        throw invalid(settings, 'security.oauth2.groupRoles', `"${name}" is not a role; known are ${known.join(', ')}`);
      return [group, role];
    }),
    teams: pairsOf(settings, 'security.oauth2.groupTeams'),
  };
}

/** Role and team that a login gives. */
export interface GroupOutcome {
  readonly role: Role;
  /** Undefined without rules for teams; null for the default team. */
  readonly team: string | null | undefined;
}

/** Returns what the groups give a user who has this role so far. */
export function groupOutcome(rules: GroupRules, role: Role, groups: readonly string[]): GroupOutcome {
  const has = new Set(groups);
  const team = rules.teams.find(([group]) => has.has(group))?.[1] ?? null;
  return { role: roleOf(rules, has) ?? role, team: rules.teams.length === 0 ? undefined : team };
}

/**
 * Gives a user the role and the team of their groups, when there are rules. Returns why the role stays as it is, for
 * the log: the last administrator remains one.
 */
export async function applyGroups(
  { users, teams }: Pick<AccountServices, 'users' | 'teams'>,
  rules: GroupRules,
  user: User,
  groups: readonly string[],
): Promise<{ readonly user: User; readonly kept?: string }> {
  const { role, team } = groupOutcome(rules, user.role, groups);
  const teamId = team === undefined ? user.teamId : team === null ? teams.defaultId : await teamOf(teams, team);
  if (role === user.role && teamId === user.teamId) return { user };
  const teamLead = user.teamLead && teamId === user.teamId;
  try {
    await users.takeRights(user, { role, teamId, teamLead });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ACCOUNT_LAST_ADMIN') throw error;
    return { user, kept: 'the account is the last administrator, so it keeps its role and team' };
  }
  return { user: (await users.byId(user.id)) ?? user };
}

/** The role of the first group that the user has; undefined without rules. */
function roleOf(rules: GroupRules, has: ReadonlySet<string>): Role | undefined {
  if (rules.roles.length === 0) return undefined;
  return rules.roles.find(([group]) => has.has(group))?.[1] ?? 'ROLE_USER';
}

async function teamOf(teams: AccountServices['teams'], name: string): Promise<string> {
  const known = [...(await teams.names())].find(([, one]) => one.toLowerCase() === name.toLowerCase());
  return known?.[0] ?? (await teams.create(name)).id;
}

/** The group may contain the sign: the last one separates. */
function pairsOf(settings: Settings, key: 'security.oauth2.groupRoles' | 'security.oauth2.groupTeams') {
  return settings.get(key).map((entry): readonly [string, string] => {
    const at = entry.lastIndexOf('=');
    const [group, name] = [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()];
    if (group === '' || name === '')
      throw invalid(settings, key, `"${entry}" is not a rule; write group=${key.endsWith('Roles') ? 'role' : 'team'}`);
    return [group, name];
  });
}

function invalid(settings: Settings, key: 'security.oauth2.groupRoles' | 'security.oauth2.groupTeams', detail: string) {
  return new StartupError('SETTINGS_INVALID', {
    where: shortOrigin(settings.origin(key)),
    detail: `${key}: ${detail}`,
  });
}
