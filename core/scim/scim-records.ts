import { randomUUID } from 'node:crypto';
import type { Clock } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records, type Store } from '../store/index.js';
import type { Resource } from './model/schema.js';

/** What SCIM knows of an account beyond the account itself. The id is that of the account. */
export interface ScimUserRecord extends Identified {
  readonly externalId: string | null;
  /** JSON of the attributes that have no other home. */
  readonly attributes: string;
  /** Counts changes, so that simultaneous ones do not lose each other. */
  readonly version: number;
  /** ISO instants. */
  readonly createdAt: string;
  readonly changedAt: string;
}

export interface ScimGroupRecord extends Identified {
  readonly displayName: string;
  /** The name without regard to case. */
  readonly nameKey: string;
  readonly externalId: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly changedAt: string;
}

/** A member is a record of its own, so that simultaneous changes of a group's members do not lose each other. */
export interface ScimMemberRecord extends Identified {
  readonly groupId: string;
  readonly userId: string;
}

/** What is stored of SCIM. */
export class ScimRecords {
  readonly users: Records<ScimUserRecord>;
  readonly groups: Records<ScimGroupRecord>;
  readonly members: Records<ScimMemberRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly clock: Clock,
  ) {
    this.users = store.records<ScimUserRecord>('scim_users', { unique: ['externalId'] });
    this.groups = store.records<ScimGroupRecord>('scim_groups', { unique: ['nameKey', 'externalId'] });
    this.members = store.records<ScimMemberRecord>('scim_members', { keys: ['groupId', 'userId'] });
  }

  now(): string {
    return this.clock.now().toISOString();
  }

  /**
   * Stores the attributes of an account, unless another call changed them since they were read: then false. Rejects
   * with DuplicateRecord for an externalId that is in use.
   */
  async saveUser(
    id: string,
    before: ScimUserRecord | undefined,
    externalId: string | null,
    attributes: Resource,
  ): Promise<boolean> {
    const fields = { externalId, attributes: JSON.stringify(attributes), changedAt: this.now() };
    if (before !== undefined) {
      const { version } = before;
      return (await this.users.update(id, { set: fields, inc: { version: 1 } }, { version })) !== undefined;
    }
    try {
      await this.users.insert({ id, ...fields, version: 1, createdAt: fields.changedAt });
      return true;
    } catch (error) {
      if (isDuplicateRecord(error) && (await this.users.get(id)) !== undefined) return false;
      throw error;
    }
  }

  async insertGroup({ displayName, externalId }: Pick<ScimGroupRecord, 'displayName' | 'externalId'>) {
    const now = this.now();
    const nameKey = groupKey(displayName);
    const id = randomUUID();
    return this.groups.insert({ id, displayName, nameKey, externalId, version: 1, createdAt: now, changedAt: now });
  }

  /** Adds and removes members; ignores those that are present or gone already. */
  async changeMembers(groupId: string, added: readonly string[], removed: readonly string[]): Promise<void> {
    for (const userId of added)
      await this.members.insert({ id: memberId(groupId, userId), groupId, userId }).catch((error: unknown) => {
        if (!isDuplicateRecord(error)) throw error;
      });
    for (const userId of removed) await this.members.delete(memberId(groupId, userId));
  }

  async memberIds(groupId: string): Promise<string[]> {
    return (await this.members.find({ groupId })).map(({ userId }) => userId);
  }

  async groupsOf(userId: string): Promise<ScimGroupRecord[]> {
    const found = await Promise.all(
      (await this.members.find({ userId })).map(({ groupId }) => this.groups.get(groupId)),
    );
    return found.filter((group) => group !== undefined);
  }

  /** Forgets an account that was deleted. */
  async forgetUser(userId: string): Promise<void> {
    await this.users.delete(userId);
    const memberships = await this.members.find({ userId });
    await this.members.deleteMany({ userId });
    for (const { groupId } of memberships)
      await this.groups.update(groupId, { set: { changedAt: this.now() }, inc: { version: 1 } });
  }
}

/** Names of groups are compared without regard to case. */
export function groupKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function memberId(groupId: string, userId: string): string {
  return `${groupId} ${userId}`;
}
