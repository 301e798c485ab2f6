import type { User } from '../../accounts/index.js';
import type { Filter } from '../filter/filter.js';
import { parseFilter } from '../filter/parse-filter.js';
import { scopeOf, type Scope } from '../model/attribute-path.js';
import { exactText, mentions, pageOf, select, sortPath, type ListQuery, type ResourcePage } from '../model/list.js';
import { includes, project } from '../model/project.js';
import { userType } from '../model/schema.js';
import type { ScimCall } from '../scim-call.js';
import type { ScimGroupRecord, ScimUserRecord } from '../scim-records.js';
import { isManaged, type ScimUsersDeps } from './scim-users.js';
import { userResource } from './user-resource.js';

/** Lists and finds users. */
export class UserList {
  constructor(private readonly deps: Pick<ScimUsersDeps, 'accounts' | 'records'>) {}

  /** Throws SCIM_FILTER_INVALID or SCIM_PATH_INVALID. */
  async list(query: ListQuery, call: ScimCall, scope: Scope = scopeOf([userType])): Promise<ResourcePage> {
    const filter = query.filter === undefined ? undefined : parseFilter(query.filter, scope);
    const sortBy = sortPath(query.sortBy, scope);
    const users = await this.#candidates(filter);
    const found =
      filter === undefined && sortBy === undefined
        ? users
        : await this.#selected(users, filter, (resources) => select(resources, filter, sortBy, query.descending), call);
    const withGroups = includes(userType, query, 'groups');
    const { records } = this.deps;
    const resources = await Promise.all(
      pageOf(found, query).map(async (user) => {
        const record = await records.users.get(user.id);
        const groups = withGroups ? await records.groupsOf(user.id) : [];
        return project(userType, userResource(user, record, groups, call.base), query);
      }),
    );
    return { total: found.length, resources };
  }

  /** Looks up what the filter names exactly, else returns everybody in the order of creation. */
  async #candidates(filter: Filter | undefined): Promise<readonly User[]> {
    const { accounts, records } = this.deps;
    const [id, name, externalId] = ['id', 'userName', 'externalId'].map((one) => exactText(filter, one));
    if (id !== undefined) return managed(await accounts.users.byId(id));
    if (name !== undefined) return managed(await accounts.users.byName(name));
    if (externalId !== undefined) {
      const record = await records.users.findOne({ externalId });
      return record === undefined ? [] : managed(await accounts.users.byId(record.id));
    }
    const all = (await accounts.users.everybody()).filter(isManaged);
    return all.sort((a, b) => Number(a.id) - Number(b.id));
  }

  async #selected(
    users: readonly User[],
    filter: Filter | undefined,
    choose: (resources: readonly ReturnType<typeof userResource>[]) => readonly ReturnType<typeof userResource>[],
    { base }: ScimCall,
  ): Promise<readonly User[]> {
    const known = await this.#recordsOf(users);
    const groups = mentions(filter, 'groups') ? await this.#allGroups() : new Map<string, ScimGroupRecord[]>();
    const byId = new Map(users.map((user) => [user.id, user]));
    const chosen = choose(users.map((user) => userResource(user, known.get(user.id), groups.get(user.id) ?? [], base)));
    return chosen.flatMap(({ id }) => managed(byId.get(String(id))));
  }

  async #recordsOf(users: readonly User[]): Promise<ReadonlyMap<string, ScimUserRecord>> {
    const { records } = this.deps;
    const [only] = users;
    const one = users.length === 1 && only !== undefined ? await records.users.get(only.id) : undefined;
    const found = users.length < 2 ? (one === undefined ? [] : [one]) : await records.users.find();
    return new Map(found.map((record) => [record.id, record]));
  }

  async #allGroups(): Promise<ReadonlyMap<string, ScimGroupRecord[]>> {
    const { records } = this.deps;
    const groups = new Map((await records.groups.find()).map((group) => [group.id, group]));
    const found = new Map<string, ScimGroupRecord[]>();
    for (const { userId, groupId } of await records.members.find()) {
      const group = groups.get(groupId);
      if (group !== undefined) found.set(userId, [...(found.get(userId) ?? []), group]);
    }
    return found;
  }
}

function managed(user: User | undefined): User[] {
  return user !== undefined && isManaged(user) ? [user] : [];
}
