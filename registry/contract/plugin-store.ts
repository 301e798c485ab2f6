/** A value that survives JSON. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined };

/** Anything kept in records: a flat JSON object with a string id. Dates are kept as ISO strings or as milliseconds. */
export interface Identified {
  readonly id: string;
}

/** The top-level fields of T that can be compared: strings, numbers, booleans and null. */
export type ScalarField<T> = {
  [K in keyof T]-?: Exclude<T[K], undefined> extends string | number | boolean | null ? K : never;
}[keyof T] &
  string;

/** Equality on top-level scalar fields; null also matches a missing field. All must hold. */
export type Where<T> = { readonly [K in ScalarField<T>]?: T[K] };

/** One level of sorting. Missing and null values come first in ascending order. */
export interface SortBy<T> {
  readonly field: ScalarField<T>;
  readonly order: 'ascending' | 'descending';
}

/** Upper bounds, inclusive. A field that is null or missing is never within a bound. */
export type AtMost<T> = { readonly [K in ScalarField<T>]?: string | number };

/** How a search is narrowed, ordered and cut. */
export interface FindOptions<T> {
  readonly sort?: readonly SortBy<T>[];
  /** Greatest number of records; all when missing. */
  readonly limit?: number;
  readonly skip?: number;
  readonly atMost?: AtMost<T>;
}

/** A change of one record. `set` replaces top-level fields; `inc` adds to numbers, a missing one counting as 0. */
export interface Change<T> {
  readonly set?: Partial<Omit<T, 'id'>>;
  readonly inc?: { readonly [K in keyof T]?: number };
}

/** What a record set declares when it is opened. */
export interface RecordsOptions {
  /** Fields with an index, for searches that must not read everything. */
  readonly keys?: readonly string[];
  /** Fields, or groups of fields, that no two records may share. Null and missing never clash. */
  readonly unique?: readonly (string | readonly string[])[];
}

/**
 * Keeps small JSON records of one type, in a file of the server's own or in a MongoDB that servers share.
 * Every method rejects with STORE_DOWN when the store cannot be reached and STORAGE_FULL when the disk is full.
 */
export interface PluginRecords<T extends Identified> {
  /** Adds a record; rejects with DuplicateRecord when the id or a unique field is taken. */
  insert(record: T): Promise<T>;
  get(id: string): Promise<T | undefined>;
  find(where?: Where<T>, options?: FindOptions<T>): Promise<T[]>;
  /** The first match of `find`. */
  findOne(where: Where<T>, options?: FindOptions<T>): Promise<T | undefined>;
  count(where?: Where<T>, options?: Pick<FindOptions<T>, 'atMost'>): Promise<number>;
  /**
   * Changes one record atomically, only while `when` and the bounds hold; gives the record as it is now, undefined when
   * there was none to change.
   */
  update(
    id: string,
    change: Change<T>,
    when?: Where<T>,
    options?: Pick<FindOptions<T>, 'atMost'>,
  ): Promise<T | undefined>;
  /** Adds the record, or replaces the one with its id. */
  put(record: T): Promise<T>;
  /** Deletes one record, only while `when` holds; true when it was there. */
  delete(id: string, when?: Where<T>): Promise<boolean>;
  /** Deletes all matches; gives their number. An empty `where` without bounds deletes everything. */
  deleteMany(where: Where<T>, options?: Pick<FindOptions<T>, 'atMost'>): Promise<number>;
}

const brand = Symbol.for('quire.duplicateRecord');

/** A record clashes with another in its id or a unique field. Known by brand (`isDuplicateRecord`). */
export class DuplicateRecord extends Error {
  readonly [brand] = true;
  constructor(
    readonly recordSet: string,
    options?: ErrorOptions,
  ) {
    super(`a record of "${recordSet}" with this id or unique field is already there`, options);
    this.name = 'DuplicateRecord';
  }
}

/** True for a clash with a record that is already there. */
export function isDuplicateRecord(error: unknown): error is DuplicateRecord {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[brand] === true;
}

/**
 * A plugin's own records in the server's store: other plugins and core have sets of the same name for themselves. Of
 * the server alone: it does not reach workers.
 */
export interface PluginStore {
  /**
   * Opens a record set; the same name must always be opened with the same options. `name`: letters, digits, `_` and
   * `-`, at most 24 of them, a letter first; anything else is CONTRACT_BROKEN.
   */
  records<T extends Identified>(name: string, options?: RecordsOptions): PluginRecords<T>;
}
