import { StartupError } from '@quire/registry';
import { INTERNAL_ROLE, type AccountServices, type Role, type User } from '../accounts/index.js';
import { ROLE_NAME } from '../roles/index.js';
import { shortOrigin, type Settings } from '../settings/index.js';

/** Roles and teams by group (`groupRoles` and `groupTeams`). */
export interface GroupRules {
  /** The strongest first. */
  readonly roles: readonly (readonly [group: string, role: Role])[];
  readonly teams: readonly (readonly [group: string, team: string])[];
  /** The role without a group that has one; default: ROLE_USER. */
  readonly fallback?: Role;
}

/** Where the rules of a protocol are in the settings. */
export type RuleBase = 'security.oauth2' | 'security.saml2';
type RuleKey = `${RuleBase | 'scim'}.${'groupRoles' | 'groupTeams'}`;

/**
 * Reads the rules. Throws SETTINGS_INVALID for an entry that is not one. Whether a role exists is found out at each
 * login: administrators make and delete roles while the server runs.
 */
export function groupRulesOf(settings: Settings, base: RuleBase | 'scim'): GroupRules {
  return {
    roles: pairsOf(settings, `${base}.groupRoles`).map(([group, name]) => {
      if (!ROLE_NAME.test(name) || name === INTERNAL_ROLE)
        throw invalid(settings, `${base}.groupRoles`, `"${name}" is not a role, such as ROLE_USER`);
      return [group, name];
    }),
    teams: pairsOf(settings, `${base}.groupTeams`),
    fallback: settings.get('security.defaultRole'),
  };
}

/** Role and team that a login gives. */
export interface GroupOutcome {
  readonly role: Role;
  /** The role of the rules, when this server does not have it; the user keeps the former one. */
  readonly missingRole?: Role;
  /** Undefined without rules for teams; null for the default team. */
  readonly team: string | null | undefined;
}

/** Returns what the groups give a user who has this role so far. */
export function groupOutcome(
  users: Pick<AccountServices['users'], 'mayHave'>,
  rules: GroupRules,
  role: Role,
  groups: readonly string[],
): GroupOutcome {
  const has = new Set(groups);
  const wanted = roleOf(rules, has) ?? role;
  const exists = wanted === role || users.mayHave(wanted);
  const team = rules.teams.find(([group]) => has.has(group))?.[1] ?? null;
  return {
    role: exists ? wanted : role,
    ...(exists ? {} : { missingRole: wanted }),
    team: rules.teams.length === 0 ? undefined : team,
  };
}

/**
 * Gives a user the role and the team of their groups, when there are rules. Returns why the role stays as it is, for
 * the log: the last administrator remains one, and a role that does not exist is not given.
 */
export async function applyGroups(
  { users, teams }: Pick<AccountServices, 'users' | 'teams'>,
  rules: GroupRules,
  user: User,
  groups: readonly string[],
): Promise<{ readonly user: User; readonly kept?: string }> {
  const { role, missingRole, team } = groupOutcome(users, rules, user.role, groups);
  const missing =
    missingRole === undefined
      ? {}
      : { kept: `the groups give the role ${missingRole}, which this server does not have` };
  const teamId = team === undefined ? user.teamId : team === null ? teams.defaultId : await teamOf(teams, team);
  if (role === user.role && teamId === user.teamId) return { user, ...missing };
  const teamLead = user.teamLead && teamId === user.teamId;
  try {
    await users.takeRights(user, { role, teamId, teamLead });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ACCOUNT_LAST_ADMIN') throw error;
    return { user, kept: 'the account is the last administrator, so it keeps its role and team' };
  }
  return { user: (await users.byId(user.id)) ?? user, ...missing };
}

/** The role of the first group that the user has; undefined without rules. */
function roleOf(rules: GroupRules, has: ReadonlySet<string>): Role | undefined {
  if (rules.roles.length === 0) return undefined;
  return rules.roles.find(([group]) => has.has(group))?.[1] ?? rules.fallback ?? 'ROLE_USER';
}

async function teamOf(teams: AccountServices['teams'], name: string): Promise<string> {
  const known = [...(await teams.names())].find(([, one]) => one.toLowerCase() === name.toLowerCase());
  return known?.[0] ?? (await teams.create(name)).id;
}

/** The group may contain the sign: the last one separates. */
function pairsOf(settings: Settings, key: RuleKey) {
  return settings.get(key).map((entry): readonly [string, string] => {
    const at = entry.lastIndexOf('=');
    const [group, name] = [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()];
    if (group === '' || name === '')
      throw invalid(settings, key, `"${entry}" is not a rule; write group=${key.endsWith('Roles') ? 'role' : 'team'}`);
    return [group, name];
  });
}

function invalid(settings: Settings, key: RuleKey, detail: string) {
  return new StartupError('SETTINGS_INVALID', {
    where: shortOrigin(settings.origin(key)),
    detail: `${key}: ${detail}`,
  });
}
