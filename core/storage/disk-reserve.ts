import { statfs } from 'node:fs/promises';
import { OperationalError } from '@quire/registry';

/** Size and free space of a volume in bytes; free: for this user (`statvfs`, f_bavail). */
export interface Volume {
  readonly total: number;
  readonly free: number;
}

export interface DiskReserveOptions {
  /** The folders that the server writes large files to; one that does not exist yet is skipped. */
  readonly folders: readonly string[];
  /** Bytes to keep free on each volume; undefined: the smaller of 1 GiB and 5 % of the volume. */
  readonly bytes: number | undefined;
  /** Reads a volume; tests replace it. */
  readonly volumeOf?: (folder: string) => Promise<Volume>;
}

/** How long a reading is reused: uploads may arrive by the hundred. */
const KEPT_MS = 1000;
/** A hanging network mount must not hold every upload. */
const PATIENCE_MS = 2000;
/** When a refused client should try again, in seconds: files of jobs and requests are removed within minutes. */
const RETRY_SECONDS = 60;
const USUAL_BYTES = 1024 ** 3;
const USUAL_SHARE = 0.05;

/**
 * Keeps a part of the disk free, so that the database, the log and the work that has begun can still write. New uploads
 * and new jobs ask it first.
 */
export class DiskReserve {
  #last: { readonly at: number; readonly volumes: Promise<readonly Volume[]> } | undefined;

  constructor(private readonly options: DiskReserveOptions) {}

  /** Rejects with STORAGE_FULL if `bytes` more would leave less than the reserve on any volume. */
  async admit(bytes = 0): Promise<void> {
    for (const { total, free } of await this.#volumes()) {
      const reserve = this.options.bytes ?? Math.min(USUAL_BYTES, total * USUAL_SHARE);
      if (reserve > 0 && free - bytes < reserve)
        throw new OperationalError('STORAGE_FULL', { seconds: RETRY_SECONDS, free, reserve: Math.round(reserve) });
    }
  }

  #volumes(): Promise<readonly Volume[]> {
    const now = performance.now();
    if (this.#last === undefined || now - this.#last.at > KEPT_MS) this.#last = { at: now, volumes: this.#read() };
    return this.#last.volumes;
  }

  async #read(): Promise<readonly Volume[]> {
    const { folders, volumeOf = volumeOfFolder } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), PATIENCE_MS)));
    try {
      const found = await Promise.all(
        [...new Set(folders)].map((folder) => Promise.race([volumeOf(folder).catch(() => undefined), late])),
      );
      return found.filter((volume) => volume !== undefined);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function volumeOfFolder(folder: string): Promise<Volume> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return { total: blocks * bsize, free: bavail * bsize };
}
