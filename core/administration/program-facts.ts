import type { Logger } from '@quire/registry';
import { installCommand, programNames, type ProgramName, type ProgramSupervisor } from '../engines/programs/index.js';

export interface ProgramFact {
  readonly name: ProgramName;
  readonly found: boolean;
  /** First line of its version output; null if it was not read yet, or the program prints nothing. */
  readonly version: string | null;
  /** What confines it; absent for one that is missing. */
  readonly isolation?: readonly string[];
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

  constructor(private readonly deps: { readonly programs: ProgramSupervisor; readonly log: Logger }) {}

  /** True if the versions of all programs were read. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Returns the facts known now; starts reading versions on first use. */
  list(): readonly ProgramFact[] {
    void this.settle();
    return this.deps.programs.list().map(({ name, path, isolation }) => ({
      name,
      found: path !== undefined,
      version: this.#versions.get(name) ?? null,
      ...(isolation === undefined ? {} : { isolation }),
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
    const { programs } = this.deps;
    try {
      for (const name of programNames)
        if (programs.has(name)) this.#versions.set(name, (await programs.version(name)) ?? null);
      if (programs.has('tesseract')) this.#languages = await this.#ocrLanguages();
    } finally {
      this.#complete = true;
    }
  }

  /**
   * `tesseract --list-langs` prints a heading, then one name per line; `osd` detects orientation and is not a language.
   */
  async #ocrLanguages(): Promise<readonly string[]> {
    try {
      const { stdout, stderr } = await this.deps.programs.run('tesseract', ['--list-langs'], {
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
