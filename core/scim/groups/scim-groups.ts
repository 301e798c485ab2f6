import { InputError } from '@quire/registry';
import { isDuplicateRecord } from '../../store/index.js';
import { isObject } from '../filter/match-filter.js';
import { checkVersion } from '../model/check-version.js';
import { includes, project, type Projection } from '../model/project.js';
import { readResource } from '../model/read-resource.js';
import { groupType, type Resource } from '../model/schema.js';
import { applyPatch } from '../patch/apply-patch.js';
import type { PatchOperation } from '../patch/patch-request.js';
import type { ScimCall } from '../scim-call.js';
import { groupKey, type ScimGroupRecord, type ScimRecords } from '../scim-records.js';
import type { ScimUsers } from '../users/scim-users.js';
import type { GroupRights } from './group-rights.js';
import { groupResource, groupVersion, writableGroup } from './group-resource.js';

export interface ScimGroupsDeps {
  readonly records: ScimRecords;
  readonly users: Pick<ScimUsers, 'member'>;
  readonly rights: GroupRights;
}

/** A group as it was sent. */
interface WantedGroup {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly memberIds: readonly string[];
}

const LONGEST_NAME = 256;
const MOST_TRIES = 20;

/**
 * Groups of the identity provider, kept as it sends them: an account may be in any number, while it has one team here.
 * What a group means for accounts is set by rules (`GroupRights`).
 */
export class ScimGroups {
  constructor(private readonly deps: ScimGroupsDeps) {}

  /** Throws SCIM_UNKNOWN. */
  async get(id: string, call: ScimCall, projection: Projection = {}): Promise<Resource> {
    return this.show(await this.#found(id), call, projection);
  }

  /** Returns a group as an answer has it. */
  async show(group: ScimGroupRecord, call: ScimCall, projection: Projection): Promise<Resource> {
    const members = includes(groupType, projection, 'members') ? await this.deps.records.memberIds(group.id) : [];
    return project(groupType, groupResource(group, members, call.base), projection);
  }

  /** Throws SCIM_TAKEN or SCIM_VALUE_INVALID. */
  async create(body: Resource, call: ScimCall): Promise<Resource> {
    const { records, rights } = this.deps;
    const wanted = await this.#wanted(readResource(groupType, body), []);
    const group = await takenAsScim(records.insertGroup(wanted), wanted);
    await records.changeMembers(group.id, wanted.memberIds, []);
    call.record(undefined, `group ${group.displayName} created with ${wanted.memberIds.length} members`);
    await rights.apply(wanted.memberIds, call);
    return this.get(group.id, call);
  }

  /** Replaces name and members. */
  replace(id: string, body: Resource, call: ScimCall): Promise<ScimGroupRecord> {
    const resource = readResource(groupType, body);
    return this.#change(id, call, () => resource);
  }

  patch(id: string, operations: readonly PatchOperation[], call: ScimCall): Promise<ScimGroupRecord> {
    return this.#change(id, call, (group, members) => applyPatch(groupType, writableGroup(group, members), operations));
  }

  /** Deletes a group; its members stay. Throws SCIM_UNKNOWN or SCIM_CHANGED. */
  async remove(id: string, call: ScimCall): Promise<void> {
    const { records, rights } = this.deps;
    const group = await this.#found(id);
    checkVersion(call.ifMatch, groupVersion(group));
    const when = call.ifMatch === undefined ? {} : { version: group.version };
    const members = await records.memberIds(id);
    if (!(await records.groups.delete(id, when))) throw new InputError('SCIM_CHANGED');
    await records.members.deleteMany({ groupId: id });
    call.record(undefined, `group ${group.displayName} deleted`);
    await rights.apply(members, call);
  }

  async #change(
    id: string,
    call: ScimCall,
    next: (group: ScimGroupRecord, memberIds: readonly string[]) => Resource,
  ): Promise<ScimGroupRecord> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const group = await this.#found(id);
      checkVersion(call.ifMatch, groupVersion(group));
      const members = await this.deps.records.memberIds(id);
      const wanted = await this.#wanted(next(group, members), members);
      const changed = await this.#write(group, members, wanted, call);
      if (changed !== undefined) return changed;
    }
    throw new InputError('SCIM_CHANGED');
  }

  /** Writes what differs; undefined when another call changed the name meanwhile. */
  async #write(
    group: ScimGroupRecord,
    members: readonly string[],
    wanted: WantedGroup,
    call: ScimCall,
  ): Promise<ScimGroupRecord | undefined> {
    const { records, rights } = this.deps;
    const { displayName, externalId } = wanted;
    const [before, after] = [new Set(members), new Set(wanted.memberIds)];
    const added = wanted.memberIds.filter((one) => !before.has(one));
    const removed = members.filter((one) => !after.has(one));
    const isNamed = displayName !== group.displayName || externalId !== group.externalId;
    if (added.length + removed.length === 0 && !isNamed) return group;
    const fields = isNamed ? { displayName, nameKey: groupKey(displayName), externalId } : {};
    // Changes of members add up, so they need not wait for each other.
    const when = isNamed || call.ifMatch !== undefined ? { version: group.version } : {};
    const changed = await takenAsScim(
      records.groups.update(group.id, { set: { ...fields, changedAt: records.now() }, inc: { version: 1 } }, when),
      wanted,
    );
    if (changed === undefined) return undefined;
    await records.changeMembers(group.id, added, removed);
    call.record(undefined, changeText(group, wanted, added.length, removed.length));
    await rights.apply(isNamed ? [...before, ...after] : [...added, ...removed], call);
    return changed;
  }

  async #wanted(resource: Resource, present: readonly string[]): Promise<WantedGroup> {
    const { displayName, externalId, members } = resource;
    if (typeof displayName !== 'string' || displayName.trim() === '') throw invalid('displayName', 'it is required');
    if (displayName.length > LONGEST_NAME) throw invalid('displayName', `it is longer than ${LONGEST_NAME} characters`);
    const known = new Set(present);
    const memberIds = [...new Set((Array.isArray(members) ? (members as unknown[]) : []).map(memberIdOf))];
    for (const id of memberIds) if (!known.has(id)) await this.deps.users.member(id);
    return {
      displayName,
      externalId: typeof externalId === 'string' && externalId !== '' ? externalId : null,
      memberIds,
    };
  }

  async #found(id: string): Promise<ScimGroupRecord> {
    const group = await this.deps.records.groups.get(id);
    if (group === undefined) throw new InputError('SCIM_UNKNOWN', { resource: 'group', id: id.slice(0, 100) });
    return group;
  }
}

function memberIdOf(member: unknown): string {
  const { value, type } = isObject(member) ? member : {};
  if (typeof type === 'string' && type.toLowerCase() === 'group')
    throw invalid('members', 'groups in groups are not supported; send the users');
  if (typeof value !== 'string' || value === '') throw invalid('members', 'a member has no "value" with its id');
  return value;
}

function changeText(group: ScimGroupRecord, { displayName }: WantedGroup, added: number, removed: number): string {
  const renamed = displayName === group.displayName ? '' : ` renamed to ${displayName}`;
  return `group ${group.displayName}${renamed}: ${added} members added, ${removed} removed`;
}

async function takenAsScim<T>(work: Promise<T>, { displayName }: Pick<WantedGroup, 'displayName'>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!isDuplicateRecord(error)) throw error;
    const detail = `another group is named ${displayName.slice(0, 100)}, or has this externalId`;
    throw new InputError('SCIM_TAKEN', { attribute: 'displayName', detail }, [], { cause: error });
  });
}

function invalid(attribute: string, detail: string): InputError {
  return new InputError('SCIM_VALUE_INVALID', { attribute, detail });
}
