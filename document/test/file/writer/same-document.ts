import {
  type PDFContext,
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import { contentsOf } from '../../../file/writer/serialize.js';

const LENGTH = PDFName.of('Length');

type Value = PDFObject | undefined;

/**
 * Walks two documents in parallel from their trailers and returns the first difference, or undefined when they are
 * equal except for object numbers. Null and absent count as equal; a stream's /Length is not compared.
 */
export function difference(
  before: PDFContext,
  after: PDFContext,
  sameData: (a: PDFStream, b: PDFStream) => boolean = sameBytes,
): string | undefined {
  const walk = new Walk(before, after, sameData);
  for (const key of ['Root', 'Info'] as const) {
    const [own, other] = [before.trailerInfo[key], after.trailerInfo[key]];
    // A direct value in the trailer, though it must be a reference (ISO 32000-1, table 15), is written as an object.
    walk.pair(own, own instanceof PDFRef ? other : after.lookup(other), key);
  }
  return walk.run();
}

function sameBytes(a: PDFStream, b: PDFStream): boolean {
  return Buffer.compare(contentsOf(a), contentsOf(b)) === 0;
}

class Walk {
  readonly #partner = new Map<PDFRef, PDFRef | null>();
  readonly #queue: (readonly [PDFObject, PDFObject, string])[] = [];
  #wrong: string | undefined;

  constructor(
    private readonly before: PDFContext,
    private readonly after: PDFContext,
    private readonly sameData: (a: PDFStream, b: PDFStream) => boolean,
  ) {}

  run(): string | undefined {
    for (let next = this.#queue.pop(); next !== undefined && this.#wrong === undefined; next = this.#queue.pop())
      this.#compare(...next);
    return this.#wrong;
  }

  pair(a: Value, b: Value, at: string): void {
    if (this.#wrong !== undefined) return;
    if (a instanceof PDFRef) {
      this.#references(a, b, at);
      return;
    }
    const [isNothing, otherIsNothing] = [a === undefined || a === PDFNull, b === undefined || b === PDFNull];
    if (isNothing || otherIsNothing) {
      if (isNothing !== otherIsNothing) this.#wrong = `${at}: ${String(a)} became ${String(b)}`;
      return;
    }
    if (b instanceof PDFRef) this.#wrong = `${at}: became a reference`;
    else this.#queue.push([a as PDFObject, b as PDFObject, at]);
  }

  #references(a: PDFRef, b: Value, at: string): void {
    const [first, object] = settle(this.before, a);
    if (object === undefined || object === PDFNull) {
      const other = b instanceof PDFRef ? settle(this.after, b)[1] : b;
      if (other !== undefined && other !== PDFNull) this.#wrong = `${at}: nothing became ${String(b)}`;
      return;
    }
    if (!(b instanceof PDFRef)) {
      this.#wrong = `${at}: a reference became ${String(b)}`;
      return;
    }
    const known = this.#partner.get(first);
    if (known !== undefined) {
      if (known !== b) this.#wrong = `${at}: ${a.tag} is both ${String(known)} and ${b.tag}`;
      return;
    }
    this.#partner.set(first, b);
    const other = this.after.lookup(b);
    if (other === undefined) this.#wrong = `${at}: ${a.tag} is lost`;
    else this.#queue.push([object, other, `${at}(${a.tag}=${b.tag})`]);
  }

  #compare(a: PDFObject, b: PDFObject, at: string): void {
    if (a instanceof PDFStream) {
      if (!(b instanceof PDFStream) || !this.sameData(a, b)) this.#wrong = `${at}: stream data differs`;
      else this.#dicts(a.dict, b.dict, at, true);
    } else if (a instanceof PDFDict) {
      if (b instanceof PDFDict) this.#dicts(a, b, at, false);
      else this.#wrong = `${at}: a dictionary became ${String(b).slice(0, 60)}`;
    } else if (a instanceof PDFArray) {
      if (!(b instanceof PDFArray) || a.size() !== b.size())
        this.#wrong = `${at}: array became ${String(b).slice(0, 60)}`;
      else for (let i = 0; i < a.size(); i++) this.pair(a.get(i), b.get(i), `${at}/${i}`);
    } else if (!sameAtom(a, b)) {
      this.#wrong = `${at}: ${String(a).slice(0, 60)} became ${String(b).slice(0, 60)}`;
    }
  }

  #dicts(a: PDFDict, b: PDFDict, at: string, ofStream: boolean): void {
    for (const key of new Set([...a.keys(), ...b.keys()]))
      if (!ofStream || key !== LENGTH) this.pair(a.get(key), b.get(key), `${at}${key.asString()}`);
  }
}

/** Follows references to references. */
function settle(context: PDFContext, ref: PDFRef): readonly [PDFRef, Value] {
  let last = ref;
  let object = context.lookup(ref);
  for (let hops = 0; object instanceof PDFRef && hops < 32; hops++) {
    last = object;
    object = context.lookup(last);
  }
  return [last, object instanceof PDFRef ? undefined : object];
}

function sameAtom(a: PDFObject, b: PDFObject): boolean {
  if (a instanceof PDFNumber) return b instanceof PDFNumber && a.toString() === b.toString();
  if (a instanceof PDFString || a instanceof PDFHexString)
    return (b instanceof PDFString || b instanceof PDFHexString) && Buffer.compare(a.asBytes(), b.asBytes()) === 0;
  if (a instanceof PDFBool) return b instanceof PDFBool && a.asBoolean() === b.asBoolean();
  return a === b;
}
