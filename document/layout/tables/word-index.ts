import type { Box } from '../model.js';
import type { Word } from '../page-content.js';
import { lowerBound } from './line-groups.js';

/** Words looked at over and over for the tables of one page. */
const MAX_VISITS = 20_000_000;

/** Finds the words of a page by where their middle is. */
export class WordIndex {
  readonly #words: readonly { readonly word: Word; readonly x: number; readonly y: number }[];
  #visits = 0;

  constructor(words: readonly Word[]) {
    this.#words = words
      .map((word) => ({ word, x: (word.box.left + word.box.right) / 2, y: (word.box.top + word.box.bottom) / 2 }))
      .sort((a, b) => a.y - b.y);
  }

  /**
   * Words with their middle in the box; none any more after very much looking (a page of thousands of boxes around all
   * its text).
   */
  within({ left, top, right, bottom }: Box): { readonly word: Word; readonly x: number; readonly y: number }[] {
    const found: { word: Word; x: number; y: number }[] = [];
    for (
      let i = lowerBound(this.#words.length, (n) => this.#words[n]!.y, top);
      i < this.#words.length && this.#words[i]!.y < bottom;
      i++
    ) {
      if (++this.#visits > MAX_VISITS) return [];
      const one = this.#words[i]!;
      if (one.x >= left && one.x < right) found.push(one);
    }
    return found;
  }
}
