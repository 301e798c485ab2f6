import type { Logger } from '@quire/registry';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installCommand, programNames, type ProgramName, type ProgramSupervisor } from '../engines/programs/index.js';

/** What is known of a program. */
export interface ProgramFact {
  readonly name: ProgramName;
  readonly found: boolean;
  /** First line of what it says; null while it was not asked yet, or says nothing. */
  readonly version: string | null;
  /** OCR languages of tesseract. */
  readonly languages?: readonly string[];
  /** How to get it, where it is missing. */
  readonly install?: string;
}

/** What to do about a missing program. */
export const installHint = (program: string): string =>
  `On Debian or Ubuntu: ${installCommand(program)}; then restart the server.`;

/** Asks each program found for its version once, one after the other, in the background of the first question. */
export class ProgramFacts {
  readonly #versions = new Map<ProgramName, string | null>();
  #languages: readonly string[] | undefined;
  #asking: Promise<void> | undefined;
  #complete = false;

  constructor(
    private readonly deps: { readonly programs: ProgramSupervisor; readonly folder: string; readonly log: Logger },
  ) {}

  /** True when every program was asked. */
  get complete(): boolean {
    return this.#complete;
  }

  /** What is known now; starts asking when nobody has. */
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

  /** Ends when every program was asked. Never rejects. */
  settle(): Promise<void> {
    return (this.#asking ??= this.#ask().catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'programs could not be asked for their versions'),
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

  /** `tesseract --list-langs`: a heading, then one name a line; `osd` finds orientation and is no language. */
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
