import { searchTerms } from './search-terms.js';

/** Weights of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, 3.3): how soon repetitions stop to count, and how much length does. */
const [K1, B] = [1.2, 0.75];
/** How soon a place in a ranking counts no more (Cormack, Clarke and Büttcher, Reciprocal Rank Fusion, 2009). */
const FUSION = 60;
const MOST_TERMS = 64;

/** Ranks passages by BM25 in two goes, so that none of them has to be kept: all are counted first, then those with a word of the query are scored. */
export class WordRanking {
  readonly #terms: ReadonlyMap<string, number>;
  readonly #passagesWith: number[];
  #passages = 0;
  #length = 0;
  #weights: readonly number[] | undefined;

  constructor(query: string) {
    this.#terms = new Map([...new Set(searchTerms(query))].slice(0, MOST_TERMS).map((term, i) => [term, i]));
    this.#passagesWith = Array.from(this.#terms, () => 0);
  }

  /** False for a query without a word. */
  get asks(): boolean {
    return this.#terms.size > 0;
  }

  /** Counts a passage; true when it has a word of the query. */
  count(text: string): boolean {
    const { counts, length } = this.#look(text);
    this.#passages++;
    this.#length += length;
    let has = false;
    for (const [i, count] of counts.entries()) {
      if (count === 0) continue;
      this.#passagesWith[i]!++;
      has = true;
    }
    return has;
  }

  /** The score of a passage, once all are counted; 0 without a word of the query. */
  score(text: string): number {
    this.#weights ??= this.#passagesWith.map((n) => Math.log(1 + (this.#passages - n + 0.5) / (n + 0.5)));
    const average = this.#length / Math.max(1, this.#passages);
    const { counts, length } = this.#look(text);
    return counts.reduce((sum, tf, i) => sum + (tf === 0 ? 0 : (this.#weights![i]! * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / average))), 0);
  }

  #look(text: string): { readonly counts: readonly number[]; readonly length: number } {
    const counts = Array.from(this.#terms, () => 0);
    const terms = searchTerms(text);
    for (const term of terms) {
      const i = this.#terms.get(term);
      if (i !== undefined) counts[i]!++;
    }
    return { counts, length: terms.length };
  }
}

/** What was ranked. */
export interface Ranked<T> {
  readonly of: T;
  readonly score: number;
}

/** Keeps the best of what it is offered, the best first; of equals the one offered first. */
export class Best<T> {
  readonly #kept: Ranked<T>[] = [];

  constructor(private readonly most: number) {}

  offer(of: T, score: number): void {
    const kept = this.#kept;
    if (kept.length >= this.most && score <= (kept.at(-1)?.score ?? 0)) return;
    let [from, to] = [0, kept.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (kept[middle]!.score >= score) from = middle + 1;
      else to = middle;
    }
    kept.splice(from, 0, { of, score });
    if (kept.length > this.most) kept.pop();
  }

  get all(): readonly Ranked<T>[] {
    return this.#kept;
  }
}

/** Joins rankings of the same things: what stands high in any comes high, what does in several higher. `keyOf` tells what is the same. */
export function fused<T>(rankings: readonly (readonly Ranked<T>[])[], keyOf: (of: T) => string, most: number): Ranked<T>[] {
  const sums = new Map<string, { readonly of: T; score: number }>();
  for (const ranking of rankings) {
    for (const [place, { of }] of ranking.entries()) {
      const sum = sums.get(keyOf(of)) ?? { of, score: 0 };
      sum.score += 1 / (FUSION + place + 1);
      sums.set(keyOf(of), sum);
    }
  }
  return [...sums.values()].sort((a, b) => b.score - a.score).slice(0, most);
}
