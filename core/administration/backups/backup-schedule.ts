import type { Clock, Logger } from '@quire/registry';
import { nextCronTime } from '../../settings/index.js';
import type { Backups, Records, StoreFact } from '../../store/index.js';

export interface BackupScheduleDeps {
  readonly backups: Pick<Backups, 'create'>;
  readonly facts: Records<StoreFact>;
  readonly clock: Clock;
  readonly log: Logger;
  /** `system.databaseBackup.cron`. */
  readonly pattern: string;
  /** Product version. */
  readonly version: string;
}

/** Also the longest that a computer which was asleep waits for the backup that it missed. */
const CHECK_MS = 60_000;
const FACT = 'backup-schedule';

/**
 * Makes backups of the embedded store at the times of `system.databaseBackup.cron`. The last time is kept in the store:
 * if the server was off at one or more of them, it makes one backup when it starts. An embedded store has one server,
 * so no other makes the same backup.
 */
export class BackupSchedule {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(private readonly deps: BackupScheduleDeps) {}

  start(): void {
    const { pattern, clock } = this.deps;
    if (nextCronTime(pattern, clock.now()) === undefined) return;
    this.#check();
  }

  /** Waits for a backup that is being made. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Makes a backup if one is due. A failed one is made again at the next time of the schedule. */
  async tick(): Promise<void> {
    const { backups, facts, clock, log, pattern, version } = this.deps;
    const now = clock.now();
    const note = (): Promise<unknown> =>
      facts.put({ id: FACT, value: now.toISOString(), by: version, at: now.toISOString() });
    const last = (await facts.get(FACT))?.value;
    // A clock that ran ahead and was set back must not stop the backups until that time.
    if (typeof last !== 'string' || new Date(last) > now) return void (await note());
    const due = nextCronTime(pattern, new Date(last));
    if (due === undefined || due > now) return;
    await note();
    const { name, size } = await backups.create();
    log.info({ name, size }, 'backup of the store made, as system.databaseBackup.cron says');
  }

  #check(): void {
    if (this.#stopped) return;
    this.#running = this.tick().catch((error: unknown) =>
      this.deps.log.error({ err: error }, 'the backup of system.databaseBackup.cron failed'),
    );
    void this.#running.then(() => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.#check(), this.#pauseMs()).unref();
    });
  }

  #pauseMs(): number {
    const now = this.deps.clock.now();
    const next = nextCronTime(this.deps.pattern, now) ?? now;
    return Math.min(CHECK_MS, Math.max(next.getTime() - now.getTime(), 1));
  }
}
