import { searchTerms } from './search-terms.js';

/**
 * Weights of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, 3.3): how soon repetitions stop
 * to count, and how much length does.
 */
const [K1, B] = [1.2, 0.75];
/** How soon a place in a ranking counts no more (Cormack, Clarke and Büttcher, Reciprocal Rank Fusion, 2009). */
const FUSION = 60;
const MOST_TERMS = 64;

/**
 * Ranks passages by BM25 over all that it is shown. Of those with a word of the query it keeps a few numbers, of the
 * others nothing.
 */
export class WordRanking {
  readonly #terms: ReadonlyMap<string, number>;
  readonly #passagesWith: number[];
  /** Of passages with a word of the query: what they are, their lengths, and how often each term is in them. */
  readonly #ids: number[] = [];
  readonly #lengths: number[] = [];
  #counts = new Uint8Array(1024);
  #passages = 0;
  #length = 0;

  constructor(query: string) {
    this.#terms = new Map([...new Set(searchTerms(query))].slice(0, MOST_TERMS).map((term, i) => [term, i]));
    this.#passagesWith = Array.from(this.#terms, () => 0);
  }

  /** False for a query without a word. */
  get asks(): boolean {
    return this.#terms.size > 0;
  }

  /** `id`: what the caller knows the passage by. */
  show(text: string, id: number): void {
    const [width, at] = [this.#terms.size, this.#ids.length * this.#terms.size];
    if (at + width > this.#counts.length) {
      const larger = new Uint8Array(this.#counts.length * 2);
      larger.set(this.#counts);
      this.#counts = larger;
    }
    const counts = this.#counts.subarray(at, at + width).fill(0);
    const terms = searchTerms(text);
    let has = false;
    for (const term of terms) {
      const i = this.#terms.get(term);
      if (i === undefined) continue;
      if (counts[i] === 0) this.#passagesWith[i]!++;
      // More repetitions than a byte holds change no score.
      counts[i] = Math.min(counts[i]! + 1, 255);
      has = true;
    }
    this.#passages++;
    this.#length += terms.length;
    if (!has) return;
    this.#ids.push(id);
    this.#lengths.push(terms.length);
  }

  /** The best, the best first; of equals the one shown first. */
  best(most: number): readonly Ranked<number>[] {
    const average = this.#length / Math.max(1, this.#passages);
    const weights = this.#passagesWith.map((n) => Math.log(1 + (this.#passages - n + 0.5) / (n + 0.5)));
    const best = new Best<number>(most);
    for (const [i, id] of this.#ids.entries()) {
      const scale = K1 * (1 - B + (B * this.#lengths[i]!) / average);
      let score = 0;
      for (const [term, weight] of weights.entries()) {
        const count = this.#counts[i * weights.length + term]!;
        if (count > 0) score += (weight * count * (K1 + 1)) / (count + scale);
      }
      best.offer(id, score);
    }
    return best.all;
  }
}

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

/** Joins rankings of the same things: what stands high in any comes high, what does in several higher. */
export function fused<T>(rankings: readonly (readonly Ranked<T>[])[], most: number): Ranked<T>[] {
  const sums = new Map<T, { readonly of: T; score: number }>();
  for (const ranking of rankings) {
    for (const [place, { of }] of ranking.entries()) {
      const sum = sums.get(of) ?? { of, score: 0 };
      sum.score += 1 / (FUSION + place + 1);
      sums.set(of, sum);
    }
  }
  return [...sums.values()].sort((a, b) => b.score - a.score).slice(0, most);
}
