import { DocumentError } from '../../errors.js';
import { isInterrupted, TimeLimit } from '../../interrupt.js';
import { translatePattern } from './java-pattern.js';
import { PatternError } from './pattern-error.js';
import { PlainTerm } from './plain-term.js';
import { WORD } from './pattern-classes.js';
import { folded } from './searchable.js';
import { type TextVariant, variantsOf } from './text-variants.js';
import type { SearchLimits, SearchTerm, TextMatch } from './search-types.js';

/** Letters of texts whose matches are kept. */
const MOST_KNOWN_LETTERS = 4_000_000;

interface Pattern {
  readonly term: number;
  readonly expression: RegExp;
}

/**
 * Searches several terms at once, in all of Unicode, ignoring case unless a term matches it. Plain terms also match
 * across line ends, hyphenation, letter spacing, ligatures and any number of blanks; for patterns, words are joined by
 * one blank and lines by one line feed. Patterns run under a time limit that the engine enforces: those with
 * catastrophic backtracking end with PATTERN_TOO_SLOW.
 */
export class TextSearch {
  readonly #plain: readonly PlainTerm[];
  readonly #patterns: readonly Pattern[];
  readonly #each: number;
  #left: number;
  #running = 0;
  /** Matches of a single pattern in texts that `holding` has searched: `find` is mostly called for these again. */
  readonly #known = new Map<string, readonly TextMatch[]>();
  #knownLetters = 0;
  #limit: TimeLimit | undefined;

  /** Throws PatternError for the first invalid pattern; `compileFault` checks a single one. */
  constructor(
    readonly terms: readonly SearchTerm[],
    { each, all }: SearchLimits = {},
  ) {
    this.#plain = terms.flatMap((term, i) => (term.regex === true ? [] : [new PlainTerm(i, term)]));
    this.#patterns = terms.flatMap((term, i) => (term.regex === true ? [{ term: i, expression: compile(term) }] : []));
    this.#each = each ?? 5000 + 20 * this.#patterns.length;
    this.#left = all ?? 30_000 + 1000 * this.#patterns.length;
  }

  /**
   * Returns all matches of all terms in a text from `readingOf`, by term and position. Matches of different terms may
   * overlap.
   */
  find(text: string): TextMatch[] {
    if (text === '') return [];
    const matches: TextMatch[] = [];
    const whole = folded(text);
    for (const term of this.#plain) if (term.mayBeIn(whole)) for (const match of term.find(text)) matches.push(match);
    if (this.#patterns.length === 0) return matches;
    const patterns = this.#known.get(text) ?? this.#within(() => this.#patternMatches(text));
    return [...matches, ...patterns];
  }

  /**
   * Returns the indexes of the texts that contain a match. All are searched under one time limit, which is faster than
   * one limit each.
   */
  holding(texts: readonly string[]): number[] {
    const plain = texts.map((text) => {
      const whole = folded(text);
      return this.#plain.some((term) => term.mayBeIn(whole) && term.find(text).length > 0);
    });
    if (this.#patterns.length === 0) return [...plain.keys()].filter((i) => plain[i]);
    const patterns = this.#within(() => texts.map((text, i) => plain[i] === true || this.#isIn(text)));
    return [...patterns.keys()].filter((i) => patterns[i]);
  }

  #within<T>(work: () => T): T {
    this.#limit ??= new TimeLimit();
    const started = performance.now();
    const allowed = Math.min(this.#each, this.#left);
    try {
      if (allowed <= 0) throw tooSlow(this.#running, this.#each);
      return this.#limit.run(allowed, work);
    } catch (error) {
      throw isInterrupted(error) ? tooSlow(this.#running, allowed) : error;
    } finally {
      this.#left -= performance.now() - started;
    }
  }

  /** True if a pattern matches. Of a single pattern, all matches are known then. */
  #isIn(text: string): boolean {
    if (this.#known.has(text)) return true;
    const matches = this.#patternMatches(text, true);
    if (matches.length === 0) return false;
    if (this.#patterns.length === 1 && this.#knownLetters + text.length <= MOST_KNOWN_LETTERS) {
      this.#known.set(text, matches);
      this.#knownLetters += text.length;
    }
    return true;
  }

  #patternMatches(text: string, one = false): TextMatch[] {
    const matches: TextMatch[] = [];
    if (text === '') return matches;
    const variants = variantsOf(text);
    for (const { term, expression } of this.#patterns) {
      this.#running = term;
      for (const variant of variants) collect(term, expression, variant, matches);
      if (one && matches.length > 0) break;
    }
    return matches;
  }
}

/** Returns why a term is invalid, in words for its author; undefined if it is valid. */
export function compileFault(term: SearchTerm): string | undefined {
  try {
    if (term.regex === true) compile(term);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

function compile({ text, wholeWord = false, matchCase = false }: SearchTerm): RegExp {
  const translated = translatePattern(text);
  const expression = wholeWord ? `(?<!${WORD})(?:${translated})(?!${WORD})` : translated;
  try {
    return new RegExp(expression, matchCase ? 'gv' : 'giv');
  } catch (error) {
    // V8's message repeats the translated expression before its reason.
    throw new PatternError(
      error instanceof Error ? error.message.replace(/^.*: /s, '').toLowerCase() : 'it is not valid',
    );
  }
}

/** Skips empty matches, which would remove nothing. */
function collect(term: number, expression: RegExp, { text, places }: TextVariant, matches: TextMatch[]): void {
  for (const { 0: found, index } of text.matchAll(expression)) {
    if (found === '') continue;
    const end = index + found.length;
    matches.push(
      places === undefined ? { term, start: index, end } : { term, start: places[index]!, end: places[end - 1]! + 1 },
    );
  }
}

function tooSlow(term: number, milliseconds: number): DocumentError {
  return new DocumentError('PATTERN_TOO_SLOW', {
    number: term + 1,
    seconds: Math.max(1, Math.round(milliseconds / 1000)),
  });
}
