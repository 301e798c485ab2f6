import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { besideOf, namesIn, unlessMissing, whenMissing, writeDurably } from '../folders/index.js';
import type { EndedRun } from './run-report.js';

/** An input of a run. `name` is its name in the run's `in/`, and its original name. */
export interface RunInput {
  readonly name: string;
  /** True for a file whose extension the first step does not accept, and which must fail for that reason. */
  readonly unsuitable?: boolean;
  /** Its size and time when it was taken (`markOf`); they must be the same when its result is published. */
  readonly mark: string;
}

/** Where an input goes at the end of its run. */
export interface InputEnding {
  /** Its name in the run's `in/`. */
  readonly name: string;
  /** Absolute folder to which it is moved; without it the input is deleted. */
  readonly folder?: string;
  /** Its name in that folder. */
  readonly keptAs?: string;
  /** The name of its report there; missing if there is none. */
  readonly reportAs?: string;
  /** The report as JSON text. */
  readonly report?: string;
}

/** An output in a part file next to its final place. Both paths are absolute. */
export interface StagedOutput {
  readonly part: string;
  readonly target: string;
}

/** How a run ends; written before any of it is done, and final. */
export interface RunEnding {
  readonly outputs: readonly StagedOutput[];
  readonly inputs: readonly InputEnding[];
  /** For the history; missing in journals of older servers. */
  readonly history?: EndedRun;
}

/** The contents of a run's journal file. */
export interface RunRecord {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly takenAt: string;
  /** How often work was started; more than one if the server stopped in between. */
  readonly attempts: number;
  readonly inputs: readonly RunInput[];
  /** Folders that may contain part files of this run. */
  readonly places: readonly string[];
  readonly ending?: RunEnding;
  /** Ids of the failed files that this run processes again. */
  readonly retryOf?: readonly string[];
}

const JOURNAL = 'run.json';

/** Runs are folders with this prefix in `processing/`. */
export const RUN_PREFIX = 'run-';

/** Prefix of all part files of one run; a file with this prefix is never an input or a final output. */
export function partPrefix(id: string): string {
  return `.quire-${id}-`;
}

/** Removes the folder of a run without inputs. Never recursive: an unexpected file in it may be an input. */
export async function removeRun(folder: string): Promise<void> {
  await unlessMissing(rmdir(join(folder, 'in')));
  for (const path of [join(folder, JOURNAL), besideOf(join(folder, JOURNAL))]) await unlessMissing(unlink(path));
  await unlessMissing(rmdir(folder));
}

/** The folder of one run, `processing/run-…`, with its inputs in `in/` and its journal. */
export class RunJournal {
  private constructor(
    readonly folder: string,
    private current: RunRecord,
  ) {}

  /**
   * Returns a journal that is not on disk yet, so that the folder can be marked as active before anybody can find it.
   */
  static prepare(
    processing: string,
    inputs: readonly RunInput[],
    places: readonly string[],
    now: Date,
    retryOf?: readonly string[],
  ): RunJournal {
    const id = `${now.getTime().toString(36)}${randomBytes(6).toString('hex')}`;
    return new RunJournal(join(processing, `${RUN_PREFIX}${id}`), {
      version: 1,
      id,
      takenAt: now.toISOString(),
      // Resuming a run counts an attempt, and that is how a retry starts.
      attempts: retryOf === undefined ? 1 : 0,
      inputs,
      places,
      ...(retryOf === undefined ? {} : { retryOf }),
    });
  }

  /** Creates the folder and writes the planned inputs, before any of them is moved. */
  async create(): Promise<void> {
    // Not recursive, so that the error says why a folder cannot be created.
    await mkdir(this.folder, { mode: 0o700 });
    await mkdir(this.inputs, { mode: 0o700 });
    await this.#write();
  }

  /**
   * Opens a run that a server left; undefined when its journal is missing or broken. Rejects when the disk does not
   * respond: a run whose end is decided must not be treated as one that never started.
   */
  static async open(folder: string): Promise<RunJournal | undefined> {
    const text = await readFile(join(folder, JOURNAL), 'utf8').catch((error: unknown) => whenMissing(error, ''));
    try {
      const record = JSON.parse(text) as RunRecord;
      return record.version === 1 && Array.isArray(record.inputs) ? new RunJournal(folder, record) : undefined;
    } catch {
      return undefined;
    }
  }

  get record(): RunRecord {
    return this.current;
  }

  /** The folder of the inputs. */
  get inputs(): string {
    return join(this.folder, 'in');
  }

  /** Returns the inputs that exist: a run that was interrupted while taking them has only some. */
  async present(): Promise<RunInput[]> {
    const names = new Set(await namesIn(this.inputs));
    return this.current.inputs.filter(({ name }) => names.has(name));
  }

  /** Writes a change to the journal. */
  async update(change: Partial<Omit<RunRecord, 'version' | 'id'>>): Promise<void> {
    const before = this.current;
    this.current = { ...before, ...change };
    try {
      await this.#write();
    } catch (error) {
      this.current = before;
      throw error;
    }
  }

  /** Removes the run's folder after its end. */
  async remove(): Promise<void> {
    await removeRun(this.folder);
  }

  #write(): Promise<void> {
    return writeDurably(join(this.folder, JOURNAL), `${JSON.stringify(this.current)}\n`);
  }
}
