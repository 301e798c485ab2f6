import { createHash } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock, Logger } from '@quire/registry';
import type { FolderProblem, ProblemKind } from './folder-problem.js';
import { PROBLEM_FILE } from './folder-listing.js';
import { writeDurably } from './run-journal.js';

const disk: ReadonlySet<ProblemKind> = new Set(['disk-full', 'not-writable', 'unreadable']);

/** Tells what is wrong with one watched folder: once in the log, and in a file there for those who use the folder. */
export class ProblemBoard {
  #told: string | undefined;
  /** Unknown at the start: an earlier life may have left one. */
  #mayLie = true;

  constructor(
    private readonly folder: string,
    private readonly elsewhere: string,
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {}

  /** Logs and writes the problem unless it is the one that was told last. Never rejects. */
  async tell({ kind, message, faults }: FolderProblem): Promise<void> {
    // What the disk says names another file each time.
    const text = disk.has(kind) ? kind : `${kind} ${message} ${JSON.stringify(faults)}`;
    if (text === this.#told) return;
    this.#told = text;
    this.#mayLie = true;
    this.log.warn(
      { folder: this.folder, problem: kind, detail: message, faults: faults.slice(0, 20) },
      'a watched folder is not worked on',
    );
    const facts = {
      folder: this.folder,
      since: this.clock.now().toISOString(),
      problem: kind,
      detail: message,
      ...(faults.length > 0 ? { errors: faults } : {}),
    };
    const report = `${JSON.stringify(facts, undefined, 2)}\n`;
    try {
      await writeDurably(join(this.folder, PROBLEM_FILE), report);
    } catch {
      await mkdir(this.elsewhere, { recursive: true, mode: 0o700 })
        .then(() => writeDurably(this.#other(), report))
        .catch(() => undefined);
    }
  }

  /** All is well: takes the reports away. Never rejects. */
  async clear(): Promise<void> {
    if (this.#told !== undefined) this.log.info({ folder: this.folder }, 'a watched folder is worked on again');
    this.#told = undefined;
    if (!this.#mayLie) return;
    this.#mayLie = false;
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
