import type { Effect } from '@quire/registry';
import type { FactValue } from './facts.js';

/** A file that left the run at a step. */
export interface DroppedFile {
  readonly file: string;
  readonly step: number;
  readonly operation: string;
  /** `kind`: the step does not accept its type; `error`: the step failed, and its `onError` is `skip`. */
  readonly reason: 'filter' | 'kind' | 'error';
  /** Pointer of the step, if it is inside of another one or failed. */
  readonly pointer?: string;
  /** Code of the error. */
  readonly code?: string;
}

/** Which way a file went at a condition, and what was found. */
export interface Decision {
  /** Pointer of the step. */
  readonly pointer: string;
  readonly file: string;
  readonly taken: 'then' | 'else';
  readonly found: readonly FoundFact[];
}

/** What a condition asked about: a fact by its name, or a filter by its path. */
export interface FoundFact {
  readonly fact?: string;
  readonly filter?: string;
  /** Null for a fact that files of this type do not have. */
  readonly value: FactValue | null;
}

/** What a run reports beside its files. */
export interface Notes {
  readonly dropped: DroppedFile[];
  readonly effects: Set<Effect>;
  readonly warnings: RunWarnings;
  readonly decisions: Decision[];
}

export const newNotes = (): Notes => ({ dropped: [], effects: new Set(), warnings: new RunWarnings(), decisions: [] });

/** Files that a warning names; further ones are counted. */
const MOST_NAMES = 3;

/** The warnings of a run, in the order in which they came: each once, with the files that it is about. */
export class RunWarnings {
  readonly #files = new Map<string, Set<string>>();

  /** `file`: missing where the run has only one, or the warning is about all. */
  add(warning: string, file?: string): void {
    const files = this.#files.get(warning) ?? new Set();
    this.#files.set(warning, files);
    if (file !== undefined) files.add(file);
  }

  addAll(others: RunWarnings): void {
    for (const [warning, files] of others.#files) {
      this.add(warning);
      for (const file of files) this.add(warning, file);
    }
  }

  /** Sentences; those about certain files begin with their names. */
  list(): string[] {
    return [...this.#files].map(([warning, files]) => (files.size === 0 ? warning : `${namesOf(files)}: ${warning}`));
  }
}

function namesOf(files: ReadonlySet<string>): string {
  const more = files.size - MOST_NAMES;
  return [...[...files].slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
