import type { EmbeddedDatabase, SqlDatabase, SqlStatement, SqlValue } from './embedded-database.js';
import {
  checkName,
  DuplicateRecord,
  type Change,
  type FindOptions,
  type Identified,
  type Records,
  type RecordsOptions,
  type Where,
} from './records.js';
import { withStoreErrors } from './store-errors.js';
import type { WriteTurns } from './write-turns.js';

/** Records that a scan reads in one turn, so that others have their turn. */
const SCANNED_AT_ONCE = 100;

type Opened = Pick<EmbeddedDatabase, 'database' | 'turns'>;

/**
 * Opens one record set in the database file: a table with the record as JSON and a generated, indexed column for every
 * declared key.
 */
export function openEmbeddedRecords<T extends Identified>(
  opened: Opened,
  name: string,
  options: RecordsOptions = {},
): Records<T> {
  return new EmbeddedRecords<T>(opened, name, options);
}

class EmbeddedRecords<T extends Identified> implements Records<T> {
  readonly #database: SqlDatabase;
  readonly #turns: WriteTurns;
  readonly #name: string;
  readonly #table: string;
  readonly #columns = new Set<string>();
  readonly #statements = new Map<string, SqlStatement>();

  constructor({ database, turns }: Opened, name: string, options: RecordsOptions) {
    this.#database = database;
    this.#turns = turns;
    // What follows is not to be undone with a write of somebody else.
    turns.commit();
    this.#name = name;
    this.#table = `"r_${checkName(name)}"`;
    const keys = groupsOf(options.keys);
    const groups = groupsOf(options.unique);
    const missing = makeTable(database, this.#table);
    const present = new Set(
      database
        .prepare(`PRAGMA table_xinfo(${this.#table})`)
        .all([])
        .map((row) => String(row['name'])),
    );
    for (const field of new Set([...keys.flat(), ...groups.flat()])) {
      this.#columns.add(checkName(field));
      if (!present.has(`k_${field}`))
        missing.push(
          `ALTER TABLE ${this.#table} ADD COLUMN "k_${field}" GENERATED ALWAYS AS ` +
            `(json_extract(body,'$."${field}"')) VIRTUAL`,
        );
    }
    const index = (kind: string, group: readonly string[], unique = ''): string =>
      `CREATE ${unique} INDEX IF NOT EXISTS "${kind}_${name}_${group.join('__')}" ON ${this.#table}(` +
      `${group.map((field) => `"k_${field}"`).join(',')})`;
    for (const group of keys) missing.push(index('i', group));
    for (const group of groups) missing.push(index('u', group, 'UNIQUE'));
    inOneTransaction(database, missing);
  }

  insert(record: T): Promise<T> {
    return this.#write(() => {
      this.#prepare(`INSERT INTO ${this.#table}(id,body) VALUES(?,?)`).run([record.id, JSON.stringify(record)]);
      return structuredClone(record);
    });
  }

  put(record: T): Promise<T> {
    return this.#write(() => {
      this.#prepare(
        `INSERT INTO ${this.#table}(id,body) VALUES(?,?) ON CONFLICT(id) DO UPDATE SET body=excluded.body`,
      ).run([record.id, JSON.stringify(record)]);
      return structuredClone(record);
    });
  }

  get(id: string): Promise<T | undefined> {
    return this.#read(() => this.#one(id));
  }

  find(where: Where<T> = {}, options: FindOptions<T> = {}): Promise<T[]> {
    return this.#read(() => {
      const [condition, values] = this.#condition(where, options);
      const order = (options.sort ?? []).map(
        ({ field, order: direction }) => `${this.#column(field)} ${direction === 'ascending' ? 'ASC' : 'DESC'}`,
      );
      const page =
        options.limit === undefined && options.skip === undefined
          ? ''
          : ` LIMIT ${wholeNumber(options.limit ?? -1)} OFFSET ${wholeNumber(options.skip ?? 0)}`;
      const sql =
        `SELECT body FROM ${this.#table}${condition}${order.length > 0 ? ` ORDER BY ${order.join(',')}` : ''}` +
        `${page}`;
      return this.#prepare(sql)
        .all(values)
        .map((row) => JSON.parse(String(row['body'])) as T);
    });
  }

  async *scan<F extends keyof T & string>(where: Where<T>, fields: readonly F[]): AsyncGenerator<Pick<T, F | 'id'>> {
    // The ids first: no statement may stay open while others write, and a page by page search would sort every time.
    const ids = await this.#read(() => {
      const [condition, values] = this.#condition(where, {});
      return this.#prepare(`SELECT id FROM ${this.#table}${condition}`)
        .all(values)
        .map((row) => String(row['id']));
    });
    for (let first = 0; first < ids.length; first += SCANNED_AT_ONCE) {
      const records = await this.#read(() => ids.slice(first, first + SCANNED_AT_ONCE).map((id) => this.#one(id)));
      for (const record of records) if (record !== undefined && matches(record, where)) yield picked(record, fields);
    }
  }

  async findOne(where: Where<T>, options: FindOptions<T> = {}): Promise<T | undefined> {
    return (await this.find(where, { ...options, limit: 1 }))[0];
  }

  count(where: Where<T> = {}, options: Pick<FindOptions<T>, 'atMost'> = {}): Promise<number> {
    return this.#read(() => {
      const [condition, values] = this.#condition(where, options);
      return Number(this.#prepare(`SELECT count(*) AS n FROM ${this.#table}${condition}`).get(values)?.['n'] ?? 0);
    });
  }

  update(
    id: string,
    change: Change<T>,
    when: Where<T> = {},
    { atMost }: Pick<FindOptions<T>, 'atMost'> = {},
  ): Promise<T | undefined> {
    // Reading, changing and writing happen in one synchronous turn of the only process that has the file: nothing can
    // come between.
    return this.#write(() => {
      const before = this.#one(id);
      if (!before || !matches(before, when) || !within(before, atMost)) return undefined;
      const after: Record<string, unknown> = { ...(before as object) };
      for (const [field, value] of Object.entries(change.set ?? {}))
        if (value !== undefined && field !== 'id') after[field] = value;
      for (const [field, amount] of Object.entries(change.inc ?? {}))
        after[field] = Number(after[field] ?? 0) + Number(amount);
      const body = JSON.stringify(after);
      this.#prepare(`UPDATE ${this.#table} SET body=? WHERE id=?`).run([body, id]);
      return JSON.parse(body) as T;
    });
  }

  delete(id: string, when: Where<T> = {}): Promise<boolean> {
    return this.#write(() => {
      const [condition, values] = this.#condition(when, {});
      const more = condition ? condition.replace(' WHERE ', ' AND ') : '';
      return this.#prepare(`DELETE FROM ${this.#table} WHERE id=?${more}`).run([id, ...values]).changes > 0;
    });
  }

  deleteMany(where: Where<T>, options: Pick<FindOptions<T>, 'atMost'> = {}): Promise<number> {
    return this.#write(() => {
      const [condition, values] = this.#condition(where, options);
      return this.#prepare(`DELETE FROM ${this.#table}${condition}`).run(values).changes;
    });
  }

  #one(id: string): T | undefined {
    const row = this.#prepare(`SELECT body FROM ${this.#table} WHERE id=?`).get([id]);
    return row ? (JSON.parse(String(row['body'])) as T) : undefined;
  }

  #condition(where: Where<T>, { atMost }: Pick<FindOptions<T>, 'atMost'>): [string, SqlValue[]] {
    const parts: string[] = [];
    const values: SqlValue[] = [];
    for (const [field, value] of Object.entries(where)) {
      if (value === undefined) continue;
      if (value === null) parts.push(`${this.#column(field)} IS NULL`);
      else {
        parts.push(`${this.#column(field)}=?`);
        values.push(sqlValue(value));
      }
    }
    for (const [field, value] of Object.entries(atMost ?? {})) {
      if (value === undefined) continue;
      parts.push(`${this.#column(field)}<=?`);
      values.push(sqlValue(value));
    }
    return [parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values];
  }

  #column(field: string): string {
    if (field === 'id') return 'id';
    return this.#columns.has(field) ? `"k_${field}"` : `json_extract(body,'$."${checkName(field)}"')`;
  }

  #prepare(sql: string): SqlStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #read<R>(work: () => R): Promise<R> {
    return withStoreErrors(() => this.#turns.read(work));
  }

  #write<R>(work: () => R): Promise<R> {
    return withStoreErrors(async () => {
      try {
        return await this.#turns.write(work);
      } catch (error) {
        const code = String((error as { code?: unknown }).code);
        if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'SQLITE_CONSTRAINT_UNIQUE')
          throw new DuplicateRecord(this.#name, { cause: error });
        throw error;
      }
    });
  }
}

/**
 * Columns of a table of records. With row numbers, a record has up to 4 kB in its page, and indexes have a number for
 * each instead of its id; tables of earlier versions had none, and moved what is longer than 1 kB to a page of its own,
 * which was read for every index and written with every change (ADR 0131).
 */
export const RECORD_COLUMNS = '(id TEXT PRIMARY KEY NOT NULL, body TEXT NOT NULL)';

/** Runs all or none of these. A new store has two hundred, and each would be a write of its own. */
function inOneTransaction(database: SqlDatabase, statements: readonly string[]): void {
  if (statements.length === 0) return;
  try {
    database.exec(['BEGIN IMMEDIATE', ...statements, 'COMMIT'].join(';'));
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Returns what creates a table of records that is missing; gives one of an earlier version its present form. */
function makeTable(database: SqlDatabase, table: string): string[] {
  const name = table.slice(1, -1);
  const sqlOf = (type: string): string[] =>
    database
      .prepare(`SELECT sql FROM sqlite_master WHERE type='${type}' AND tbl_name=? AND sql IS NOT NULL`)
      .all([name])
      .map(({ sql }) => String(sql));
  const [found] = sqlOf('table');
  if (found === undefined) return [`CREATE TABLE ${table} ${RECORD_COLUMNS}`];
  if (!found.endsWith(' WITHOUT ROWID')) return [];
  const columns = found.slice(found.indexOf('(')).replace(/ WITHOUT ROWID$/, '');
  const indexes = sqlOf('index');
  try {
    database.exec(
      [
        'BEGIN IMMEDIATE',
        `CREATE TABLE "new_${name}" ${columns.replace('PRIMARY KEY,', 'PRIMARY KEY NOT NULL,')}`,
        `INSERT INTO "new_${name}"(id,body) SELECT id,body FROM ${table}`,
        `DROP TABLE ${table}`,
        `ALTER TABLE "new_${name}" RENAME TO ${table}`,
        ...indexes,
        'COMMIT',
      ].join(';'),
    );
  } catch {
    // A full disk, for example. The earlier form does as well; the next start tries again.
    if (database.inTransaction) database.exec('ROLLBACK');
  }
  return [];
}

/** Of single fields, groups of one. */
function groupsOf(given: RecordsOptions['keys'] = []): readonly (readonly string[])[] {
  return given.map((entry) => (typeof entry === 'string' ? [entry] : entry));
}

function matches<T>(record: T, when: Where<T>): boolean {
  return Object.entries(when).every(
    ([field, wanted]) => wanted === undefined || ((record as Record<string, unknown>)[field] ?? null) === wanted,
  );
}

function picked<T extends Identified, F extends keyof T>(record: T, fields: readonly F[]): Pick<T, F | 'id'> {
  const wanted: readonly (F | 'id')[] = ['id', ...fields];
  return Object.fromEntries(
    wanted.filter((field) => field in record).map((field) => [field, record[field]]),
  ) as unknown as Pick<T, F | 'id'>;
}

function within<T>(record: T, atMost: FindOptions<T>['atMost']): boolean {
  return Object.entries(atMost ?? {}).every(([field, bound]) => {
    const value = (record as Record<string, unknown>)[field];
    return (
      bound === undefined || (typeof value === typeof bound && (value as string | number) <= (bound as string | number))
    );
  });
}

/** JSON booleans come out of json_extract as 1 and 0. */
function sqlValue(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError('only strings, numbers, booleans and null can be compared');
}

function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new TypeError('limit and skip are whole numbers');
  return value;
}
