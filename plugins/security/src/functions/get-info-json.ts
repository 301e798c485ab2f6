import { DocumentError } from '@quire/document';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object. Created by `objectOf`, so that no key has a special meaning in JavaScript. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Creates an object from entries. Skips undefined values, keeps the last of equal keys, and treats `__proto__` like any
 * other key.
 */
export function objectOf(entries: Iterable<readonly [string, Json | undefined]>): JsonObject {
  return Object.fromEntries([...entries].filter((each): each is [string, Json] => each[1] !== undefined));
}

/**
 * Maximum text in one result, in UTF-16 code units: strings in a file can be shared, so a small file could otherwise
 * expand to gigabytes.
 */
const MAX_TEXT = 32 * 1024 * 1024;

/** Limits the text in one result and records the sections that are missing or incomplete. */
export class InfoWriter {
  #left = MAX_TEXT;
  readonly #unread = new Set<string>();
  readonly #cut = new Set<string>();

  constructor(private readonly signal: AbortSignal | undefined) {}

  /**
   * Returns text that is valid in JSON: lone surrogates, which cannot be encoded, are replaced. Throws
   * INPUT_TOO_COMPLEX if the result has too much text.
   */
  text(value: string): string {
    if (value.length > this.#left) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'text', limit: MAX_TEXT });
    this.#left -= value.length;
    return value.replace(/\p{Surrogate}/gu, '\ufffd');
  }

  /** Reads one section; if it cannot be read, returns `empty` and lists the section in `facts`. */
  section<T>(name: string, empty: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.signal?.throwIfAborted();
      // Objects of the wrong type can cause any error; the other sections can still be read.
      if (!(error instanceof Error)) throw error;
      this.#unread.add(name);
      return empty;
    }
  }

  /** True if all of these sections were read. */
  wasRead(...names: readonly string[]): boolean {
    return !names.some((name) => this.#unread.has(name));
  }

  /** Records that a section is incomplete. */
  cut(name: string): void {
    this.#cut.add(name);
  }

  /** For the run's report: sections that were not read, and incomplete ones. */
  facts(): Record<string, string> {
    const named = (key: string, names: ReadonlySet<string>): Record<string, string> =>
      names.size === 0 ? {} : { [key]: [...names].join(', ') };
    return { ...named('unread', this.#unread), ...named('cut', this.#cut) };
  }
}

/** Formats a time in the server's time zone: `2024-02-29 12:00:00`. */
export function localTime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
