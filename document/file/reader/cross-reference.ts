import { type PDFDict, PDFName } from 'pdf-lib';
import { bounds } from '../../bounds.js';

/** The location of an object (ISO 32000-1, 7.5.4 and 7.5.8): none, a position in the file, or an object stream. */
export type Entry =
  | { readonly kind: 'free' }
  | { readonly kind: 'at'; readonly position: number; readonly generation: number }
  | { readonly kind: 'in'; readonly stream: number; readonly index: number };

/** The entry of an unused object number. */
export const FREE: Entry = { kind: 'free' };

/** Consecutive object numbers; entries are read on demand. */
export interface Subsection {
  readonly first: number;
  readonly count: number;
  readonly entry: (index: number) => Entry | undefined;
}

/**
 * One cross-reference section with its trailer. `hidden` are the entries of a hybrid file's stream (ISO 32000-1,
 * 7.5.8.4).
 */
export interface Revision {
  /** Position of the section, from `startxref` or the /Prev of a newer one. */
  readonly at: number;
  readonly form: 'table' | 'stream';
  readonly subsections: readonly Subsection[];
  readonly hidden: readonly Subsection[];
  readonly trailer: PDFDict;
  /** True when something in the trailer was skipped. */
  readonly broken: boolean;
}

/** More subsections than this are searched through an index that is built once. */
const MAX_LINEAR_SUBSECTIONS = 32;

/** A file's whole cross-reference, newest section first. */
export class CrossReference {
  readonly #all: readonly Subsection[];
  /** For each object number the subsection that defines it, counted from 1; 0 for none. */
  #index: Int32Array | undefined;

  constructor(
    /** Position of the newest section: the /Prev of the next one. */
    readonly start: number,
    readonly revisions: readonly Revision[],
  ) {
    this.#all = revisions.flatMap(({ subsections, hidden }) => [...subsections, ...hidden]);
  }

  /** The form of the newest section. */
  get form(): 'table' | 'stream' {
    return this.revisions[0]?.form ?? 'table';
  }

  /** The newest trailer that names a catalog. */
  get trailer(): PDFDict | undefined {
    return (this.revisions.find(({ trailer }) => trailer.has(PDFName.of('Root'))) ?? this.revisions[0])?.trailer;
  }

  /** The largest object number that is mentioned. */
  get largest(): number {
    return this.#all.reduce(
      (most, { first, count }) =>
        count > 0 && first <= bounds.believedNumber ? Math.max(most, lastOf(first, count)) : most,
      0,
    );
  }

  /** Finds an object by its newest entry. */
  find(number: number): Entry | undefined {
    if (number > bounds.believedNumber) return undefined;
    if (this.#all.length <= MAX_LINEAR_SUBSECTIONS) return this.#seek(number);
    const subsection = this.#all[((this.#index ??= this.#makeIndex())[number] ?? 0) - 1];
    return subsection?.entry(number - subsection.first);
  }

  /** Every object number that has an entry, in the order of the newest section that contains it. */
  *numbers(): Iterable<number> {
    const seen = new Uint8Array((this.largest >> 3) + 1);
    for (const { first, count } of this.#all) {
      const last = lastOf(first, count);
      for (let number = first; number <= last; number++) {
        const [at, bit] = [number >> 3, 1 << (number & 7)];
        if (((seen[at] ?? 0) & bit) !== 0) continue;
        seen[at] = (seen[at] ?? 0) | bit;
        yield number;
      }
    }
  }

  #seek(number: number): Entry | undefined {
    for (const { subsections, hidden } of this.revisions) {
      const own = entryOf(subsections, number);
      if (own !== undefined && own.kind !== 'free') return own;
      const other = entryOf(hidden, number) ?? own;
      if (other !== undefined) return other;
    }
    return undefined;
  }

  /** The same precedence as `#seek`. */
  #makeIndex(): Int32Array {
    const index = new Int32Array(this.largest + 1);
    let ordinal = 0;
    for (const { subsections, hidden } of this.revisions) {
      const before = ordinal;
      for (const { first, count } of subsections) {
        ordinal++;
        for (let number = first; number <= lastOf(first, count); number++)
          if (index[number] === 0) index[number] = ordinal;
      }
      for (const { first, count } of hidden) {
        ordinal++;
        for (let number = first; number <= lastOf(first, count); number++) {
          const known = index[number] ?? 0;
          const own = known > before && known < ordinal ? this.#all[known - 1] : undefined;
          if (known === 0 || own?.entry(number - own.first)?.kind === 'free') index[number] = ordinal;
        }
      }
    }
    return index;
  }
}

/** Higher object numbers are ignored, because objects added after them could not be found again. */
function lastOf(first: number, count: number): number {
  return Math.min(first + count - 1, bounds.believedNumber);
}

function entryOf(subsections: readonly Subsection[], number: number): Entry | undefined {
  for (const { first, count, entry } of subsections)
    if (number >= first && number < first + count) return entry(number - first);
  return undefined;
}
