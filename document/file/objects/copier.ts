import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import { nameText, resolve } from './access.js';
import { arrayOfExactly, eachEntry, entryCount } from './entries.js';
import { streamOver } from './stream-over.js';

export interface CopyRules {
  /**
   * Both documents use the same stream where its dictionary has a filter's name and a length only, as most content of
   * pages has: for callers that change neither document's streams afterwards. `alter` is not called for these.
   */
  readonly sharesStreams?: boolean;
  /** False leaves the object behind: references to it disappear from dictionaries and become null in arrays. */
  readonly admits?: (object: PDFObject, ref: PDFRef | undefined) => boolean;
  /** Called with each dictionary (also a stream's) after its entries were copied, to adapt it to the target. */
  readonly alter?: (copy: PDFDict, source: PDFDict) => void;
  /** Takes over one entry: returns its value in the target, or undefined to leave it to the copier. */
  readonly substitute?: (
    owner: PDFDict,
    key: string,
    value: PDFObject,
    body: PDFRawStream | undefined,
  ) => PDFObject | undefined;
}

const [LENGTH, FILTER] = ['Length', 'Filter'].map((key) => PDFName.of(key)) as [PDFName, PDFName];

/**
 * Copies objects from one document into another under new, consecutive numbers, following references only as far as its
 * rules allow. Indirect objects wait in a queue, so that a long chain of references cannot exhaust the stack; call
 * `drain` after all roots were copied.
 */
export class ObjectCopier {
  private readonly places = new Map<PDFRef, PDFRef | null>();
  /** The entries of the dictionary that is being copied. */
  private filled = new Map<PDFName, PDFObject>();
  private readonly queue: { readonly object: PDFObject; readonly place: PDFRef }[] = [];

  constructor(
    readonly source: PDFContext,
    readonly target: PDFContext,
    private readonly rules: CopyRules = {},
  ) {}

  /** Maps a source object to a target reference; the caller writes the content. */
  place(source: PDFRef, target: PDFRef): void {
    this.places.set(source, target);
  }

  /** Leaves this source object behind, regardless of references to it. */
  refuse(source: PDFRef): void {
    this.places.set(source, null);
  }

  /** The copy's reference, if the object was copied. */
  placeOf(source: PDFRef): PDFRef | undefined {
    return this.places.get(source) ?? undefined;
  }

  /** Copies a value; undefined when it is left behind. */
  copy(value: PDFObject | undefined): PDFObject | undefined {
    if (value === undefined) return undefined;
    if (value instanceof PDFRef) return this.copyRef(value);
    if (value instanceof PDFDict) return this.admits(value) ? this.copyDict(value) : undefined;
    if (value instanceof PDFArray) return this.copyArray(value);
    // Objects that pdf-lib could not parse may hold references that cannot be renumbered.
    if (value instanceof PDFStream || value instanceof PDFInvalidObject) return undefined;
    // Names, numbers, strings and booleans never change, so both documents may share them.
    return value;
  }

  /** Copies a dictionary's entries without applying `admits` to it. */
  copyDict(dict: PDFDict, omit?: ReadonlySet<string>): PDFDict {
    return this.fillDict(dict, undefined, omit);
  }

  /** Copies all queued objects, and those that they refer to in turn. */
  drain(): void {
    for (let next = this.queue.pop(); next !== undefined; next = this.queue.pop()) {
      const { object, place } = next;
      const copy = object instanceof PDFStream ? this.copyStream(object) : this.copy(object);
      this.target.assign(place, copy ?? PDFNull);
    }
  }

  private admits(object: PDFObject, ref?: PDFRef): boolean {
    return this.rules.admits?.(object, ref) ?? true;
  }

  private copyRef(ref: PDFRef): PDFRef | undefined {
    const known = this.places.get(ref);
    if (known !== undefined) return known ?? undefined;
    const object = resolve(this.source, ref);
    // A reference to nothing is null (ISO 32000-1, 7.3.10); if kept, its number could later belong to an object of
    // another input.
    if (object === undefined || object instanceof PDFInvalidObject || !this.admits(object, ref)) {
      this.places.set(ref, null);
      return undefined;
    }
    const place = this.target.nextRef();
    this.places.set(ref, place);
    this.queue.push({ object, place });
    return place;
  }

  private copyArray(array: PDFArray): PDFArray {
    // A new array, which `arrayOfExactly` may keep.
    const copies = array.asArray();
    for (let i = 0; i < copies.length; i++) copies[i] = this.copy(copies[i]) ?? PDFNull;
    return arrayOfExactly(this.target, copies);
  }

  /** One function for all dictionaries: one for each would be garbage. */
  private readonly take = (value: PDFObject, key: PDFName): void => {
    const { filled } = this;
    const copy = this.copy(value);
    if (copy !== undefined && copy !== PDFNull) filled.set(key, copy);
  };

  private copyEntries(dict: PDFDict): Map<PDFName, PDFObject> {
    const { filled } = this;
    const entries = (this.filled = new Map<PDFName, PDFObject>());
    eachEntry(dict, this.take);
    this.filled = filled;
    return entries;
  }

  private fillDict(dict: PDFDict, body: PDFRawStream | undefined, omit?: ReadonlySet<string>): PDFDict {
    const plain = this.rules.substitute === undefined && body === undefined && omit === undefined;
    const entries = plain ? this.copyEntries(dict) : this.copyAllowed(dict, body, omit);
    const copy = PDFDict.fromMapWithContext(entries, this.target);
    this.rules.alter?.(copy, dict);
    return copy;
  }

  private copyAllowed(
    dict: PDFDict,
    body: PDFRawStream | undefined,
    omit: ReadonlySet<string> | undefined,
  ): Map<PDFName, PDFObject> {
    const entries = new Map<PDFName, PDFObject>();
    const { substitute } = this.rules;
    eachEntry(dict, (value, key) => {
      if (key === LENGTH && body !== undefined) return;
      if (omit?.has(nameText(key)) === true) return;
      const copy = substitute?.(dict, nameText(key), value, body) ?? this.copy(value);
      if (copy !== undefined && copy !== PDFNull) entries.set(key, copy);
    });
    return entries;
  }

  private copyStream(stream: PDFStream): PDFRawStream {
    if (this.rules.sharesStreams === true && stream instanceof PDFRawStream && isBare(stream.dict)) return stream;
    const raw = stream instanceof PDFRawStream ? stream : PDFRawStream.of(stream.dict, stream.getContents());
    return streamOver(raw, this.fillDict(raw.dict, raw));
  }
}

/** True for a stream's dictionary without references, and without an entry that means something else in a document. */
function isBare(dict: PDFDict): boolean {
  const filter = dict.get(FILTER);
  const known = (dict.has(LENGTH) ? 1 : 0) + (filter instanceof PDFName ? 1 : 0);
  return entryCount(dict) === known;
}
