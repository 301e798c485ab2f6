import type { PDFContext } from 'pdf-lib';
import { bounds } from '../../bounds.js';

/** A reference this far above all others is damage, and new objects need not be numbered after it. */
const MAX_NUMBER_GAP = 100_000;

/**
 * Keeps the numbers of new objects apart from those that the file mentions. A reference to a missing object is null
 * (ISO 32000-1, 7.3.10) and must not come to name an added object: numbers that were read are never assigned to new
 * objects, and a reference to a number that was assigned before it was read becomes null.
 */
export class ReferenceNumbers {
  /** Numbers above this belong to new objects. */
  #last = Infinity;
  /** Skipped number ranges above it, which no object uses: first and last, in order. */
  readonly #passed: [number, number][] = [];

  constructor(private readonly context: PDFContext) {}

  /** All numbers that the context knows by now belong to the file. */
  begin(): void {
    this.#last = this.context.largestObjectNumber;
  }

  /** Records a reference that was read. False when its number belongs to a new object, which the file cannot mean. */
  keep(number: number): boolean {
    const { largestObjectNumber: largest } = this.context;
    if (number > largest) {
      if (number <= Math.min(largest + MAX_NUMBER_GAP, bounds.objectNumber)) this.#passOver(largest + 1, number);
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
