import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StartupError } from '@quire/registry/errors';
import { WriteTurns } from './write-turns.js';

/** A value that the engine binds and gives back. */
export type SqlValue = string | number | null;

/** A prepared statement. Calls are synchronous and take microseconds; see the README for the measure. */
export interface SqlStatement {
  run(values: readonly SqlValue[]): { readonly changes: number };
  get(values: readonly SqlValue[]): Record<string, SqlValue> | undefined;
  all(values: readonly SqlValue[]): Record<string, SqlValue>[];
}

/** The open database file. */
export interface SqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  /** Whether a transaction is open. */
  readonly inTransaction: boolean;
  close(): void;
}

interface Engine {
  new (path: string, options: { timeout: number }): SqlDatabase;
}

/** Name of a database that takes the place of `quire.db` at the next start (`backups.ts`). */
export const RESTORE_FILE = 'quire.db.restore';

/** How long a start waits for the process before it to let go of the file, ms. */
const ownershipWaitMs = 5000;

/** The database and the right to use it. */
export interface EmbeddedDatabase {
  readonly database: SqlDatabase;
  readonly turns: WriteTurns;
  close(): void;
}

/**
 * Opens `quire.db` in the folder. WAL with synchronous=NORMAL: a commit survives the death of the process at once, and
 * the death of the machine up to the last checkpoint without damage. An exclusive transaction on the empty `quire.lock`
 * is held for life, because job recovery relies on being the only process; the kernel frees it even after kill -9.
 * Throws SETTINGS_INVALID when another process has the folder.
 */
export async function openEmbeddedDatabase(folder: string): Promise<EmbeddedDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // libsql is CommonJS with a native part: loaded here and not at import, so that a server on MongoDB never maps it.
  const engine = createRequire(import.meta.url)('libsql') as Engine;
  const lock = takeOwnership(engine, join(folder, 'quire.lock'));
  takeRestored(engine, folder);
  const database = new engine(join(folder, 'quire.db'), { timeout: ownershipWaitMs });
  database.prepare('PRAGMA journal_mode=WAL').all([]);
  database.exec('PRAGMA synchronous=NORMAL');
  database.exec('PRAGMA cache_size=-8192');
  database.prepare('PRAGMA wal_autocheckpoint=4000').all([]);
  const turns = new WriteTurns(database);
  return {
    database,
    turns,
    close: () => {
      turns.commit();
      database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
      database.close();
      // Explicitly: the engine keeps a closed connection alive until its statements are collected.
      lock.exec('ROLLBACK');
      lock.close();
    },
  };
}

/**
 * Puts a restored backup in place, and what was there before among the backups. May break off anywhere and be done
 * again.
 */
function takeRestored(engine: Engine, folder: string): void {
  const [restored, present] = [join(folder, RESTORE_FILE), join(folder, 'quire.db')];
  if (!existsSync(restored)) return;
  if (existsSync(present)) {
    const kept = join(
      folder,
      'backups',
      `before-restore_${new Date()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z')
        .replaceAll(/[-:]/g, '')}.db`,
    );
    mkdirSync(join(folder, 'backups'), { recursive: true, mode: 0o700 });
    // Writes of a server that was killed are still in the log and must go into the file. A damaged database is what
    // many restore a backup for: it goes as it is, with its log.
    if (!finish(engine, present) && existsSync(`${present}-wal`)) renameSync(`${present}-wal`, `${kept}-wal`);
    renameSync(present, kept);
  }
  for (const left of ['-wal', '-shm']) rmSync(`${present}${left}`, { force: true });
  renameSync(restored, present);
}

/** Brings the log into a database file; false for one that is damaged. */
function finish(engine: Engine, path: string): boolean {
  const database = new engine(path, { timeout: ownershipWaitMs });
  try {
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
    return true;
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) return false;
    throw error;
  } finally {
    database.close();
  }
}

function takeOwnership(engine: Engine, path: string): SqlDatabase {
  const lock = new engine(path, { timeout: ownershipWaitMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
    throw new StartupError(
      'SETTINGS_INVALID',
      {
        where: path,
        detail:
          'another Quire server is using this folder; stop it, or give this one its own QUIRE_BASE_PATH, or ' +
          'use MongoDB for both',
      },
      { cause: error },
    );
  }
}
