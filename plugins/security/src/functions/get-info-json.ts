import { DocumentError } from '@quire/document';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object. Made by `objectOf`, so that no key means anything to JavaScript. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Makes an object of entries; undefined values are left out, of equal keys the last counts, and `__proto__` is a key
 * like any other.
 */
export function objectOf(entries: Iterable<readonly [string, Json | undefined]>): JsonObject {
  return Object.fromEntries([...entries].filter((each): each is [string, Json] => each[1] !== undefined));
}

/** Texts of one answer, in UTF-16 units: strings in a file may be shared, so that a small one could tell gigabytes. */
const MAX_TEXT = 32 * 1024 * 1024;

/** What an answer may still tell, and what of the document it could not tell. */
export class Telling {
  #left = MAX_TEXT;
  readonly #unread = new Set<string>();
  readonly #cut = new Set<string>();

  constructor(private readonly signal: AbortSignal | undefined) {}

  /**
   * Gives text as JSON may have it: half surrogate pairs, which no encoding holds, are replaced. Error:
   * INPUT_TOO_COMPLEX when too much was told.
   */
  text(value: string): string {
    if (value.length > this.#left) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'text', limit: MAX_TEXT });
    this.#left -= value.length;
    return value.replace(/\p{Surrogate}/gu, '\ufffd');
  }

  /** Reads one section; one that cannot be read is as given, and named in `facts`. */
  section<T>(name: string, empty: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.signal?.throwIfAborted();
      // Objects of other kinds than the standard wants make any error; the others of the document may still be told.
      if (!(error instanceof Error)) throw error;
      this.#unread.add(name);
      return empty;
    }
  }

  /** True when all of these sections were read. */
  wasRead(...names: readonly string[]): boolean {
    return !names.some((name) => this.#unread.has(name));
  }

  /** Notes a section that does not tell all there is. */
  cut(name: string): void {
    this.#cut.add(name);
  }

  /** For the run's report: sections that were not read, and that were not told to their end. */
  facts(): Record<string, string> {
    const named = (key: string, names: ReadonlySet<string>): Record<string, string> =>
      names.size === 0 ? {} : { [key]: [...names].join(', ') };
    return { ...named('unread', this.#unread), ...named('cut', this.#cut) };
  }
}

/** Gives a time in the server's zone: `2024-02-29 12:00:00`. */
export function localTime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
