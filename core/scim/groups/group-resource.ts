import { groupType, type Resource } from '../model/schema.js';
import type { ScimGroupRecord } from '../scim-records.js';

/** Returns the attributes of a group that can be written. */
export function writableGroup(
  { displayName, externalId }: Pick<ScimGroupRecord, 'displayName' | 'externalId'>,
  memberIds: readonly string[],
): Resource {
  return {
    displayName,
    ...(externalId === null ? {} : { externalId }),
    ...(memberIds.length === 0 ? {} : { members: memberIds.map((value) => ({ value })) }),
  };
}

/** Returns a group as SCIM shows it; `memberIds` are empty where the answer leaves them out. */
export function groupResource(group: ScimGroupRecord, memberIds: readonly string[], base: string): Resource {
  return {
    schemas: [groupType.schema.id],
    id: group.id,
    ...writableGroup(group, []),
    ...(memberIds.length === 0
      ? {}
      : { members: memberIds.map((value) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' })) }),
    meta: {
      resourceType: groupType.name,
      created: group.createdAt,
      lastModified: group.changedAt,
      location: `${base}/Groups/${group.id}`,
      version: groupVersion(group),
    },
  };
}

export function groupVersion({ version }: ScimGroupRecord): string {
  return `W/"${version}"`;
}
