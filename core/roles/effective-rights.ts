import type { Principal } from '@quire/registry';
import type { GrantKey, GrantRecord } from './grants.js';
import { noRights, type Rights, type Role } from './model.js';

/** The account whose rights are asked for. */
export type RightsHolder = Pick<Principal, 'id' | 'roles' | 'teamId'>;

/** Roles and grants at one moment, for lookups that do not wait. */
export class RightsTable {
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #grants = new Map<string, GrantRecord[]>();
  readonly #effective = new Map<string, Rights>();

  constructor(roles: readonly Role[], grants: readonly GrantRecord[]) {
    this.#roles = new Map(roles.map((role) => [role.name, role]));
    for (const grant of grants) {
      const holder = holderKey(grant);
      this.#grants.set(holder, [...(this.#grants.get(holder) ?? []), grant]);
    }
  }

  get roles(): readonly Role[] {
    return [...this.#roles.values()];
  }

  role(name: string): Role | undefined {
    return this.#roles.get(name);
  }

  grants(): readonly GrantRecord[] {
    return [...this.#grants.values()].flat();
  }

  /** The grants to a user and to the user's team. */
  grantsTo({ id, teamId }: RightsHolder): readonly GrantRecord[] {
    const own = this.#grants.get(`USER ${id}`) ?? [];
    const ofTeam = teamId === undefined ? [] : (this.#grants.get(`TEAM ${teamId}`) ?? []);
    return ofTeam.length === 0 ? own : [...own, ...ofTeam];
  }

  /** The rights of the role, and what is granted to the user and the team; none for a role that does not exist. */
  rightsOf(holder: RightsHolder): Rights {
    const [name = ''] = holder.roles ?? [];
    const rights = this.#roles.get(name)?.rights ?? noRights;
    const grants = this.grantsTo(holder);
    if (grants.length === 0 || rights.areas === null) return rights;
    const key = `${name} ${holder.id} ${holder.teamId ?? ''}`;
    let known = this.#effective.get(key);
    if (known === undefined) this.#effective.set(key, (known = withGrants(rights, grants)));
    return known;
  }
}

function holderKey({ principalType, principalId }: GrantKey): string {
  return `${principalType} ${principalId}`;
}

/** A granted operation is allowed even if the role denies it; a granted category does not touch such operations. */
function withGrants(rights: Rights, grants: readonly GrantRecord[]): Rights {
  const idsOf = (type: GrantRecord['resourceType']): string[] =>
    grants.filter(({ resourceType }) => resourceType === type).map(({ resourceId }) => resourceId);
  const [operations, categories] = [idsOf('OPERATION'), idsOf('CATEGORY')];
  if (operations.length + categories.length === 0) return rights;
  const { allow, deny } = rights.operations;
  return {
    ...rights,
    categories: rights.categories === null ? null : [...new Set([...rights.categories, ...categories])],
    operations: {
      allow: [...new Set([...allow, ...operations])],
      deny: deny.filter((path) => !operations.includes(path)),
    },
  };
}
