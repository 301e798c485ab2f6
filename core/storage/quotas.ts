import { InputError } from '@quire/registry';
import { isDuplicateRecord } from '../store/index.js';
import type { FileRecord, StorageSettings } from './model.js';
import type { StorageRecords } from './storage-records.js';

const TOTAL = 'total';
const usageOf = (ownerId: string): string => `user ${ownerId}`;
const COUNT_TRIES = 3;
const PAGE = 500;

/**
 * Keeps users within their bytes. Every change is one atomic step on one record, so limits hold whatever happens at the
 * same time.
 */
export class Quotas {
  constructor(
    private readonly records: StorageRecords,
    private readonly settings: Pick<StorageSettings, 'maxFileBytes' | 'maxUserBytes' | 'maxTotalBytes'>,
    private readonly now: () => number,
  ) {}

  /**
   * Does `work` with `bytes` more reserved for the owner; what it does not keep, because it fails, is given back.
   * `file`: all bytes of the file as it will be. Throws STORAGE_QUOTA naming the limit.
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
    const { maxFileBytes, maxUserBytes, maxTotalBytes } = this.settings;
    if (maxFileBytes !== undefined && file > maxFileBytes) throw over(file, 'a file', maxFileBytes, 'maxFileMb');
    const more = Math.max(0, bytes);
    await this.records.reservations.insert({ id, ownerId, bytes: more, at: this.now() });
    let taken: string[] = [];
    try {
      for (const [usage, limit, whose, setting] of [
        [usageOf(ownerId), maxUserBytes, 'the files of one user', 'maxStorageMbPerUser'],
        [TOTAL, maxTotalBytes, 'all files together', 'maxStorageMbTotal'],
      ] as const) {
        if (!(await this.#take(usage, more, limit))) throw over(more, whose, limit ?? 0, setting);
        taken.push(usage);
      }
      const done = await work();
      taken = [];
      // What became smaller is given back only when the smaller content is there.
      if (bytes < 0) await this.release(ownerId, -bytes).catch(left);
      return done;
    } finally {
      for (const usage of taken) await this.#add(usage, -more).catch(left);
      await this.records.reservations.delete(id).catch(left);
    }
  }

  /**
   * Refuses at once what would be refused anyway: `bytes` more of the owner, `file` bytes of the file. Reserves
   * nothing. Throws as `within`.
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
    const { maxFileBytes, maxUserBytes, maxTotalBytes } = this.settings;
    if (maxFileBytes !== undefined && file > maxFileBytes) throw over(file, 'a file', maxFileBytes, 'maxFileMb');
    for (const [usage, limit, whose, setting] of [
      [usageOf(ownerId), maxUserBytes, 'the files of one user', 'maxStorageMbPerUser'],
      [TOTAL, maxTotalBytes, 'all files together', 'maxStorageMbTotal'],
    ] as const) {
      if (limit !== undefined && bytes > 0 && ((await this.records.usage.get(usage))?.bytes ?? 0) + bytes > limit)
        throw over(bytes, whose, limit, setting);
    }
  }

  /** Gives back the bytes of what was deleted. */
  async release(ownerId: string, bytes: number): Promise<void> {
    for (const usage of [usageOf(ownerId), TOTAL]) await this.#add(usage, -bytes);
  }

  /** Bytes that count for a user now. */
  async usedBy(ownerId: string): Promise<number> {
    return (await this.records.usage.get(usageOf(ownerId)))?.bytes ?? 0;
  }

  /**
   * Counts again from the files and reservations that there are; a count that changes meanwhile is left for the next
   * time. Reservations from before `before` (ms) belong to uploads that crashed.
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

  async #sums(): Promise<Map<string, number>> {
    const sums = new Map<string, number>();
    const add = (ownerId: string, bytes: number): void => {
      for (const usage of [usageOf(ownerId), TOTAL]) sums.set(usage, (sums.get(usage) ?? 0) + bytes);
    };
    // Reservations first: what becomes a file meanwhile is counted twice rather than not at all, and its usage has
    // changed, so nothing is written.
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

/** Every file of everybody, a page at a time. */
export async function* allFiles({ files }: Pick<StorageRecords, 'files'>): AsyncGenerator<FileRecord> {
  // By number and not by a count of rows skipped: a file that goes meanwhile must not hide another.
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
 * A count that cannot be settled now is too high until the next recount; what was kept is kept, and what failed has
 * said so.
 */
function left(): void {}

function over(found: number, whose: string, limit: number, setting: string): InputError {
  return new InputError('STORAGE_QUOTA', {
    found,
    detail: `${whose} may take ${limit} bytes (storage.quotas.${setting})`,
  });
}
