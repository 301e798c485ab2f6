import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '@quire/registry';
import { InputError, OperationalError } from '@quire/registry/errors';
import { RESTORE_FILE } from './embedded-database.js';
import type { SnapshotOutcome, SnapshotTask } from './snapshot-work.js';
import { STORE_VERSION, storeFacts } from './store-version.js';
import type { Store } from './store.js';

/** A kept backup. */
export interface Backup {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly madeAt: Date;
}

/** How a backup that was to be made, or to be restored at the next start, ended. */
export type BackupEnd =
  | { readonly act: 'backup'; readonly backup: Backup }
  | { readonly act: 'import'; readonly records: number }
  | { readonly act: 'backup' | 'import'; readonly error: unknown };

/** Dependencies of the backups. */
export interface BackupDeps {
  readonly store: Pick<Store, 'records'>;
  /** Folder of the embedded store, in which `backups/` lies. */
  readonly folder: string;
  readonly clock: Clock;
  /** How many are kept; 0 and by default all. */
  readonly keep?: number;
  readonly onEnd?: (end: BackupEnd) => void;
  /** How long one backup or check may take, ms; default 10 minutes. */
  readonly timeoutMs?: number;
  /** The module that does the work in a separate process; `snapshot-entry` by default. */
  readonly entry?: URL;
}

/** Names that the server gives: of backups that it was asked for, and of the state before a restore. */
const OWN_NAME = /^(backup|before-restore)_\d{8}T\d{6}Z(_\d+)?\.db$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.db$/;
const MAGIC = 'SQLite format 3\0';
const TIMEOUT_MS = 600_000;

/**
 * Of the moment: work that ran then does not run again, and what was counted for the hour is over. Their files are
 * gone.
 */
const ofTheMoment: readonly string[] = [
  'agenda',
  'jobs',
  'job_files',
  'job_cancels',
  'callbacks',
  'callback_bodies',
  'kept_answers',
  'leases',
  'slots',
  'nodes',
  'node_abilities',
  'session_refreshes',
  'storage_reservations',
  'loginAttempts',
];

/**
 * Backups of the embedded store: its records (accounts, keys, teams, shares, switches …) as one database file each in
 * `<store>/backups`. Files of users and jobs are not in it. A restored backup waits beside the database and takes its
 * place at the next start, since a running server has in memory what the database said.
 */
export class Backups {
  readonly #folder: string;
  #line: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: BackupDeps) {
    this.#folder = join(deps.folder, 'backups');
  }

  /** Returns the backups, newest first. */
  async list(): Promise<Backup[]> {
    const names = (await readdir(this.#folder).catch(absent)) ?? [];
    const found = await Promise.all(
      names
        .filter((name) => NAME.test(name))
        .map(async (name) => ({ name, facts: await stat(join(this.#folder, name)).catch(absent) })),
    );
    return found
      .flatMap(({ name, facts }) => (facts?.isFile() === true ? [{ name, size: facts.size, madeAt: facts.mtime }] : []))
      .sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime() || (a.name < b.name ? 1 : -1));
  }

  /**
   * Makes one of this moment, while everything goes on; the oldest go where more than `keep` have names of ours.
   * Rejects with BACKUP_FAILED or STORAGE_FULL.
   */
  create(): Promise<Backup> {
    return this.#reported(
      'backup',
      this.#inTurn(() => this.#create()),
      (backup) => ({ act: 'backup', backup }),
    );
  }

  async #create(): Promise<Backup> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await sweepParts(this.#folder);
    const part = join(this.#folder, `.${randomBytes(6).toString('hex')}.part`);
    try {
      await this.#do({ act: 'save', source: join(this.deps.folder, 'quire.db'), target: part });
      const path = await this.#keep(part);
      const { size, mtime } = await stat(path);
      await this.#prune(basename(path));
      return { name: basename(path), size, madeAt: mtime };
    } finally {
      await rm(part, { force: true });
    }
  }

  /** Absolute path of a kept backup. Throws BACKUP_UNKNOWN, also for a name that leads elsewhere. */
  async path(name: string): Promise<string> {
    const path = join(this.#folder, name);
    if (!NAME.test(name) || (await stat(path).catch(absent))?.isFile() !== true) throw new InputError('BACKUP_UNKNOWN');
    return path;
  }

  /** Throws BACKUP_UNKNOWN. */
  async delete(name: string): Promise<void> {
    await rm(await this.path(name));
  }

  /**
   * Only after a new one lies safe: `made` stays whatever the clock says. What an operator laid beside under a name of
   * their own is theirs.
   */
  async #prune(made: string): Promise<void> {
    const { keep = 0 } = this.deps;
    if (keep === 0) return;
    const others = (await this.list()).filter(({ name }) => name !== made && OWN_NAME.test(name));
    for (const { name } of others.slice(keep - 1)) {
      // A damaged database was put away together with its log.
      for (const path of [name, `${name}-wal`]) await rm(join(this.#folder, path), { force: true });
    }
  }

  /**
   * Checks a database file and lays its records down for the next start; the one that waited before is replaced. Gives
   * the number of records. The file stays. Throws BACKUP_UNFIT for a file that is not a backup of this server,
   * BACKUP_FAILED and STORAGE_FULL.
   */
  restore(path: string): Promise<number> {
    return this.#reported(
      'import',
      this.#inTurn(() => this.#restore(path)),
      (records) => ({ act: 'import', records }),
    );
  }

  async #restore(path: string): Promise<number> {
    if (!(await isDatabase(path))) throw new InputError('BACKUP_UNFIT', { detail: 'it is not a database file' });
    await sweepParts(this.deps.folder);
    const target = join(this.deps.folder, RESTORE_FILE);
    const part = join(this.deps.folder, `.${randomBytes(6).toString('hex')}.part`);
    try {
      const secret = (await storeFacts(this.deps.store).get('secret'))?.value;
      const outcome = await this.#do({
        act: 'rebuild',
        source: path,
        target: part,
        version: STORE_VERSION,
        secret: typeof secret === 'string' ? secret : null,
        without: ofTheMoment,
      });
      if ('unfit' in outcome) throw new InputError('BACKUP_UNFIT', { detail: outcome.unfit });
      await flush(part);
      await rename(part, target);
      return outcome.rows;
    } finally {
      for (const left of [part, `${part}-journal`, `${path}-journal`, `${path}-wal`, `${path}-shm`])
        await rm(left, { force: true });
    }
  }

  async #reported<T>(act: BackupEnd['act'], work: Promise<T>, endOf: (result: T) => BackupEnd): Promise<T> {
    const { onEnd } = this.deps;
    try {
      const result = await work;
      onEnd?.(endOf(result));
      return result;
    } catch (error) {
      onEnd?.({ act, error });
      throw error;
    }
  }

  /** True while a restored backup waits for the next start. */
  async waiting(): Promise<boolean> {
    return (await stat(join(this.deps.folder, RESTORE_FILE)).catch(absent)) !== undefined;
  }

  /** One after another: two at once would only slow each other down. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#line.then(work);
    this.#line = mine.catch(() => undefined);
    return mine;
  }

  /** Gives the finished file the name of its second, and a number where that is taken. */
  async #keep(part: string): Promise<string> {
    const second = this.deps.clock
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(/[-:]/g, '');
    await flush(part);
    for (let number = 1; ; number++) {
      const path = join(this.#folder, `backup_${second}${number === 1 ? '' : `_${number}`}.db`);
      try {
        // A link and not a new name, so that a backup of the same second is never replaced.
        await link(part, path);
        return path;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  /**
   * In a separate process: the engine would block this one, and a hostile file must not reach it.
   */
  #do(task: SnapshotTask): Promise<SnapshotOutcome> {
    const { timeoutMs = TIMEOUT_MS, entry = new URL('./snapshot-entry.js', import.meta.url) } = this.deps;
    return new Promise((resolve, reject) => {
      const child = fork(entry, [JSON.stringify(task)], {
        env: {},
        execArgv: [],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
      });
      let said = '';
      let outcome: SnapshotOutcome | undefined;
      child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString('utf8')}`.slice(-4000)));
      child.on('message', (message) => (outcome = message as SnapshotOutcome));
      child.once('error', (error) =>
        reject(new OperationalError('BACKUP_FAILED', { detail: 'its process could not be started' }, { cause: error })),
      );
      child.once('close', (code, signal) => {
        if (outcome !== undefined) resolve(outcome);
        else if (/SQLITE_FULL|database or disk is full|ENOSPC/.test(said)) reject(new OperationalError('STORAGE_FULL'));
        else
          reject(
            new OperationalError(
              'BACKUP_FAILED',
              {
                detail: child.killed
                  ? `it did not end within ${timeoutMs / 1000} seconds`
                  : signal === null
                    ? 'the database could not be copied'
                    : 'its process was ended',
              },
              { cause: new Error(`code ${code}: ${said}`) },
            ),
          );
      });
    });
  }
}

/** Removes what a server that was killed left unfinished; only one piece of work is done at a time. */
async function sweepParts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (/^\.[0-9a-f]{12}\.part/.test(name)) await rm(join(folder, name), { force: true });
}

async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(MAGIC.length);
    await file.read(head, 0, head.length, 0);
    return head.toString('latin1') === MAGIC;
  } finally {
    await file.close();
  }
}

async function flush(path: string): Promise<void> {
  await chmod(path, 0o600);
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
