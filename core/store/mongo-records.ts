import type { Collection, Filter, IndexDescription, UpdateFilter } from 'mongodb';
import { OperationalError } from '@quire/registry/errors';
import { indexesOnce } from './mongo-indexes.js';
import type { MongoConnection } from './mongo-client.js';
import {
  checkName,
  DuplicateRecord,
  type AttachedFiles,
  type Change,
  type FileContents,
  type FindOptions,
  type Identified,
  type Records,
  type StoreRecordsOptions,
  type Where,
  type WithFiles,
} from './records.js';
import { isDuplicateKey, withStoreErrors } from './store-errors.js';

interface Document {
  _id: string;
  /** One value for each unique field or group that is all there, by the group's name; see `uniqueValues`. */
  _unique?: Readonly<Record<string, string>>;
  /** Contents of attached files, by name. */
  _attached?: Readonly<Record<string, Buffer>>;
  [field: string]: unknown;
}

/** How a changed document is read back. */
interface Shown {
  readonly projection?: { readonly _attached: 0 };
  readonly promoteBuffers?: true;
}

const ALL: Shown = { promoteBuffers: true };

/** How often a change of one field of a unique group starts again because somebody changed another field of it. */
const groupTries = 20;

/**
 * Opens one record set as a collection; indexes are made at the first use that reaches the server, once for each
 * connection.
 */
export function openMongoRecords<T extends Identified>(
  connection: MongoConnection,
  name: string,
  options: StoreRecordsOptions = {},
): Records<T> {
  return new MongoRecords<T>(connection, name, options);
}

class MongoRecords<T extends Identified> implements Records<T> {
  readonly #name: string;
  readonly #collection: Collection<Document>;
  readonly #groups: readonly (readonly string[])[];
  readonly #indexes: () => Promise<void>;
  /** Leaves attached files where they are. */
  readonly #shown: Shown;
  readonly attached: AttachedFiles<T> | undefined;

  constructor(connection: MongoConnection, name: string, options: StoreRecordsOptions) {
    const { keys = [], unique = [], attached = false } = options;
    this.#name = checkName(name);
    this.#collection = connection.database.collection<Document>(name);
    this.#groups = unique.map((entry) => (typeof entry === 'string' ? [entry] : entry));
    const indexes = [
      ...keys.map((entry): IndexDescription => {
        const group = [entry].flat();
        return { key: Object.fromEntries(group.map((key) => [checkName(key), 1])), name: `i_${group.join('__')}` };
      }),
      ...this.#groups.map((group): IndexDescription => ({
        key: { [`_unique.${groupName(group)}`]: 1 },
        name: `u_${groupName(group)}`,
        unique: true,
        sparse: true,
      })),
    ];
    this.#indexes = () => indexesOnce(connection, this.#collection, indexes);
    this.#shown = attached ? { projection: { _attached: 0 } } : {};
    this.attached = attached ? this.#attachedFiles() : undefined;
  }

  insert(record: T): Promise<T> {
    return this.#insert(record);
  }

  #insert(record: T, files?: FileContents): Promise<T> {
    return this.#use(async (collection) => {
      const attached = files === undefined ? {} : { _attached: Object.fromEntries(files) };
      await collection.insertOne({ ...this.#toDocument(record), ...attached });
      return structuredClone(record);
    });
  }

  #attachedFiles(): AttachedFiles<T> {
    return {
      insert: (record, files) => this.#insert(record, files),
      get: (id) =>
        this.#use(async (collection) => withFiles<T>(await collection.findOne({ _id: id }, { promoteBuffers: true }))),
      take: async (id, change, when) => withFiles<T>(await this.#update(id, change, when, {}, ALL)),
      replace: async (id, change, when, files) =>
        fromDocument<T>(await this.#update(id, change, when, {}, this.#shown, Object.fromEntries(files))),
    };
  }

  put(record: T): Promise<T> {
    return this.#use(async (collection) => {
      const { _id, ...fields } = this.#toDocument(record);
      const replace = (): Promise<unknown> => collection.replaceOne({ _id }, fields, { upsert: true });
      await replace().catch((error: unknown) => {
        // Two that put the same new record at once may both find none; the second try replaces it.
        if (!isDuplicateKey(error)) throw error;
        return replace();
      });
      return structuredClone(record);
    });
  }

  get(id: string): Promise<T | undefined> {
    return this.#use(async (collection) => fromDocument<T>(await collection.findOne({ _id: id }, this.#shown)));
  }

  find(where: Where<T> = {}, options: FindOptions<T> = {}): Promise<T[]> {
    return this.#use(async (collection) => {
      let cursor = collection.find(filterOf<T>(where, options), this.#shown);
      if (options.sort)
        cursor = cursor.sort(
          Object.fromEntries(
            options.sort.map(({ field, order }) => [nameOf(field), order === 'ascending' ? 1 : -1] as const),
          ),
        );
      if (options.skip) cursor = cursor.skip(options.skip);
      // A limit of 0 means "no limit" to MongoDB, and "none" here.
      if (options.limit === 0) return [];
      if (options.limit !== undefined) cursor = cursor.limit(options.limit);
      return (await cursor.toArray()).map((document) => fromDocument<T>(document) as T);
    });
  }

  async *scan<F extends keyof T & string>(where: Where<T>, fields: readonly F[]): AsyncGenerator<Pick<T, F | 'id'>> {
    const projection = Object.fromEntries(fields.map((field) => [nameOf(field), 1]));
    const cursor = await this.#use((collection) =>
      Promise.resolve(collection.find(filterOf<T>(where, {}), { projection: { _id: 1, ...projection } })),
    );
    try {
      for (;;) {
        const document = await this.#use(() => cursor.next());
        if (document === null) return;
        yield fromDocument<T>(document) as T;
      }
    } finally {
      await cursor.close().catch(() => undefined);
    }
  }

  async findOne(where: Where<T>, options: FindOptions<T> = {}): Promise<T | undefined> {
    return (await this.find(where, { ...options, limit: 1 }))[0];
  }

  count(where: Where<T> = {}, options: Pick<FindOptions<T>, 'atMost'> = {}): Promise<number> {
    return this.#use((collection) => collection.countDocuments(filterOf<T>(where, options)));
  }

  update(
    id: string,
    change: Change<T>,
    when: Where<T> = {},
    options: Pick<FindOptions<T>, 'atMost'> = {},
  ): Promise<T | undefined> {
    return this.#update(id, change, when, options, this.#shown).then((changed) => fromDocument<T>(changed));
  }

  #update(
    id: string,
    change: Change<T>,
    when: Where<T> = {},
    options: Pick<FindOptions<T>, 'atMost'>,
    shown: Shown,
    files?: Readonly<Record<string, Buffer>>,
  ): Promise<Document | undefined> {
    return this.#use(async (collection) => {
      const filter = { ...filterOf<T>(when, options), _id: id };
      const { id: _sameId, ...set } = definedFields(change.set ?? {}) as Record<string, unknown>;
      const inc = definedFields(change.inc ?? {}) as Record<string, number>;
      const touched = this.#groups.filter((group) => group.some((field) => field in set || field in inc));
      // Values that are set are known; those that are added to, or are in the same group, must be read, and must still
      // be so when it is written.
      const read = [...new Set(touched.flat())].filter((field) => !(field in set));
      for (let tries = 0; tries < groupTries; tries += 1) {
        const before = read.length === 0 ? {} : await collection.findOne(filter, this.#shown);
        if (!before) return undefined;
        const after = {
          ...before,
          ...set,
          ...Object.fromEntries(
            Object.entries(inc).map(([field, amount]) => [
              field,
              Number((before as Record<string, unknown>)[field] ?? 0) + amount,
            ]),
          ),
        };
        const update = updateOf(set, inc, touched, uniqueValues(touched, after), files);
        const unchanged = Object.fromEntries(
          read.map((field) => [checkName(field), { $eq: (before as Record<string, unknown>)[field] ?? null }]),
        );
        const whole = { $and: [filter, unchanged] } as Filter<Document>;
        if (update === undefined) return (await collection.findOne(filter, shown)) ?? undefined;
        const changed = await collection.findOneAndUpdate(read.length === 0 ? filter : whole, update, {
          returnDocument: 'after',
          ...shown,
        });
        if (changed || read.length === 0) return changed ?? undefined;
      }
      throw new OperationalError(
        'STORE_DOWN',
        {},
        { cause: new Error(`${this.#name}: a record changes all the time`) },
      );
    });
  }

  delete(id: string, when: Where<T> = {}): Promise<boolean> {
    return this.#use(
      async (collection) => (await collection.deleteOne({ ...filterOf<T>(when, {}), _id: id })).deletedCount > 0,
    );
  }

  deleteMany(where: Where<T>, options: Pick<FindOptions<T>, 'atMost'> = {}): Promise<number> {
    return this.#use(async (collection) => (await collection.deleteMany(filterOf<T>(where, options))).deletedCount);
  }

  #toDocument(record: T): Document {
    const { id, ...fields } = definedFields(record) as Record<string, unknown> & { id: string };
    return {
      _id: id,
      ...fields,
      ...(this.#groups.length === 0 ? {} : { _unique: uniqueValues(this.#groups, fields) }),
    };
  }

  #use<R>(work: (collection: Collection<Document>) => Promise<R>): Promise<R> {
    return withStoreErrors(async () => {
      await this.#indexes();
      try {
        return await work(this.#collection);
      } catch (error) {
        if (isDuplicateKey(error)) throw new DuplicateRecord(this.#name, { cause: error });
        throw error;
      }
    });
  }
}

function updateOf(
  set: Readonly<Record<string, unknown>>,
  inc: Readonly<Record<string, number>>,
  touched: readonly (readonly string[])[],
  values: Readonly<Record<string, string>>,
  files: Readonly<Record<string, Buffer>> | undefined,
): UpdateFilter<Document> | undefined {
  const names = touched.map(groupName);
  const $set = {
    ...set,
    ...(files === undefined || Object.keys(files).length === 0 ? {} : { _attached: files }),
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`_unique.${name}`, value])),
  };
  const $unset = {
    ...Object.fromEntries(names.filter((name) => !(name in values)).map((name) => [`_unique.${name}`, true])),
    ...(files !== undefined && Object.keys(files).length === 0 ? { _attached: true } : {}),
  };
  const parts = Object.entries({ $set, $inc: inc, $unset }).filter(([, fields]) => Object.keys(fields).length > 0);
  return parts.length === 0 ? undefined : (Object.fromEntries(parts) as UpdateFilter<Document>);
}

function groupName(group: readonly string[]): string {
  return group.map(checkName).join('__');
}

/**
 * The values that no two records may share, one field for each group; absent where a value of the group is null
 * or missing: a plain unique index over present values, as in SQL. A partial index would say the same without the
 * second copy, but not every server with MongoDB's protocol supports those, and some accept the option and ignore it.
 */
function uniqueValues(
  groups: readonly (readonly string[])[],
  fields: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const whole = groups.filter((group) => group.every((field) => (fields[field] ?? null) !== null));
  return Object.fromEntries(
    whole.map((group) => [groupName(group), JSON.stringify(group.map((field) => fields[field]))]),
  );
}

function fromDocument<T extends Identified>(document: Document | null | undefined): T | undefined {
  if (!document) return undefined;
  const { _id, _unique, _attached, ...fields } = document;
  return { id: _id, ...fields } as unknown as T;
}

function withFiles<T extends Identified>(document: Document | null | undefined): WithFiles<T> | undefined {
  const record = fromDocument<T>(document);
  return record && { record, files: new Map(Object.entries(document?._attached ?? {})) };
}

/** As JSON would: undefined fields are absent, at every depth. */
function definedFields<V>(value: V): V {
  return JSON.parse(JSON.stringify(value)) as V;
}

function nameOf(field: string): string {
  return field === 'id' ? '_id' : checkName(field);
}

function filterOf<T>(where: Where<T>, { atMost }: Pick<FindOptions<T>, 'atMost'>): Filter<Document> {
  const filter: Record<string, Record<string, unknown>> = {};
  // $eq keeps a value from ever being read as an operator.
  for (const [field, value] of Object.entries(where)) if (value !== undefined) filter[nameOf(field)] = { $eq: value };
  for (const [field, value] of Object.entries(atMost ?? {}))
    if (value !== undefined) filter[nameOf(field)] = { ...filter[nameOf(field)], $lte: value };
  return filter as Filter<Document>;
}
