import { createHash } from 'node:crypto';
import { openJson, sealJson } from '../../secrets/index.js';
import type { Records, Store } from '../../store/index.js';
import type { DestinationSpec } from '../automations/model.js';

type Place = Pick<DestinationSpec, 'type' | 'options'>;

interface LeftRecord {
  /** Digest of the destination. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly leftAt: number;
  /** Encrypted, because options may be secrets. */
  readonly place: string;
}

/** A destination that an automation had. */
export interface LeftDestination extends Place {
  readonly id: string;
  readonly leftAt: number;
}

/** Destinations that no automation may have any more: what deliveries have left there is still to be removed. */
export class LeftDestinations {
  readonly #records: Records<LeftRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly secretKey: Buffer,
  ) {
    this.#records = store.records<LeftRecord>('automation_left_destinations');
  }

  async add(places: readonly Place[], leftAt: number): Promise<void> {
    for (const { type, options } of places) {
      const id = digestOf({ type, options });
      await this.#records.put({ id, leftAt, place: sealJson(this.secretKey, id, { type, options }) });
    }
  }

  /** Those that this server's key cannot open are removed: nothing can be done about them. */
  async all(): Promise<readonly LeftDestination[]> {
    const found: LeftDestination[] = [];
    for (const { id, leftAt, place } of await this.#records.find())
      try {
        found.push({ id, leftAt, ...(openJson(this.secretKey, id, place) as Place) });
      } catch {
        await this.remove(id);
      }
    return found;
  }

  async remove(id: string): Promise<void> {
    await this.#records.delete(id);
  }
}

/** The same for destinations of the same type with the same options. */
export function digestOf({ type, options }: Place): string {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([type, sorted]))
    .digest('hex');
}
