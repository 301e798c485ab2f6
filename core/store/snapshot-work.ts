import { createRequire } from 'node:module';
import { chmodSync } from 'node:fs';
import type { SqlDatabase } from './embedded-database.js';
import { RECORD_COLUMNS } from './embedded-records.js';

/** Task for a separate process that works on a database file. */
export type SnapshotTask =
  | { readonly act: 'save'; readonly source: string; readonly target: string }
  /**
   * `version` and `secret`: what the backup's facts must say to be of use here. `without`: record sets that are left
   * behind.
   */
  | {
      readonly act: 'rebuild';
      readonly source: string;
      readonly target: string;
      readonly version: number;
      readonly secret: string | null;
      readonly without: readonly string[];
    };

/** Its outcome: rows written, or why a file cannot be used as a backup. */
export type SnapshotOutcome = { readonly rows: number } | { readonly unfit: string };

interface Engine {
  new (path: string, options?: { readonly timeout?: number; readonly readonly?: boolean }): SqlDatabase;
}

/** A file that is not a backup of this server. */
class Unfit extends Error {}

const TABLE = /^r_[A-Za-z][A-Za-z0-9_-]{0,59}$/;
/**
 * A table of records as `EmbeddedRecords` makes it, or made it in earlier versions: computed columns of an uploaded
 * file, and what it checks rows by, could take any time and memory.
 */
const RECORD_TABLE =
  /^CREATE TABLE "r_[A-Za-z0-9_-]+" \(id TEXT PRIMARY KEY(?: NOT NULL)?, body TEXT NOT NULL(?:, "k_([A-Za-z0-9_-]+)" GENERATED ALWAYS AS \(json_extract\(body,'\$\."\1"'\)\) VIRTUAL)*\)(?: WITHOUT ROWID)?$/;
const MOST_TABLES = 1000;

/**
 * Does the task. Blocks for as long as it takes, so it runs in a separate process (`snapshot-entry.ts`). The target
 * must not be there yet.
 */
export function doSnapshotTask(task: SnapshotTask): SnapshotOutcome {
  const engine = createRequire(import.meta.url)('libsql') as Engine;
  try {
    const rows = task.act === 'save' ? save(engine, task) : rebuild(engine, task);
    chmodSync(task.target, 0o600);
    return { rows };
  } catch (error) {
    if (error instanceof Unfit) return { unfit: error.message };
    const code = String((error as { readonly code?: unknown }).code);
    if (task.act === 'rebuild' && (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT'))
      return { unfit: 'it is damaged' };
    throw error;
  }
}

/** Writes the present content of the database to one file, also while it is in use. */
function save(engine: Engine, { source, target }: { readonly source: string; readonly target: string }): number {
  const database = new engine(source, { timeout: 10_000 });
  try {
    database.prepare('VACUUM INTO ?').run([target]);
    return tablesOf(database, 'main').reduce((sum, table) => sum + countOf(database, 'main', table), 0);
  } finally {
    database.close();
  }
}

/**
 * Writes the records of a backup into a new file. Nothing but records is taken: an uploaded file may bring triggers,
 * views and computed columns of its maker, and none of them comes near the server's database.
 */
function rebuild(
  engine: Engine,
  { source, target, version, secret, without }: Extract<SnapshotTask, { act: 'rebuild' }>,
): number {
  const database = new engine(target, { timeout: 10_000 });
  try {
    database.exec('PRAGMA trusted_schema=OFF');
    database.exec('PRAGMA cell_size_check=ON');
    database.prepare('ATTACH DATABASE ? AS backup').run([source]);
    const tables = tablesOf(database, 'backup');
    if (!tables.includes('r_store_facts') || tables.length > MOST_TABLES)
      throw new Unfit('it is not a backup of this server');
    checkTables(database, tables);
    checkFacts(database, version, secret);
    let rows = 0;
    database.exec('BEGIN');
    for (const table of tables) {
      database.exec(`CREATE TABLE main."${table}" ${RECORD_COLUMNS}`);
      if (without.includes(table.slice('r_'.length))) continue;
      const there = countOf(database, 'backup', table);
      const { changes } = database
        .prepare(
          `INSERT OR IGNORE INTO main."${table}"(id,body) SELECT id,body FROM backup."${table}" WHERE ` +
            `typeof(id)='text' AND typeof(body)='text' AND CASE WHEN json_valid(body) THEN ` +
            `json_type(body)='object' END`,
        )
        .run([]);
      if (changes !== there) throw new Unfit('it contains rows that are not records');
      rows += changes;
    }
    database.exec('COMMIT');
    return rows;
  } finally {
    database.close();
  }
}

/** Looks at the tables of records alone: nothing else in the file is taken, so nothing else is touched. */
function checkTables(database: SqlDatabase, tables: readonly string[]): void {
  for (const table of tables) {
    const sql = database.prepare("SELECT sql FROM backup.sqlite_master WHERE type='table' AND name=?").get([table])?.[
      'sql'
    ];
    if (!RECORD_TABLE.test(String(sql))) throw new Unfit('it contains tables that are not record sets');
    if (String(Object.values(database.prepare(`PRAGMA backup.quick_check("${table}")`).get([]) ?? {})[0]) !== 'ok')
      throw new Unfit('it is damaged');
  }
}

function checkFacts(database: SqlDatabase, version: number, secret: string | null): void {
  const fact = (id: string): unknown => {
    const body = database.prepare('SELECT body FROM backup.r_store_facts WHERE id=?').get([id])?.['body'];
    return typeof body === 'string' ? (JSON.parse(body) as { readonly value?: unknown }).value : undefined;
  };
  const form = fact('version');
  if (form !== version)
    throw new Unfit(
      `its data has form ${typeof form === 'number' ? form : 'unknown'}, this server reads form ${version}`,
    );
  // Its encrypted values could not be decrypted, and the server would not start.
  if (secret !== null && fact('secret') !== secret)
    throw new Unfit('it was made under another secret of the store (store/server.key)');
}

function tablesOf(database: SqlDatabase, schema: string): string[] {
  const found = database
    .prepare(
      `SELECT name, sql FROM ${schema}.sqlite_master WHERE type='table' AND name LIKE 'r\\_%' ESCAPE '\\' ` +
        'ORDER BY name',
    )
    .all([]);
  return found
    .filter(({ name, sql }) => TABLE.test(String(name)) && /^CREATE TABLE/i.test(String(sql)))
    .map(({ name }) => String(name));
}

function countOf(database: SqlDatabase, schema: string, table: string): number {
  return Number(database.prepare(`SELECT count(*) AS n FROM ${schema}."${table}"`).get([])?.['n'] ?? 0);
}
