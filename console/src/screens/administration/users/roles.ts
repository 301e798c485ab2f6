import { asProblem, callJson } from '../../../api/index.ts';
import { roleTitle, titleOfName } from '../roles/role-words.ts';

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
export function roleName(name: string): string {
  const title = titles.get(name);
  return title === undefined ? titleOfName(name) : roleTitle({ name, title });
}

/** The roles that an administrator gives. */
export function givenRoles(): readonly string[] {
  return [...new Set(['ROLE_USER', 'ROLE_ADMIN', ...titles.keys()])];
}
