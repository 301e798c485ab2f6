import {
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
} from 'pdf-lib';
import { arrayOf } from '../../file/objects/index.js';
import type { RawObject, RawStream } from './model.js';

/** Entries that would load a stream's data from another file (ISO 32000-1, table 5): nothing is read from outside. */
const OUTSIDE: ReadonlySet<string> = new Set(['Length', 'F', 'FFilter', 'FDecodeParms', 'DL']);

/**
 * Converts JSON trees to PDF objects. Objects with one name become one indirect object; its content is the first found,
 * otherwise that in `shared`, otherwise null. Trees were checked before (`checkDocument`).
 */
export class RawReader {
  readonly #refs = new Map<string, PDFRef>();
  readonly #filled = new Set<string>();
  /** Names that were met without content, and were not looked up yet. */
  #waiting: string[] = [];
  #late: string[] = [];

  constructor(
    private readonly context: PDFContext,
    private readonly shared: (name: string) => RawObject | undefined,
  ) {}

  /** Reports which object a name refers to; the content of the object is read elsewhere. */
  place(name: string, ref: PDFRef): void {
    this.#refs.set(name, ref);
    this.#filled.add(name);
  }

  /** The object that a name refers to, if it was met. */
  placeOf(name: string): PDFRef | undefined {
    return this.#refs.get(name);
  }

  /** Converts a tree: to a reference if it has a name or is a stream. */
  value(raw: RawObject): PDFObject {
    if (raw.ref !== undefined) return this.#named(raw.ref, raw);
    const object = this.#content(raw);
    return object instanceof PDFRawStream ? this.context.register(object) : object;
  }

  /** Converts entries to a dictionary. */
  dict(entries: Readonly<Record<string, RawObject>>, omit: ReadonlySet<string> = new Set()): PDFDict {
    const dict = PDFDict.withContext(this.context);
    for (const [key, value] of Object.entries(entries)) {
      if (omit.has(key)) continue;
      const object = this.value(value);
      if (object !== PDFNull) dict.set(nameOf(key), object);
    }
    return dict;
  }

  /** Creates a stream without a name. */
  stream({ dictionary = {}, rawData = '' }: RawStream): PDFRawStream {
    return PDFRawStream.of(this.dict(dictionary, OUTSIDE), Buffer.from(rawData, 'base64'));
  }

  /** Resolves names that had no content yet, recursively, as far as it is known by now. */
  settle(): void {
    for (let name = this.#waiting.pop(); name !== undefined; name = this.#waiting.pop()) {
      if (this.#filled.has(name)) continue;
      const raw = this.shared(name);
      if (raw === undefined) this.#late.push(name);
      else this.#fill(name, raw);
    }
  }

  /** Sets unresolved names to null. Call it after all trees were read. */
  finish(): void {
    this.settle();
    for (const name of this.#late) if (!this.#filled.has(name)) this.#fill(name, { type: 'NULL' });
  }

  #fill(name: string, raw: RawObject): void {
    this.#filled.add(name);
    this.context.assign(this.#refs.get(name)!, this.#content(raw));
  }

  #named(name: string, raw: RawObject): PDFRef {
    let ref = this.#refs.get(name);
    if (ref === undefined) {
      ref = this.context.nextRef();
      this.#refs.set(name, ref);
    }
    if (this.#filled.has(name)) return ref;
    if (isWhole(raw)) this.#fill(name, raw);
    else this.#waiting.push(name);
    return ref;
  }

  #content(raw: RawObject): PDFObject {
    const { value } = raw;
    switch (raw.type) {
      case 'BOOLEAN':
        return value === true ? PDFBool.True : PDFBool.False;
      case 'INTEGER':
      case 'FLOAT':
        return typeof value === 'number' ? PDFNumber.of(value) : PDFNull;
      case 'NAME':
        return typeof value === 'string' ? nameOf(value) : PDFNull;
      case 'STRING':
        return typeof value === 'string' ? PDFHexString.of(Buffer.from(value, 'base64').toString('hex')) : PDFNull;
      case 'ARRAY':
        return arrayOf(
          this.context,
          (raw.items ?? []).map((item) => this.value(item)),
        );
      case 'DICTIONARY':
        return this.dict(raw.entries ?? {});
      case 'STREAM':
        return this.stream(raw.stream ?? {});
      default:
        return PDFNull;
    }
  }
}

/** False for a name alone, and for a stream whose data is elsewhere. */
function isWhole({ type, value, items, entries, stream }: RawObject): boolean {
  if (type === 'STREAM') return stream?.rawData !== undefined;
  return value !== undefined || items !== undefined || entries !== undefined || type === 'NULL';
}

/** Names are bytes; a sharp sign would begin an escape (ISO 32000-1, 7.3.5). */
function nameOf(text: string): PDFName {
  const bytes = /[^\0-\xff]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
  return PDFName.of(bytes.replaceAll('#', '#23').replaceAll('\0', ''));
}
