import { type FieldFault, InputError } from '@quire/registry/errors';

/** The steps from the invoice to a value: keys and indexes. */
export type Path = readonly (string | number)[];

/** The file that holds the invoice; pointers begin with it. */
const FIELD = 'fileInput';
/** Faults that an answer lists; the rest is counted. */
const MOST = 50;

/** Collects what is wrong with an invoice, so that a caller sees everything at once. */
export class Faults {
  readonly #found: FieldFault[] = [];
  #more = 0;

  add(path: Path, detail: string): void {
    if (this.#found.length < MOST) this.#found.push({ pointer: pointerOf(path), detail });
    else this.#more++;
  }

  /** Throws INPUT_INVALID with everything that was found, if anything was. */
  throwIfAny(): void {
    const [first, second] = this.#found;
    if (first === undefined) return;
    const others = this.#found.length - 1 + this.#more;
    const detail =
      second === undefined ? first.detail : `${first.detail.replace(/\.$/, '')} (and ${others} more: see "errors")`;
    throw new InputError('INPUT_INVALID', { detail }, this.#found);
  }
}

/** A JSON pointer (RFC 6901) into the file. */
export function pointerOf(path: Path): string {
  return ['', FIELD, ...path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}
