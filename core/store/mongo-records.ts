import type { Collection, Filter, UpdateFilter } from 'mongodb';
import type { MongoConnection } from './mongo-client.js';
import { checkName, DuplicateRecord, type Change, type FindOptions, type Identified, type Records, type RecordsOptions, type Where } from './records.js';
import { withStoreErrors } from './store-errors.js';

interface Document {
  _id: string;
  [field: string]: unknown;
}

/** Opens one record set as a collection; indexes are made at the first use that reaches the server. */
export function openMongoRecords<T extends Identified>(connection: MongoConnection, name: string, options: RecordsOptions = {}): Records<T> {
  return new MongoRecords<T>(connection, name, options);
}

class MongoRecords<T extends Identified> implements Records<T> {
  readonly #name: string;
  readonly #collection: Collection<Document>;
  readonly #options: RecordsOptions;
  #indexed: Promise<void> | undefined;

  constructor({ database }: MongoConnection, name: string, options: RecordsOptions) {
    this.#name = checkName(name);
    this.#collection = database.collection<Document>(name);
    this.#options = options;
  }

  insert(record: T): Promise<T> {
    return this.#use(async (collection) => {
      await collection.insertOne(toDocument(record));
      return structuredClone(record);
    });
  }

  put(record: T): Promise<T> {
    return this.#use(async (collection) => {
      const { _id, ...fields } = toDocument(record);
      await collection.replaceOne({ _id }, fields, { upsert: true });
      return structuredClone(record);
    });
  }

  get(id: string): Promise<T | undefined> {
    return this.#use(async (collection) => fromDocument<T>(await collection.findOne({ _id: id })));
  }

  find(where: Where<T> = {}, options: FindOptions<T> = {}): Promise<T[]> {
    return this.#use(async (collection) => {
      let cursor = collection.find(filterOf<T>(where, options));
      if (options.sort) cursor = cursor.sort(Object.fromEntries(options.sort.map(({ field, order }) => [nameOf(field), order === 'ascending' ? 1 : -1] as const)));
      if (options.skip) cursor = cursor.skip(options.skip);
      // A limit of 0 means "no limit" to MongoDB, and "none" here.
      if (options.limit === 0) return [];
      if (options.limit !== undefined) cursor = cursor.limit(options.limit);
      return (await cursor.toArray()).map((document) => fromDocument<T>(document) as T);
    });
  }

  async findOne(where: Where<T>, options: FindOptions<T> = {}): Promise<T | undefined> {
    return (await this.find(where, { ...options, limit: 1 }))[0];
  }

  count(where: Where<T> = {}, options: Pick<FindOptions<T>, 'atMost'> = {}): Promise<number> {
    return this.#use((collection) => collection.countDocuments(filterOf<T>(where, options)));
  }

  update(id: string, change: Change<T>, when: Where<T> = {}, options: Pick<FindOptions<T>, 'atMost'> = {}): Promise<T | undefined> {
    return this.#use(async (collection) => {
      const filter = { ...filterOf<T>(when, options), _id: id };
      const set = definedFields(change.set ?? {});
      const inc = definedFields(change.inc ?? {});
      const update: Record<string, unknown> = {};
      if (Object.keys(set).length > 0) update['$set'] = set;
      if (Object.keys(inc).length > 0) update['$inc'] = inc;
      if (Object.keys(update).length === 0) return fromDocument<T>(await collection.findOne(filter));
      return fromDocument<T>(await collection.findOneAndUpdate(filter, update as UpdateFilter<Document>, { returnDocument: 'after' }));
    });
  }

  delete(id: string, when: Where<T> = {}): Promise<boolean> {
    return this.#use(async (collection) => (await collection.deleteOne({ ...filterOf<T>(when, {}), _id: id })).deletedCount > 0);
  }

  deleteMany(where: Where<T>, options: Pick<FindOptions<T>, 'atMost'> = {}): Promise<number> {
    return this.#use(async (collection) => (await collection.deleteMany(filterOf<T>(where, options))).deletedCount);
  }

  #use<R>(work: (collection: Collection<Document>) => Promise<R>): Promise<R> {
    return withStoreErrors(async () => {
      this.#indexed ??= this.#makeIndexes().catch((error: unknown) => {
        // The server was away: the next use tries again.
        this.#indexed = undefined;
        throw error;
      });
      await this.#indexed;
      try {
        return await work(this.#collection);
      } catch (error) {
        if ((error as { code?: unknown }).code === 11000) throw new DuplicateRecord(this.#name, { cause: error });
        throw error;
      }
    });
  }

  async #makeIndexes(): Promise<void> {
    for (const key of this.#options.keys ?? []) await this.#collection.createIndex({ [checkName(key)]: 1 }, { name: `i_${key}` });
    for (const entry of this.#options.unique ?? []) {
      const group = typeof entry === 'string' ? [entry] : entry;
      // Only present values clash, as in SQL.
      const present = Object.fromEntries(group.map((field) => [checkName(field), { $type: ['string', 'number', 'bool'] }]));
      await this.#collection.createIndex(Object.fromEntries(group.map((field) => [field, 1] as const)), { name: `u_${group.join('__')}`, unique: true, partialFilterExpression: present });
    }
  }
}

function toDocument<T extends Identified>(record: T): Document {
  const { id, ...fields } = definedFields(record) as Record<string, unknown> & { id: string };
  return { _id: id, ...fields };
}

function fromDocument<T extends Identified>(document: Document | null): T | undefined {
  if (!document) return undefined;
  const { _id, ...fields } = document;
  return { id: _id, ...fields } as unknown as T;
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
  for (const [field, value] of Object.entries(atMost ?? {})) if (value !== undefined) filter[nameOf(field)] = { ...filter[nameOf(field)], $lte: value };
  return filter as Filter<Document>;
}
