import type { Filter } from '../filter/filter.js';
import { parseFilter } from '../filter/parse-filter.js';
import { scopeOf, type Scope } from '../model/attribute-path.js';
import { exactText, mentions, pageOf, select, sortPath, type ListQuery, type ResourcePage } from '../model/list.js';
import { groupType } from '../model/schema.js';
import type { ScimCall } from '../scim-call.js';
import { groupKey, type ScimGroupRecord, type ScimRecords } from '../scim-records.js';
import { groupResource } from './group-resource.js';
import type { ScimGroups } from './scim-groups.js';

/** Lists and finds groups. */
export class GroupList {
  constructor(
    private readonly records: ScimRecords,
    private readonly groups: Pick<ScimGroups, 'show'>,
  ) {}

  /** Throws SCIM_FILTER_INVALID or SCIM_PATH_INVALID. */
  async list(query: ListQuery, call: ScimCall, scope: Scope = scopeOf([groupType])): Promise<ResourcePage> {
    const filter = query.filter === undefined ? undefined : parseFilter(query.filter, scope);
    const sortBy = sortPath(query.sortBy, scope);
    const groups = await this.#candidates(filter);
    const byId = new Map(groups.map((group) => [group.id, group]));
    const members = mentions(filter, 'members') ? await this.#allMembers() : new Map<string, string[]>();
    const resources = groups.map((group) => groupResource(group, members.get(group.id) ?? [], call.base));
    const found = select(resources, filter, sortBy, query.descending).flatMap(({ id }) => listOf(byId.get(String(id))));
    return {
      total: found.length,
      resources: await Promise.all(pageOf(found, query).map((group) => this.groups.show(group, call, query))),
    };
  }

  async #candidates(filter: Filter | undefined): Promise<readonly ScimGroupRecord[]> {
    const [id, name, externalId] = ['id', 'displayName', 'externalId'].map((one) => exactText(filter, one));
    if (id !== undefined) return listOf(await this.records.groups.get(id));
    if (name !== undefined) return this.records.groups.find({ nameKey: groupKey(name) });
    if (externalId !== undefined) return this.records.groups.find({ externalId });
    const userId = exactText(filter, 'members', 'value');
    const all = userId === undefined ? await this.records.groups.find() : await this.records.groupsOf(userId);
    return all.sort((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1));
  }

  async #allMembers(): Promise<ReadonlyMap<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const { groupId, userId } of await this.records.members.find()) {
      const list = found.get(groupId) ?? [];
      list.push(userId);
      found.set(groupId, list);
    }
    return found;
  }
}

function listOf<T>(found: T | undefined): T[] {
  return found === undefined ? [] : [found];
}
