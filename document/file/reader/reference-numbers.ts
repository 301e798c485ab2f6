import type { PDFContext } from 'pdf-lib';
import { bounds } from '../../bounds.js';

/** A reference to a number that far beyond all others is damage, and no reason to number new objects behind it. */
const NEAR = 100_000;

/**
 * Keeps the numbers of new objects apart from those that the file speaks of. A reference to an object that is not there
 * is null (ISO 32000-1, 7.3.10), and must not come to name an object that is added: a number that was read is never
 * given out, and a reference to a number that was given out before it was read leads nowhere.
 */
export class ReferenceNumbers {
  /** From here on numbers are those of new objects. */
  #last = Infinity;
  /** Numbers beyond it that were passed over, so that no object has them: first and last, in order. */
  readonly #passed: [number, number][] = [];

  constructor(private readonly context: PDFContext) {}

  /** All numbers that the context knows by now are the file's own. */
  begin(): void {
    this.#last = this.context.largestObjectNumber;
  }

  /** Takes note of a reference that was read. False when its number is that of a new object, which it cannot mean. */
  keep(number: number): boolean {
    const { largestObjectNumber: largest } = this.context;
    if (number > largest) {
      if (number <= Math.min(largest + NEAR, bounds.objectNumber)) this.#passOver(largest + 1, number);
      return true;
    }
    return number <= this.#last || this.#passed.some(([first, last]) => number >= first && number <= last);
  }

  #passOver(first: number, last: number): void {
    this.context.largestObjectNumber = last;
    if (this.#last === Infinity) return;
    const before = this.#passed.at(-1);
    if (before !== undefined && before[1] === first - 1) before[1] = last;
    else this.#passed.push([first, last]);
  }
}
