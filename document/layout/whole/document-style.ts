import type { FontFacts } from '../model.js';
import type { PageContent } from '../page-content.js';
import { WordList } from '../prose/word-list.js';

/** Text so much larger than the body may be a heading. */
const LARGER = 1.13;
/** Sizes that differ by less are of one level. */
const SAME = 0.045;
/** Larger text with a greater share than this is body text, not headings. */
const MOST = 0.3;

/** Predominant text style of a document. */
export interface DocumentStyle {
  readonly fonts: FontFacts;
  /** Shares of the letters, 0 to 1. */
  readonly bold: number;
  readonly monospace: number;
  /** Sizes of headings, from the largest. */
  readonly headingSizes: readonly number[];
  readonly words: WordList;
}

/** Gathers statistics over pages. */
export class StyleSurvey {
  readonly words = new WordList();
  readonly #sizes = new Map<number, { letters: number; alphabetic: number }>();
  readonly #families = new Map<string, number>();
  #all = 0;
  #bold = 0;
  #monospace = 0;

  add({ words }: PageContent): void {
    for (const [i, { text, style, divided }] of words.entries()) {
      if (!divided && words[i - 1]?.divided !== true) this.words.add(text);
      const size = Math.round(style.size * 2) / 2;
      let found = this.#sizes.get(size);
      if (found === undefined) this.#sizes.set(size, (found = { letters: 0, alphabetic: 0 }));
      found.letters += text.length;
      if (/\p{L}{2}/u.test(text)) found.alphabetic += text.length;
      this.#families.set(style.family, (this.#families.get(style.family) ?? 0) + text.length);
      this.#all += text.length;
      if (style.bold) this.#bold += text.length;
      if (style.monospace) this.#monospace += text.length;
    }
  }

  result(): DocumentStyle {
    const all = Math.max(1, this.#all);
    const body = [...this.#sizes].reduce(
      (best, [size, { letters }]) => (letters > best[1] ? ([size, letters] as const) : best),
      [0, 0] as readonly [number, number],
    )[0];
    const families = [...this.#families]
      .map(([family, letters]) => ({ family, share: letters / all }))
      .sort((a, b) => b.share - a.share);
    const larger = [...this.#sizes]
      .filter(([size, { alphabetic, letters }]) => size > body * LARGER && alphabetic >= 3 && letters < MOST * all)
      .sort((a, b) => b[0] - a[0]);
    const headingSizes: number[] = [];
    for (const [size] of larger)
      if (headingSizes.length === 0 || size < headingSizes.at(-1)! * (1 - SAME)) headingSizes.push(size);
    return {
      fonts: { bodySize: body, bodyFamily: families[0]?.family ?? '', families },
      bold: this.#bold / all,
      monospace: this.#monospace / all,
      headingSizes,
      words: this.words,
    };
  }
}
