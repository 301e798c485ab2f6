/** A value that JSON can represent. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** The base of all records: a flat JSON object with a string id. Dates are stored as ISO strings or as milliseconds. */
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

export interface FindOptions<T> {
  readonly sort?: readonly SortBy<T>[];
  /** Maximum number of records; all when missing. */
  readonly limit?: number;
  readonly skip?: number;
  readonly atMost?: AtMost<T>;
}

/** A change of one record. `set` replaces top-level fields; `inc` adds to numbers, a missing one counts as 0. */
export interface Change<T> {
  readonly set?: Partial<Omit<T, 'id'>>;
  readonly inc?: { readonly [K in keyof T]?: number };
}

/** Indexes and constraints of a record set, declared when it is opened. */
export interface RecordsOptions {
  /** Indexed fields, or groups of fields that are searched together, for searches that must not read everything. */
  readonly keys?: readonly (string | readonly string[])[];
  /** Fields, or groups of fields, that no two records may share. Null and missing values never conflict. */
  readonly unique?: readonly (string | readonly string[])[];
}

/**
 * Stores small JSON records of one type, in a local file or in a MongoDB that servers share. Every method rejects with
 * STORE_DOWN when the store cannot be reached and STORAGE_FULL when the disk is full.
 */
export interface PluginRecords<T extends Identified> {
  /** Adds a record; rejects with DuplicateRecord when the id or a unique field is in use. */
  insert(record: T): Promise<T>;
  get(id: string): Promise<T | undefined>;
  find(where?: Where<T>, options?: FindOptions<T>): Promise<T[]>;
  /** The first match of `find`. */
  findOne(where: Where<T>, options?: FindOptions<T>): Promise<T | undefined>;
  count(where?: Where<T>, options?: Pick<FindOptions<T>, 'atMost'>): Promise<number>;
  /**
   * Changes one record atomically, only while `when` and the bounds hold; returns the changed record, or undefined when
   * none matched.
   */
  update(
    id: string,
    change: Change<T>,
    when?: Where<T>,
    options?: Pick<FindOptions<T>, 'atMost'>,
  ): Promise<T | undefined>;
  /** Adds the record, or replaces the one with its id. */
  put(record: T): Promise<T>;
  /** Deletes one record, only while `when` holds; returns whether it was deleted. */
  delete(id: string, when?: Where<T>): Promise<boolean>;
  /** Deletes all matches; returns their number. An empty `where` without bounds deletes everything. */
  deleteMany(where: Where<T>, options?: Pick<FindOptions<T>, 'atMost'>): Promise<number>;
}

const brand = Symbol.for('quire.duplicateRecord');

/** A record conflicts with another in its id or a unique field. Recognised by brand (`isDuplicateRecord`). */
export class DuplicateRecord extends Error {
  readonly [brand] = true;
  constructor(
    readonly recordSet: string,
    options?: ErrorOptions,
  ) {
    super(`a record of "${recordSet}" with this id or unique field already exists`, options);
    this.name = 'DuplicateRecord';
  }
}

/** Returns whether the error is a conflict with an existing record. */
export function isDuplicateRecord(error: unknown): error is DuplicateRecord {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[brand] === true;
}

/**
 * A plugin's own records in the server's store, separate from sets with the same name of other plugins and core.
 * Available in the server only.
 */
export interface PluginStore {
  /**
   * Opens a record set; the same name must always be opened with the same options. `name`: letters, digits, `_` and
   * `-`, at most 24, starting with a letter; anything else is CONTRACT_BROKEN.
   */
  records<T extends Identified>(name: string, options?: RecordsOptions): PluginRecords<T>;
}
