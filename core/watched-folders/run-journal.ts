import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readFile, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** One input of a run. `name` is its name in the run's `in/`, and the one it had. */
export interface RunInput {
  readonly name: string;
  /** True for a file that the first step does not take by its extension, and that is to fail for it. */
  readonly unsuitable?: boolean;
  /** How it looked when it was taken (`markOf`); it must look so still when its result is given out. */
  readonly mark: string;
}

/** Where one input goes. */
export interface InputEnding {
  /** Its name in the run's `in/`. */
  readonly name: string;
  /** Absolute folder; absent: it is deleted. */
  readonly folder?: string;
  /** Its name there. */
  readonly keptAs?: string;
  /** Its report's name there; absent where none is kept. */
  readonly reportAs?: string;
  /** What the report says, as JSON text. */
  readonly report?: string;
}

/** One output that waits beside its place. Both paths are absolute. */
export interface StagedOutput {
  readonly part: string;
  readonly target: string;
}

/** How a run ends; from here on nothing is decided any more. */
export interface RunEnding {
  readonly outputs: readonly StagedOutput[];
  readonly inputs: readonly InputEnding[];
}

/** What is known of a run at every start of the server. */
export interface RunRecord {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly takenAt: string;
  /** Times that work was begun; more than one when the server ended in the middle. */
  readonly attempts: number;
  readonly inputs: readonly RunInput[];
  /** Folders in which parts of this run may lie. */
  readonly places: readonly string[];
  readonly ending?: RunEnding;
}

const JOURNAL = 'run.json';

/** Runs are folders with this prefix in `processing/`. */
export const RUN_PREFIX = 'run-';

/** Waits for it; that something was not there is no fault. */
export async function unlessMissing(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
}

/** What stands for something that is not there; throws any other error. */
function whenMissing<T>(error: unknown, value: T): T {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
  throw error;
}

/**
 * The names in a folder; none when it is not there. Rejects when the disk does not answer: what is not seen is not
 * gone.
 */
export function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => whenMissing(error, []));
}

/**
 * What has a path, not followed when it is a link; undefined where nothing has it. Rejects when the disk does not
 * answer.
 */
export function statsOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: unknown) => whenMissing(error, undefined));
}

/** Prefix of all parts of one run; a file so named is nobody's input and nobody's output. */
export function partPrefix(id: string): string {
  return `.quire-${id}-`;
}

/** Where `writeDurably` writes first: hidden, so that nobody takes it for an input. */
function besideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.new`);
}

/** Writes a small file so that it is either the old or the new one, whatever happens. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const beside = besideOf(path);
  // A left-over, or a link that somebody put there, is not written through.
  await unlessMissing(unlink(beside));
  const handle = await open(beside, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

/** Makes renames in a folder last; a file system that cannot is left to itself. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/**
 * Removes the folder of a run from which every input is gone. Never recursively: whatever should lie there against all
 * expectation is somebody's input.
 */
export async function removeRun(folder: string): Promise<void> {
  await unlessMissing(rmdir(join(folder, 'in')));
  for (const path of [join(folder, JOURNAL), besideOf(join(folder, JOURNAL))]) await unlessMissing(unlink(path));
  await unlessMissing(rmdir(folder));
}

/** The folder of one run, `processing/run-…`: its inputs in `in/` and the journal. */
export class RunJournal {
  private constructor(
    readonly folder: string,
    private current: RunRecord,
  ) {}

  /** A journal that is not on disk yet, so that its folder is known to be at work before anybody can find it. */
  static prepare(processing: string, inputs: readonly RunInput[], places: readonly string[], now: Date): RunJournal {
    const id = `${now.getTime().toString(36)}${randomBytes(6).toString('hex')}`;
    return new RunJournal(join(processing, `${RUN_PREFIX}${id}`), {
      version: 1,
      id,
      takenAt: now.toISOString(),
      attempts: 1,
      inputs,
      places,
    });
  }

  /** Makes the folder and writes what will be taken, before anything is. */
  async create(): Promise<void> {
    // One by one: where a folder cannot be made, that says why.
    await mkdir(this.folder, { mode: 0o700 });
    await mkdir(this.inputs, { mode: 0o700 });
    await this.#write();
  }

  /**
   * Opens what a server left; undefined when its journal is missing or broken. Rejects when the disk does not answer: a
   * run whose end is decided must not be taken for one that never began.
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

  /** Folder of the inputs. */
  get inputs(): string {
    return join(this.folder, 'in');
  }

  /** The inputs that are really there: of a run that was cut short while it took them, some are not. */
  async present(): Promise<RunInput[]> {
    const names = new Set(await namesIn(this.inputs));
    return this.current.inputs.filter(({ name }) => names.has(name));
  }

  /** Keeps a change. */
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

  /** The run is over and nothing of it is left in here. */
  async remove(): Promise<void> {
    await removeRun(this.folder);
  }

  #write(): Promise<void> {
    return writeDurably(join(this.folder, JOURNAL), `${JSON.stringify(this.current)}\n`);
  }
}
