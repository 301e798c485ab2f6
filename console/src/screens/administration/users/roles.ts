import { asProblem, callJson } from '../../../api/index.ts';
import { t } from '../texts.ts';

const builtIn = {
  ROLE_ADMIN: /* t */ 'Administrator',
  ROLE_USER: /* t */ 'User',
  ROLE_DEMO_USER: /* t */ 'Demo user',
  ROLE_WEB_ONLY_USER: /* t */ 'User of the web pages',
  ROLE_INTERNAL_API_USER: /* t */ 'Internal API user',
} as const;

let titles: ReadonlyMap<string, string> = new Map();

/** Loads the roles that can be given. Whoever administers users alone may not read them, and gives the usual ones. */
export async function loadRoleNames(): Promise<void> {
  try {
    const { roles } = await callJson<{ roles: readonly { name: string; title: string }[] }>('admin/roles');
    titles = new Map(roles.map(({ name, title }) => [name, title]));
  } catch (error) {
    if (asProblem(error).status !== 403) throw error;
  }
}

/** A role as people read it. */
export function roleName(role: string): string {
  return role in builtIn ? t(builtIn[role as keyof typeof builtIn]) : (titles.get(role) ?? role);
}

/** The roles that an administrator gives. */
export function givenRoles(): readonly string[] {
  return [...new Set(['ROLE_USER', 'ROLE_ADMIN', ...titles.keys()])];
}
