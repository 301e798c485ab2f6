import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import { isString, nameText, resolve } from '../../file/objects/index.js';
import type { RawObject, RawStream } from './model.js';

/** Direct values within each other; the reader's own limit is lower for honest files. */
const MAX_DEPTH = 80;
/** Most values of one tree; the rest is exported separately. */
const MAX_VALUES = 20_000;
/** Streams up to this size are repeated in every tree; larger ones are exported once. */
const SMALL_STREAM = 2048;
/** Indirect objects up to this size are repeated where they are used; larger ones are referenced by name. */
const SMALL_OBJECT = 40;

/** A name for an indirect object. */
export function refText(ref: PDFRef): string {
  return `${ref.objectNumber} ${ref.generationNumber}`;
}

interface Walk {
  readonly path: Set<PDFRef>;
  values: number;
}

/**
 * Writes PDF objects as JSON trees (`RawObject`): trees are inlined, cycles end in a name, large and frequently used
 * objects are exported once (`shared`), so that all trees together are about as large as the document. `apart` are
 * objects that are exported elsewhere: pages, annotations, fields.
 */
export class RawWriter {
  readonly #shared = new Set<PDFRef>();
  readonly #told = new Set<PDFRef>();
  readonly #costs = new Map<PDFRef, number>();

  /** With `whole` each tree is complete: only cycles and objects beyond the limits are referenced. */
  constructor(
    private readonly context: PDFContext,
    private readonly apart: ReadonlySet<PDFRef>,
    private readonly whole = false,
  ) {}

  /** The tree of a value; `omit` leaves out keys of its own dictionary. Undefined for nothing. */
  tree(value: PDFObject | undefined, omit: ReadonlySet<string> = new Set()): RawObject | undefined {
    const object = resolve(this.context, value);
    if (object === undefined) return undefined;
    const path = new Set<PDFRef>();
    if (value instanceof PDFRef) path.add(value);
    const raw = this.#content(object, { path, values: 0 }, 0, omit, value instanceof PDFRef ? value : undefined);
    return value instanceof PDFRef ? { ...raw, ref: refText(value) } : raw;
  }

  /** The entries of a dictionary. */
  entries(dict: PDFDict, omit: ReadonlySet<string> = new Set()): Record<string, RawObject> {
    return this.#entries(dict, { path: new Set(), values: 0 }, 0, omit);
  }

  /** A stream with all its data. */
  stream(stream: PDFRawStream): RawStream {
    return { dictionary: this.entries(stream.dict, LENGTH), rawData: base64(stream.contents) };
  }

  /** Objects that were named without their content, one by one; telling one may name others. */
  *shared(): Generator<readonly [string, RawObject]> {
    for (const ref of this.#shared) {
      if (this.#told.has(ref)) continue;
      this.#told.add(ref);
      const object = resolve(this.context, ref);
      if (object === undefined) continue;
      if (object instanceof PDFRawStream) yield [refText(ref), { type: 'STREAM', stream: this.stream(object) }];
      else yield [refText(ref), this.#content(object, { path: new Set([ref]), values: 0 }, 0, new Set())];
    }
  }

  #value(value: PDFObject, walk: Walk, depth: number): RawObject {
    walk.values++;
    if (!(value instanceof PDFRef))
      return depth > MAX_DEPTH ? { type: 'NULL' } : this.#content(value, walk, depth, new Set());
    const object = resolve(this.context, value);
    if (object === undefined) return { type: 'NULL' };
    const ref = refText(value);
    const type = typeOf(object);
    if (this.apart.has(value) || walk.path.has(value)) return { type, ref };
    if (
      (!this.whole && (this.#costs.get(value) ?? 0) > SMALL_OBJECT) ||
      depth > MAX_DEPTH ||
      walk.values > MAX_VALUES
    ) {
      this.#shared.add(value);
      return { type, ref };
    }
    const before = walk.values;
    walk.path.add(value);
    const raw = this.#content(object, walk, depth, new Set(), value);
    walk.path.delete(value);
    this.#costs.set(value, walk.values - before);
    return { ...raw, ref };
  }

  #content(object: PDFObject, walk: Walk, depth: number, omit: ReadonlySet<string>, ref?: PDFRef): RawObject {
    if (object instanceof PDFStream) {
      const dictionary = this.#entries(object.dict, walk, depth + 1, LENGTH);
      const data = object instanceof PDFRawStream ? object.contents : object.getContents();
      if (ref === undefined || this.whole || data.length <= SMALL_STREAM)
        return { type: 'STREAM', stream: { dictionary, rawData: base64(data) } };
      this.#shared.add(ref);
      return { type: 'STREAM', stream: { dictionary } };
    }
    if (object instanceof PDFDict) return { type: 'DICTIONARY', entries: this.#entries(object, walk, depth + 1, omit) };
    if (object instanceof PDFArray)
      return { type: 'ARRAY', items: object.asArray().map((item) => this.#value(item, walk, depth + 1)) };
    return plain(object);
  }

  #entries(dict: PDFDict, walk: Walk, depth: number, omit: ReadonlySet<string>): Record<string, RawObject> {
    const entries: Record<string, RawObject> = Object.create(null) as Record<string, RawObject>;
    for (const [key, value] of dict.entries()) {
      const name = nameText(key);
      if (!omit.has(name)) entries[name] = this.#value(value, walk, depth);
    }
    return entries;
  }
}

/** The length follows from the data. */
const LENGTH: ReadonlySet<string> = new Set(['Length']);

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

function typeOf(object: PDFObject): RawObject['type'] {
  if (object instanceof PDFStream) return 'STREAM';
  if (object instanceof PDFDict) return 'DICTIONARY';
  return object instanceof PDFArray ? 'ARRAY' : plain(object).type;
}

function plain(object: PDFObject): RawObject {
  if (object instanceof PDFName) return { type: 'NAME', value: nameText(object) };
  if (isString(object)) return { type: 'STRING', value: base64(object.asBytes()) };
  if (object instanceof PDFNumber) {
    const value = object.asNumber();
    if (!Number.isFinite(value)) return { type: 'NULL' };
    return { type: Number.isInteger(value) ? 'INTEGER' : 'FLOAT', value };
  }
  if (object instanceof PDFBool) return { type: 'BOOLEAN', value: object.asBoolean() };
  // An unreadable object is null.
  return { type: 'NULL' };
}
