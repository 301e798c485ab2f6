import type { Logger } from '@quire/registry';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installCommand, programNames, type ProgramName, type ProgramSupervisor } from '../engines/programs/index.js';

export interface ProgramFact {
  readonly name: ProgramName;
  readonly found: boolean;
  /** First line of its version output; null if it was not read yet, or the program prints nothing. */
  readonly version: string | null;
  /** OCR languages of tesseract. */
  readonly languages?: readonly string[];
  /** How to install it, if it is missing. */
  readonly install?: string;
}

/** Returns the install hint of a missing program. */
export const installHint = (program: string): string =>
  `On Debian or Ubuntu: ${installCommand(program)}; then restart the server.`;

/** Reads the version of each installed program once, one after another, in the background of the first call. */
export class ProgramFacts {
  readonly #versions = new Map<ProgramName, string | null>();
  #languages: readonly string[] | undefined;
  #asking: Promise<void> | undefined;
  #complete = false;

  constructor(
    private readonly deps: { readonly programs: ProgramSupervisor; readonly folder: string; readonly log: Logger },
  ) {}

  /** True if the versions of all programs were read. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Returns the facts known now; starts reading versions on first use. */
  list(): readonly ProgramFact[] {
    void this.settle();
    return this.deps.programs.list().map(({ name, path }) => ({
      name,
      found: path !== undefined,
      version: this.#versions.get(name) ?? null,
      ...(name === 'tesseract' && this.#languages !== undefined ? { languages: this.#languages } : {}),
      ...(path === undefined ? { install: installHint(name) } : {}),
    }));
  }

  /** Resolves when all versions were read. Never rejects. */
  settle(): Promise<void> {
    return (this.#asking ??= this.#ask().catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'the versions of programs could not be read'),
    ));
  }

  async #ask(): Promise<void> {
    const { programs, folder } = this.deps;
    const cwd = await mkdtemp(join(folder, 'versions-'));
    try {
      for (const name of programNames)
        if (programs.has(name)) this.#versions.set(name, (await programs.version(name, cwd)) ?? null);
      if (programs.has('tesseract')) this.#languages = await this.#ocrLanguages(cwd);
    } finally {
      await rm(cwd, { recursive: true, force: true });
      this.#complete = true;
    }
  }

  /**
   * `tesseract --list-langs` prints a heading, then one name per line; `osd` detects orientation and is not a language.
   */
  async #ocrLanguages(cwd: string): Promise<readonly string[]> {
    try {
      const { stdout, stderr } = await this.deps.programs.run('tesseract', ['--list-langs'], {
        cwd,
        signal: AbortSignal.timeout(10_000),
        okCodes: 'any',
      });
      return `${stdout}\n${stderr}`
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => /^[A-Za-z0-9_/+-]+$/.test(line) && line !== 'osd')
        .sort();
    } catch {
      return [];
    }
  }
}
