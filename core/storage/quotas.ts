import { InputError } from '@quire/registry';
import { isDuplicateRecord } from '../store/index.js';
import type { FileRecord, StorageSettings } from './model.js';
import type { StorageRecords } from './storage-records.js';

const TOTAL = 'total';
const usageOf = (ownerId: string): string => `user ${ownerId}`;
const COUNT_TRIES = 3;
const PAGE = 500;

export interface StorageUsage {
  readonly usedBytes: number;
  readonly allowedBytes: number | null;
  readonly maxFileBytes: number | null;
}

/** One of the limits, and where it is set. */
interface UsageLimit {
  readonly usage: string;
  readonly limit: number | undefined;
  readonly whose: string;
  readonly setting: string;
}

/**
 * Enforces the limits for stored bytes. Every change is one atomic update of one record, so the limits hold for
 * simultaneous uploads.
 */
export class Quotas {
  constructor(
    private readonly records: StorageRecords,
    private readonly settings: Pick<StorageSettings, 'maxFileBytes' | 'maxUserBytes' | 'maxTotalBytes' | 'roleBytesOf'>,
    private readonly now: () => number,
  ) {}

  /**
   * Reserves `bytes` more for the owner and runs `work`; the reservation is undone if it fails. `file` is the total
   * size that the file will have. Throws STORAGE_QUOTA that names the limit.
   */
  async within<T>(
    {
      id,
      ownerId,
      bytes,
      file,
    }: { readonly id: string; readonly ownerId: string; readonly bytes: number; readonly file: number },
    work: () => Promise<T>,
  ): Promise<T> {
    const { maxFileBytes } = this.settings;
    if (maxFileBytes !== undefined && file > maxFileBytes)
      throw over(file, 'a file', maxFileBytes, 'storage.quotas.maxFileMb');
    const limits = await this.#limitsOf(ownerId);
    const more = Math.max(0, bytes);
    await this.records.reservations.insert({ id, ownerId, bytes: more, at: this.now() });
    let taken: string[] = [];
    try {
      for (const { usage, limit, whose, setting } of limits) {
        if (!(await this.#take(usage, more, limit))) throw over(more, whose, limit ?? 0, setting);
        taken.push(usage);
      }
      const done = await work();
      taken = [];
      // Freed bytes are only released once the smaller content is stored.
      if (bytes < 0) await this.release(ownerId, -bytes).catch(left);
      return done;
    } finally {
      for (const usage of taken) await this.#add(usage, -more).catch(left);
      await this.records.reservations.delete(id).catch(left);
    }
  }

  /**
   * Rejects an upload that would be rejected anyway: `bytes` more for the owner, `file` bytes in the file. Reserves
   * nothing. Throws as `within` does.
   */
  async foresee({
    ownerId,
    bytes,
    file,
  }: {
    readonly ownerId: string;
    readonly bytes: number;
    readonly file: number;
  }): Promise<void> {
    const { maxFileBytes } = this.settings;
    if (maxFileBytes !== undefined && file > maxFileBytes)
      throw over(file, 'a file', maxFileBytes, 'storage.quotas.maxFileMb');
    for (const { usage, limit, whose, setting } of await this.#limitsOf(ownerId)) {
      if (limit !== undefined && bytes > 0 && ((await this.records.usage.get(usage))?.bytes ?? 0) + bytes > limit)
        throw over(bytes, whose, limit, setting);
    }
  }

  /** Releases the bytes of deleted contents. */
  async release(ownerId: string, bytes: number): Promise<void> {
    for (const usage of [usageOf(ownerId), TOTAL]) await this.#add(usage, -bytes);
  }

  /** Returns the bytes that count for a user now. */
  async usedBy(ownerId: string): Promise<number> {
    return (await this.records.usage.get(usageOf(ownerId)))?.bytes ?? 0;
  }

  /** Returns what a user stores and may store; null is no limit. */
  async usage(ownerId: string): Promise<StorageUsage> {
    const { maxFileBytes } = this.settings;
    const usedBytes = await this.usedBy(ownerId);
    const [{ limit }] = await this.#limitsOf(ownerId);
    return { usedBytes, allowedBytes: limit ?? null, maxFileBytes: maxFileBytes ?? null };
  }

  /**
   * Recounts from the existing files and reservations; a count that changes meanwhile is left for the next time.
   * Reservations from before `before` (ms) belong to crashed uploads and are deleted.
   */
  async recount(before: number): Promise<void> {
    await this.records.reservations.deleteMany({}, { atMost: { at: before } });
    for (let tries = 0, wrong = true; wrong && tries < COUNT_TRIES; tries += 1) {
      const known = await this.records.usage.find();
      const sums = await this.#sums();
      wrong = false;
      for (const { id, bytes, version } of known) {
        const counted = sums.get(id) ?? 0;
        if (
          counted !== bytes &&
          (await this.records.usage.update(id, { set: { bytes: counted }, inc: { version: 1 } }, { version })) ===
            undefined
        )
          wrong = true;
      }
    }
  }

  /** The limit of the user, which is the smaller one of the server's and the role's, and the limit of all together. */
  async #limitsOf(ownerId: string): Promise<readonly [UsageLimit, UsageLimit]> {
    const { maxUserBytes = Infinity, maxTotalBytes, roleBytesOf } = this.settings;
    const ofRole = (await roleBytesOf?.(ownerId)) ?? Infinity;
    const most = Math.min(maxUserBytes, ofRole);
    return [
      {
        usage: usageOf(ownerId),
        limit: most === Infinity ? undefined : most,
        whose: 'the files of one user',
        setting: ofRole < maxUserBytes ? 'limit storageMb of the role' : 'storage.quotas.maxStorageMbPerUser',
      },
      {
        usage: TOTAL,
        limit: maxTotalBytes,
        whose: 'all files together',
        setting: 'storage.quotas.maxStorageMbTotal',
      },
    ];
  }

  async #sums(): Promise<Map<string, number>> {
    const sums = new Map<string, number>();
    const add = (ownerId: string, bytes: number): void => {
      for (const usage of [usageOf(ownerId), TOTAL]) sums.set(usage, (sums.get(usage) ?? 0) + bytes);
    };
    // Read reservations first: an upload that becomes a file meanwhile is then counted twice, not skipped. Its usage
    // record has changed too, so the wrong sum is not written.
    const reserved = new Map((await this.records.reservations.find()).map((one) => [one.id, one]));
    for await (const file of allFiles(this.records)) {
      add(file.ownerId, file.totalBytes);
      reserved.delete(file.blob);
    }
    for (const { ownerId, bytes } of reserved.values()) add(ownerId, bytes);
    return sums;
  }

  async #take(id: string, bytes: number, limit: number | undefined): Promise<boolean> {
    const bound = limit === undefined ? {} : { atMost: { bytes: limit - bytes } };
    for (;;) {
      if ((await this.records.usage.update(id, { inc: { bytes, version: 1 } }, {}, bound)) !== undefined) return true;
      const known = await this.records.usage.get(id);
      if (known === undefined) await this.#open(id);
      else if (limit !== undefined && known.bytes + bytes > limit) return false;
    }
  }

  async #add(id: string, bytes: number): Promise<void> {
    await this.records.usage.update(id, { inc: { bytes, version: 1 } });
  }

  async #open(id: string): Promise<void> {
    await this.records.usage.insert({ id, bytes: 0, version: 0 }).catch((error: unknown) => {
      if (!isDuplicateRecord(error)) throw error;
    });
  }
}

/** Yields every file of all users, in pages. */
export async function* allFiles({ files }: Pick<StorageRecords, 'files'>): AsyncGenerator<FileRecord> {
  // Pages start after a number, not after a count of rows: a file deleted meanwhile must not hide another.
  for (let last = Number.POSITIVE_INFINITY; ;) {
    const page = await files.find(
      {},
      {
        sort: [{ field: 'number', order: 'descending' }],
        limit: PAGE,
        ...(Number.isFinite(last) ? { atMost: { number: last - 1 } } : {}),
      },
    );
    yield* page;
    last = page.at(-1)?.number ?? 0;
    if (page.length < PAGE) return;
  }
}

/**
 * Ignores an error: a count that cannot be corrected now is too high until the next recount. The stored content and the
 * original error are not affected.
 */
function left(): void {}

function over(found: number, whose: string, limit: number, setting: string): InputError {
  return new InputError('STORAGE_QUOTA', {
    found,
    detail: `${whose} may use ${limit} bytes (${setting})`,
  });
}
