import type { Change, Identified, PluginRecords, RecordsOptions, Where } from '@quire/registry';

export { DuplicateRecord, isDuplicateRecord } from '@quire/registry';
export type { Change, FindOptions, Identified, RecordsOptions, Where } from '@quire/registry';

/** A record set of the store: two adapters, one behaviour (`test/suites/records.ts`). */
export interface Records<T extends Identified> extends PluginRecords<T> {
  /** Undefined unless it was asked for (`StoreRecordsOptions`), and where files of their own cost nothing. */
  readonly attached?: AttachedFiles<T> | undefined;
  /**
   * Goes through all records that match, with these fields only, in any order. Holds few of them at once, so it is for
   * sets that can be long. Records that are written meanwhile may be missed, or come as they were.
   */
  scan<F extends keyof T & string>(where: Where<T>, fields: readonly F[]): AsyncGenerator<Pick<T, F | 'id'>>;
}

export interface StoreRecordsOptions extends RecordsOptions {
  /** Records may have small files with them, in a store that is across a network. */
  readonly attached?: boolean;
}

/** Contents of small files, by names of hexadecimal digits. */
export type FileContents = ReadonlyMap<string, Buffer>;

/**
 * Small files that are written and read with their record, in one command. They are no part of it: all other reads
 * leave them out, and a change leaves them as they are. They are gone with the record, and with `put`. Together they
 * must be far below 16 MB, the size of a document.
 */
export interface AttachedFiles<T extends Identified> {
  /** As `insert` of records. */
  insert(record: T, files: FileContents): Promise<T>;
  /** As `get` of records. */
  get(id: string): Promise<WithFiles<T> | undefined>;
  /** Changes a record as `update` does; returns it with its files. */
  take(id: string, change: Change<T>, when?: Where<T>): Promise<WithFiles<T> | undefined>;
  /** Changes a record as `update` does, and replaces all of its files in the same step. */
  replace(id: string, change: Change<T>, when: Where<T>, files: FileContents): Promise<T | undefined>;
}

export interface WithFiles<T> {
  readonly record: T;
  readonly files: FileContents;
}

/** Checks names that become table, column or collection names; throws on anything but letters, digits, `_` and `-`. */
export function checkName(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(name))
    throw new Error(`"${name}" is not a valid name for a record set, area or field`);
  return name;
}
