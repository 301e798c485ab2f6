import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AttachedFiles, FileContents } from '../../store/index.js';
import type { JobRecord } from '../job-record.js';

/** Inputs, or results, that have together at most this size are in the record of their job, bytes. */
const MOST_BYTES = 128 * 1024;

/**
 * Small files of jobs that are in the record itself, where the store is across a network: they cost no command of their
 * own to be written, read or removed (ADR 0133).
 */
export class RecordFiles {
  readonly #known = new WeakMap<JobRecord, Promise<FileContents>>();

  /** `readByAll`: whether every node knows such records. */
  constructor(
    readonly records: AttachedFiles<JobRecord> | undefined,
    private readonly readByAll: () => Promise<boolean>,
  ) {}

  /** Returns the contents of files that may be in a record; undefined when they have to be stored apart. */
  async contents(paths: readonly string[]): Promise<readonly Buffer[] | undefined> {
    if (this.records === undefined || paths.length === 0) return undefined;
    let size = 0;
    for (const path of paths) {
      size += statSync(path, { throwIfNoEntry: false })?.size ?? Infinity;
      if (size > MOST_BYTES) return undefined;
    }
    if (!(await this.readByAll())) return undefined;
    return Promise.all(paths.map((path) => readFile(path)));
  }

  /** Returns the record, whose files need not be read again. */
  remember({ record, files }: { readonly record: JobRecord; readonly files: FileContents }): JobRecord {
    this.#known.set(record, Promise.resolve(files));
    return record;
  }

  /** Returns the files of a record that was just read; none when the job is gone. Rejects with STORE_DOWN. */
  of(record: JobRecord): Promise<FileContents> {
    const known = this.#known.get(record);
    if (known !== undefined) return known;
    const read = this.#read(record.id);
    this.#known.set(record, read);
    read.catch(() => this.#known.delete(record));
    return read;
  }

  async #read(id: string): Promise<FileContents> {
    return (await this.records?.get(id))?.files ?? new Map<string, Buffer>();
  }
}
