import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { inFolder } from '../../isolation/index.js';
import type { ProcessGroup } from './process-group.js';
import { RunFolder } from './run-folder.js';
import { temporaryFolder, type ProgramSupervisor } from './supervisor.js';
import { firstDocument } from './verapdf-first-document.js';
import { LONGEST_REPORT, veraPdfOptions } from './verapdf-report.js';

const PLAIN_NAME = /^[\w-]+\.\w+$/;
/** It prints two paths. */
const LONGEST_OUTPUT = 16 * 1024;

/**
 * A veraPDF that has checked a document of ours, so that its classes and rules are loaded, and waits for one more,
 * which is its last: no document reaches a process that had another one. It runs in the mode in which veraPDF starts
 * its own helpers: it prints the path of the report of the document in its arguments, then reads a path from standard
 * input, and prints the path of that report.
 */
export class VeraPdfProcess {
  #printed = '';

  private constructor(
    private readonly group: ProcessGroup,
    private readonly files: RunFolder,
    private readonly root: string,
  ) {
    group.talk?.from.on('data', (chunk: Buffer) => {
      if (this.#printed.length < LONGEST_OUTPUT) this.#printed += chunk.toString('latin1');
    });
  }

  /**
   * Starts one in a folder of its own, confined as for a document. `root`: folder of the server's temporary files.
   * Rejects with PROGRAM_MISSING, PROGRAM_NOT_STARTED or SHUTTING_DOWN.
   */
  static async start(programs: ProgramSupervisor, root: string, cpuSeconds: number): Promise<VeraPdfProcess> {
    const files = await RunFolder.create(waitingFolder(root), root);
    try {
      const first = await files.add('first.pdf', firstDocument());
      await files.admit(undefined);
      const group = await programs.start('verapdf', [...veraPdfOptions, '--servermode', first], {
        cwd: files.path,
        fixed: files.inputs,
        cpuSeconds,
        talks: 'standard',
        cleanUp: () => files.remove(),
      });
      return new VeraPdfProcess(group, files, root);
    } catch (error) {
      await files.remove();
      throw error;
    }
  }

  /** The process that is measured with all that it starts. */
  get pid(): number {
    return this.group.pid;
  }

  /** True as soon as it waits for a document; false if it has ended. */
  async ready(): Promise<boolean> {
    return (await this.#report(0)) !== undefined;
  }

  /**
   * Returns the report over a document as text; undefined if the program ended before, or wrote none. Call it once, and
   * `stop` afterwards. Rejects when the signal is aborted.
   */
  async check(input: string, signal: AbortSignal): Promise<string | undefined> {
    const path = await this.files.input(input);
    await this.files.admit(undefined);
    if ((await this.#report(0, signal)) === undefined) return undefined;
    this.group.talk?.to.write(`${path}\n`);
    const report = await this.#report(1, signal);
    return report === undefined ? undefined : this.#read(basename(report)).catch(() => undefined);
  }

  /** Ends it at once; settles when all its processes are gone, and its folder. */
  async stop(): Promise<void> {
    this.group.stop();
    await this.group.ended.catch(() => undefined);
  }

  /** The path of its nth report, as soon as it has printed that; undefined if it ended before. */
  async #report(index: number, signal?: AbortSignal): Promise<string | undefined> {
    const over = new AbortController();
    const until = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    const path = (): string | undefined =>
      this.#printed
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.startsWith('/'))[index];
    const printed = async (): Promise<string | undefined> => {
      while (path() === undefined && this.group.talk !== undefined)
        await once(this.group.talk.from, 'data', { signal: until });
      return path();
    };
    const ended = this.group.ended.then(path, () => undefined);
    const first = printed();
    try {
      return await Promise.race([first, ended]);
    } finally {
      over.abort();
      await first.catch(() => undefined);
    }
  }

  /** Reads a report, which the program can exchange for anything at any time. */
  #read(name: string): Promise<string | undefined> {
    if (!PLAIN_NAME.test(name)) return Promise.resolve(undefined);
    return inFolder(this.root, temporaryFolder(this.files.path), async (held) => {
      const file = await open(join(held, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const facts = await file.stat();
        if (!facts.isFile() || facts.size > LONGEST_REPORT) return undefined;
        const { buffer, bytesRead } = await file.read(Buffer.alloc(facts.size), 0, facts.size, 0);
        return buffer.toString('utf8', 0, bytesRead);
      } finally {
        await file.close();
      }
    });
  }
}

/** Parent of the private folders of processes that wait. `root`: folder of the server's temporary files. */
export function waitingFolder(root: string): string {
  return join(root, 'verapdf');
}
