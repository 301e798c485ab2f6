import { InputError, type Clock, type GrantedResource } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records } from '../store/index.js';

export const principalTypes = ['USER', 'TEAM'] as const;
export const permissions = ['USE', 'MANAGE'] as const;
/** PORTAL and INTEGRATION_CONFIG are the contract's (`docs/interface/identity.yml`); the others are Quire's own. */
export const resourceTypes = ['PORTAL', 'INTEGRATION_CONFIG', 'OPERATION', 'CATEGORY'] as const satisfies readonly [
  ...GrantedResource[],
];

/** What is granted, and to whom. */
export interface GrantKey {
  readonly resourceType: GrantedResource;
  /** Empty for PORTAL, the id of a connection, the path of an operation, or a category. */
  readonly resourceId: string;
  readonly principalType: (typeof principalTypes)[number];
  /** Id of the user or team. */
  readonly principalId: string;
}

/** An access grant as stored; the id is a decimal number. */
export interface GrantRecord extends Identified, GrantKey {
  readonly permission: (typeof permissions)[number];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly createdBy: string;
}

interface NumberRecord extends Identified {
  readonly last: number;
}

const COUNTER = 'grant';
const INSERT_TRIES = 100;

/** The stored grants: one for each resource and principal. */
export class GrantRecords {
  constructor(
    private readonly records: Records<GrantRecord>,
    private readonly numbers: Records<NumberRecord>,
    private readonly clock: Clock,
  ) {}

  all(): Promise<GrantRecord[]> {
    return this.records.find();
  }

  /** Adds the grant, or changes the permission of the one for the same resource and principal. */
  async give(key: GrantKey, permission: GrantRecord['permission'], createdBy: string): Promise<GrantRecord> {
    for (let tries = 1; ; tries++) {
      const { resourceType, resourceId, principalType, principalId } = key;
      const known = await this.records.findOne({ resourceType, resourceId, principalType, principalId });
      const changed = known && (await this.records.update(known.id, { set: { permission } }));
      if (changed !== undefined) return changed;
      const createdAt = this.clock.now().getTime();
      try {
        return await this.records.insert({ ...key, id: await this.#nextId(), permission, createdAt, createdBy });
      } catch (error) {
        // Another call has just made it: its permission is changed next.
        if (!isDuplicateRecord(error) || tries === INSERT_TRIES) throw error;
      }
    }
  }

  /** Returns a grant. Throws GRANT_UNKNOWN. */
  async get(id: string): Promise<GrantRecord> {
    const grant = await this.records.get(id);
    if (grant === undefined) throw new InputError('GRANT_UNKNOWN', { id });
    return grant;
  }

  /** Throws GRANT_UNKNOWN. */
  async takeBack(id: string): Promise<void> {
    if (!(await this.records.delete(id))) throw new InputError('GRANT_UNKNOWN', { id });
  }

  /** Removes every grant of a resource, or to a principal, that no longer exists; returns their number. */
  forget(
    gone: Pick<GrantKey, 'resourceType' | 'resourceId'> | Pick<GrantKey, 'principalType' | 'principalId'>,
  ): Promise<number> {
    return this.records.deleteMany(gone);
  }

  async #nextId(): Promise<string> {
    const counted = await this.numbers.update(COUNTER, { inc: { last: 1 } });
    if (counted !== undefined) return String(counted.last);
    await this.numbers.insert({ id: COUNTER, last: 0 }).catch((error: unknown) => {
      if (!isDuplicateRecord(error)) throw error;
    });
    return this.#nextId();
  }
}
