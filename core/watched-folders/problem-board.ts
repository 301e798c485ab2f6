import { createHash } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock, Logger } from '@quire/registry';
import { PROBLEM_FILE, writeDurably } from '../folders/index.js';
import type { FolderProblem, ProblemKind } from './folder-problem.js';
import type { ShownProblem } from './overview/folder-status.js';

const disk: ReadonlySet<ProblemKind> = new Set(['disk-full', 'not-writable', 'unreadable']);

/** Reports the problem of a watched folder: once in the log, and in a file in the folder for the people who use it. */
export class ProblemBoard {
  #lastReported: string | undefined;
  #current: ShownProblem | null = null;
  /** True at the start because an earlier process may have left a report. */
  #mayExist = true;

  constructor(
    private readonly folder: string,
    private readonly elsewhere: string,
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {}

  /** The problem that was reported last, until it is solved. */
  get current(): ShownProblem | null {
    return this.#current;
  }

  /** Logs the problem and writes the report, unless the last report was the same. Never rejects. */
  async report({ kind, message, faults }: FolderProblem): Promise<void> {
    // Messages of disk errors name another file each time, so they are not compared.
    const key = disk.has(kind) ? kind : `${kind} ${message} ${JSON.stringify(faults)}`;
    if (key === this.#lastReported) return;
    this.#lastReported = key;
    this.#mayExist = true;
    this.log.warn(
      { folder: this.folder, problem: kind, detail: message, faults: faults.slice(0, 20) },
      'a watched folder cannot be processed',
    );
    const since = this.clock.now().toISOString();
    this.#current = { kind, detail: message, since, errors: faults };
    const facts = {
      folder: this.folder,
      since,
      problem: kind,
      detail: message,
      ...(faults.length > 0 ? { errors: faults } : {}),
    };
    const text = `${JSON.stringify(facts, undefined, 2)}\n`;
    try {
      await writeDurably(join(this.folder, PROBLEM_FILE), text);
    } catch {
      await mkdir(this.elsewhere, { recursive: true, mode: 0o700 })
        .then(() => writeDurably(this.#other(), text))
        .catch(() => undefined);
    }
  }

  /** Removes the reports because the problem is solved. Never rejects. */
  async clear(): Promise<void> {
    if (this.#lastReported !== undefined) this.log.info({ folder: this.folder }, 'a watched folder is processed again');
    this.#lastReported = undefined;
    this.#current = null;
    if (!this.#mayExist) return;
    this.#mayExist = false;
    await unlink(join(this.folder, PROBLEM_FILE)).catch(() => undefined);
    await unlink(this.#other()).catch(() => undefined);
  }

  #other(): string {
    return join(
      this.elsewhere,
      [
        basename(this.folder).slice(0, 60),
        `${createHash('sha256').update(this.folder).digest('hex').slice(0, 16)}.json`,
      ].join('-'),
    );
  }
}
