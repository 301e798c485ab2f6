import type { User } from '../../accounts/index.js';
import { asRole } from '../model/assignable-roles.js';
import { userType, type Resource } from '../model/schema.js';
import type { ScimGroupRecord, ScimUserRecord } from '../scim-records.js';
import { chosenRole } from './user-account.js';

/** Attributes that are those of the account, and are not stored beside it. */
const ofAccount: ReadonlySet<string> = new Set(['schemas', 'userName', 'active', 'externalId', 'id', 'meta']);

/** Returns the attributes of an account that can be written, as they are now. */
export function writableUser(user: User, record: ScimUserRecord | undefined): Resource {
  const { roles, ...attributes } = record === undefined ? {} : (JSON.parse(record.attributes) as Resource);
  const sent = chosenRole(roles);
  return {
    userName: user.username,
    active: user.enabled,
    ...(typeof record?.externalId === 'string' ? { externalId: record.externalId } : {}),
    ...attributes,
    // The role may have been changed elsewhere; what was sent beside it is then gone.
    roles: [asRole(sent?.['value']) === user.role ? { ...sent, value: user.role } : { value: user.role }],
  };
}

/** Returns what has to be stored of written attributes. */
export function storedAttributes(resource: Resource): Resource {
  const role = chosenRole(resource['roles']);
  const kept = { ...resource, roles: role === undefined ? undefined : [role] };
  return Object.fromEntries(
    Object.entries(kept).filter(([name, value]) => value !== undefined && !ofAccount.has(name)),
  );
}

/** Returns an account as SCIM shows it. `base`: address of `/scim/v2`. */
export function userResource(
  user: User,
  record: ScimUserRecord | undefined,
  groups: readonly ScimGroupRecord[],
  base: string,
): Resource {
  const written = writableUser(user, record);
  return {
    schemas: [userType.schema.id, ...Object.keys(written).filter((name) => /^urn:/i.test(name))],
    id: user.id,
    ...written,
    ...(groups.length === 0 ? {} : { groups: groups.map((group) => membership(group, base)) }),
    meta: {
      resourceType: userType.name,
      created: user.createdAt,
      lastModified: record?.changedAt ?? user.createdAt,
      location: `${base}/Users/${user.id}`,
      version: userVersion(user, record),
    },
  };
}

/** Returns the entity tag: other changes of the account count too, so it does not come from the record alone. */
export function userVersion({ username, enabled, role }: User, record: ScimUserRecord | undefined): string {
  const state = enabled ? 'on' : 'off';
  return `W/"${[String(record?.version ?? 0), state, role, username].map(encodeURIComponent).join(':')}"`;
}

function membership({ id, displayName }: ScimGroupRecord, base: string): Resource {
  return { value: id, $ref: `${base}/Groups/${id}`, display: displayName, type: 'direct' };
}
