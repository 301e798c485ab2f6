import { searchTerms } from './search-terms.js';

/** Weights of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, 3.3): how soon repetitions stop to count, and how much length does. */
const [K1, B] = [1.2, 0.75];
/** Passages with a term of the query that are kept for the ranking, at most. */
const MOST_FOUND = 20_000;

/** Ranks passages by BM25 over all that it is shown. */
export class PassageRanking<T> {
  readonly #terms: readonly string[];
  readonly #passagesWith: number[];
  readonly #found: { readonly of: T; readonly counts: readonly number[]; readonly length: number }[] = [];
  #passages = 0;
  #length = 0;

  constructor(query: string) {
    this.#terms = [...new Set(searchTerms(query))].slice(0, 64);
    this.#passagesWith = this.#terms.map(() => 0);
  }

  /** False for a query without a word. */
  get asks(): boolean {
    return this.#terms.length > 0;
  }

  show(text: string, of: T): void {
    const terms = searchTerms(text);
    this.#passages++;
    this.#length += terms.length;
    const counts = this.#terms.map(() => 0);
    for (const term of terms) {
      const i = this.#terms.indexOf(term);
      if (i >= 0) counts[i]!++;
    }
    if (counts.every((count) => count === 0)) return;
    for (const [i, count] of counts.entries()) if (count > 0) this.#passagesWith[i]!++;
    if (this.#found.length < MOST_FOUND) this.#found.push({ of, counts, length: terms.length });
  }

  /** The best, the best first; of equals the one shown first. */
  best(count: number): { readonly of: T; readonly score: number }[] {
    const average = this.#length / Math.max(1, this.#passages);
    const weights = this.#passagesWith.map((n) => Math.log(1 + (this.#passages - n + 0.5) / (n + 0.5)));
    const scored = this.#found.map(({ of, counts, length }) => ({ of, score: counts.reduce((sum, tf, i) => sum + (weights[i]! * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / average)), 0) }));
    return scored.sort((a, b) => b.score - a.score).slice(0, count);
  }
}
