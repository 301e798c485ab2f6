import {
  type PDFContext,
  PDFDict,
  PDFHeader,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRawStream,
  PDFRef,
} from 'pdf-lib';
import { bounds } from '../../bounds.js';
import type { Unlocked } from '../encryption/index.js';
import { DocumentError, isTooComplex } from '../../errors.js';
import { ByteWindows, type LazySource } from './byte-windows.js';
import type { CrossReference, Entry } from './cross-reference.js';
import { decodeStream } from './decode-stream.js';
import { type Decryption, inheritEncryption, openDecryption } from './decryption.js';
import { findCrossReference, findHeader, scannedTrailers } from './file-structure.js';
import { ObjectReader, type Parsed } from './indirect-object.js';
import { type Touched, lazyContext } from './lazy-context.js';
import { type ObjectStream, objectIn } from './object-stream.js';
import { ObjectStreamCache } from './object-stream-cache.js';
import { addPackedObjects, findCatalog, largestNumber } from './recovered-objects.js';
import { type Scan, scanObjects } from './recovery-scan.js';
import { ReferenceNumbers } from './reference-numbers.js';
import { describeFaults } from './describe-faults.js';
import { refOf } from './references.js';

/** A /Size further than this above the largest object number is wrong. */
const MAX_SIZE_GAP = 100_000;
/** Assumed for a file without a header that is otherwise readable. */
const ASSUMED_HEADER = { at: 0, version: '1.7' } as const;
const ROOT = PDFName.of('Root');
const ENCRYPT = PDFName.of('Encrypt');

export interface LazyOptions {
  /** User or owner password of an encrypted file; the empty password is always tried. */
  readonly password?: string;
}

/** A document that is read on demand. Created by `openLazily`. */
export class LazyDocument {
  /** pdf-lib's context over this document: its lookups load what they need. */
  readonly context: PDFContext;
  readonly windows: ByteWindows;
  /** Number of bytes before the header; offsets in the file do not count them. */
  readonly base: number;
  /** The file's cross-reference; undefined when it was missing or unreadable and the whole file was scanned instead. */
  readonly crossReference: CrossReference | undefined;
  readonly trailer: PDFDict;
  readonly #reader: ObjectReader;
  readonly #objects: Pick<ReadonlyMap<PDFRef, PDFObject>, 'get'>;
  readonly #forget: () => void;
  readonly #touched: () => Touched;
  readonly #recovered = new Map<number, Entry>();
  /** The objects that are being loaded, innermost last; object streams as negative numbers. Seldom more than three. */
  readonly #loading: number[] = [];
  readonly #streams = new ObjectStreamCache();
  readonly #password: string | undefined;
  #decryption: Decryption | undefined;
  readonly #wrongLengths = new Set<number>();
  readonly #displaced = new Set<number>();
  readonly #broken = new Set<number>();
  readonly #unended = new Set<number>();
  readonly #unread = new Set<number>();
  readonly #numbers: ReferenceNumbers;
  readonly #nulled = new Set<PDFRef>();
  /** True while objects are read exactly as in the file. */
  #verbatim = false;
  #inexact = false;
  #decoded = 0;
  #scan: Scan | undefined;

  constructor(source: Uint8Array | LazySource, { password }: LazyOptions = {}) {
    this.#password = password;
    this.windows = new ByteWindows(source);
    const { context, objects, forget, touched } = lazyContext({
      load: (ref) => this.#as(false, () => this.#load(ref)),
      references: () => this.references(),
    });
    this.context = context;
    this.#objects = objects;
    this.#forget = forget;
    this.#touched = touched;
    this.#numbers = new ReferenceNumbers(context);
    this.#reader = new ObjectReader(
      this.windows,
      this.context,
      (ref) => {
        const value = this.#loading.includes(ref.objectNumber) ? undefined : this.context.lookup(ref);
        return value instanceof PDFNumber ? value.asNumber() : undefined;
      },
      this.#keep,
    );
    const header = findHeader(this.windows) ?? ASSUMED_HEADER;
    const [major, minor] = header.version.split('.').map(Number);
    this.context.header = PDFHeader.forVersion(major ?? 1, minor ?? 7);
    const found = findCrossReference(this.#reader, header.at);
    this.base = found?.base ?? 0;
    this.crossReference = found?.table;
    this.#inexact = found?.exact === false;
    // Object 0 stands for the trailers.
    if (found?.table.revisions.some(({ broken }) => broken) === true) this.#broken.add(0);
    let trailer = found?.table.trailer;
    if (trailer !== undefined) this.#decryption = this.#openDecryption(trailer);
    if (trailer === undefined || !this.#hasCatalog(trailer)) {
      this.crossReference = undefined;
      trailer = this.#recoverAll();
    }
    // Encryption that cannot be opened, because its dictionary is lost, must not be copied to the output.
    if (this.#decryption === undefined) trailer.delete(ENCRYPT);
    this.trailer = trailer;
    for (const key of ['Root', 'Encrypt', 'Info', 'ID'] as const) {
      const value = trailer.get(PDFName.of(key));
      if (value !== undefined) this.context.trailerInfo[key] = value;
    }
    const largest = Math.max(
      this.context.largestObjectNumber,
      this.crossReference?.largest ?? 0,
      largestNumber(this.#recovered),
    );
    const size = trailer.get(PDFName.of('Size'));
    const declared = size instanceof PDFNumber ? Math.trunc(size.asNumber()) - 1 : 0;
    this.context.largestObjectNumber =
      declared <= Math.min(largest + MAX_SIZE_GAP, bounds.objectNumber) ? Math.max(largest, declared) : largest;
    this.#numbers.begin();
  }

  /** True when the file is encrypted; `lookup` returns decrypted objects. */
  get encrypted(): boolean {
    return this.#decryption !== undefined;
  }

  /** The access that the password gave, and the cipher for appended data; undefined without encryption. */
  get security(): Unlocked | undefined {
    return this.#decryption?.security;
  }

  /** True when something was misplaced and found elsewhere, or was only partly readable. */
  get recovered(): boolean {
    return !this.continuable || this.#inexact || this.#wrongLengths.size > 0 || this.#broken.size > 0;
  }

  /** True when `warnings` are about more than harmless bytes: when something was recovered or ends in another way. */
  get faulty(): boolean {
    return this.recovered || this.#unended.size > 0;
  }

  /** True while every object was found where its cross-reference says, so that an update can build on it. */
  get continuable(): boolean {
    return this.crossReference !== undefined && this.#displaced.size === 0;
  }

  /** True once a stream was read that only the end of the file ends, so that appended bytes would become part of it. */
  get open(): boolean {
    return this.#reader.open;
  }

  /**
   * Returns an object, decrypted, and the same one on each call; undefined when none has this number and generation, or
   * it is unreadable. Throws the errors of `isTooComplex`.
   */
  lookup(ref: PDFRef): PDFObject | undefined {
    return this.#objects.get(ref);
  }

  /** The objects that may differ from the file. */
  get touched(): Touched {
    return this.#touched();
  }

  /**
   * Reads an object as it is in the file, a new one on each call, to be compared with the result of `lookup`. Throws
   * the same errors.
   */
  original(ref: PDFRef): PDFObject | undefined {
    return this.#as(true, () => this.#load(ref));
  }

  /**
   * Objects in which dangling references became null because added objects use their numbers: they differ from the
   * file, and must be written too.
   */
  get nulled(): ReadonlySet<PDFRef> {
    return this.#nulled;
  }

  /** Yields every reference that has an object, in the order of the cross-reference, without loading the objects. */
  *references(): Iterable<PDFRef> {
    const numbers = this.crossReference?.numbers() ?? this.#recovered.keys();
    for (const number of numbers) {
      const entry = this.entry(number);
      if (entry !== undefined && entry.kind !== 'free' && number > 0)
        yield refOf(number, entry.kind === 'at' ? entry.generation : 0);
    }
  }

  /**
   * Decodes a stream of this document (see `decodeStream`); undefined for unknown filters. Throws the errors of
   * `isTooComplex`, among them PDF_INFLATED_TOTAL above 1 GiB for the whole document.
   */
  decode(stream: PDFRawStream): Uint8Array | undefined {
    const data = decodeStream(stream, (value) => this.#value(value));
    this.#decoded += data?.length ?? 0;
    if (this.#decoded > bounds.inflatedBytes)
      throw new DocumentError('PDF_INFLATED_TOTAL', { limit: bounds.inflatedBytes });
    return data;
  }

  /** Repairs so far, as sentences for reports: at opening, and in the objects loaded since. */
  get warnings(): readonly string[] {
    const [displaced, lengths, broken] = [this.#displaced.size, this.#wrongLengths.size, this.#broken.size];
    return describeFaults({
      base: this.base,
      inexact: this.#inexact,
      scanned: this.crossReference === undefined,
      displaced,
      lengths,
      broken,
      unended: this.#unended.size,
    });
  }

  /** Number of objects that were looked up so far and cannot be read, although the cross-reference has them. */
  get unread(): number {
    return this.#unread.size;
  }

  /**
   * Yields the objects in the cross-reference that cannot be read, with the error code where a limit was the reason.
   * Reads every object, and throws PDF_TOO_BROKEN at the limit of effort.
   */
  *unreadable(): Iterable<{ readonly ref: PDFRef; readonly code?: string }> {
    for (const ref of this.references()) {
      try {
        if (this.lookup(ref) === undefined) yield { ref };
      } catch (error) {
        if (!(error instanceof DocumentError) || !isTooComplex(error) || error.code === 'PDF_TOO_BROKEN') throw error;
        yield { ref, code: error.code };
      }
    }
  }

  /** Returns the location of an object, corrected ones first. */
  entry(number: number): Entry | undefined {
    return this.#recovered.get(number) ?? this.crossReference?.find(number);
  }

  readonly #keep = (number: number): boolean => this.#verbatim || this.#numbers.keep(number);

  #as<T>(verbatim: boolean, read: () => T): T {
    const before = this.#verbatim;
    this.#verbatim = verbatim;
    try {
      return read();
    } finally {
      this.#verbatim = before;
    }
  }

  #load(ref: PDFRef): PDFObject | undefined {
    const number = ref.objectNumber;
    const entry = this.entry(number);
    if (entry === undefined || entry.kind === 'free' || this.#loading.includes(number)) return undefined;
    this.#loading.push(number);
    try {
      if ((entry.kind === 'at' ? entry.generation : 0) !== ref.generationNumber) {
        if (!this.#hasGeneration(ref, entry)) return undefined;
        // Strict readers do not find it.
        this.#displaced.add(number);
      }
      const found = this.#read(number, entry) ?? this.#readElsewhere(number);
      if (found?.nulled === true) this.#nulled.add(ref);
      if (found === undefined && (entry.kind === 'in' || entry.position > 0)) this.#unread.add(number);
      // Objects in an object stream were decrypted with it.
      if (found === undefined || this.#decryption === undefined || this.entry(number)?.kind === 'in')
        return found?.object;
      return this.#decryption.decrypt(ref, found);
    } finally {
      this.#loading.pop();
    }
  }

  /**
   * True when the object's header has the generation that the reference names, where the cross-reference has another.
   */
  #hasGeneration({ objectNumber, generationNumber }: PDFRef, entry: Entry): boolean {
    if (entry.kind !== 'at') return false;
    const header = this.#reader.header(entry.position) ?? this.#reader.header(entry.position - 1);
    if (header?.number === objectNumber) return header.generation === generationNumber;
    return (this.#scan ??= scanObjects(this.windows)).objects.get(objectNumber)?.generation === generationNumber;
  }

  #read(number: number, entry: Entry): Pick<Parsed, 'object' | 'hasStrings' | 'nulled'> | undefined {
    if (entry.kind === 'in') {
      const stream = this.#objectStream(entry.stream);
      const packed = stream === undefined ? undefined : objectIn(stream, number, entry.index, this.#reader.parser);
      if (packed?.broken === true) this.#broken.add(number);
      return packed;
    }
    if (entry.kind === 'free') return undefined;
    const header = this.#reader.header(entry.position) ?? this.#reader.header(entry.position - 1);
    if (header?.number !== number) return undefined;
    const parsed = this.#reader.parseAt(header.bodyAt);
    if (parsed?.wrongLength === true) this.#wrongLengths.add(number);
    if (parsed?.broken === true) this.#broken.add(number);
    if (parsed?.unended === true) this.#unended.add(number);
    return parsed;
  }

  /** Finds an object that is not where the cross-reference says by scanning the file. */
  #readElsewhere(number: number): Pick<Parsed, 'object' | 'hasStrings' | 'nulled'> | undefined {
    this.#scan ??= scanObjects(this.windows);
    const place = this.#scan.objects.get(number);
    const before = this.entry(number);
    if (place === undefined || (before?.kind === 'at' && before.position === place.position)) return undefined;
    // Only the position changes: an object's generation must not depend on earlier lookups.
    const entry: Entry = {
      kind: 'at',
      position: place.position,
      generation: before?.kind === 'at' ? before.generation : place.generation,
    };
    const found = this.#read(number, entry);
    if (found === undefined) return undefined;
    this.#recovered.set(number, entry);
    this.#displaced.add(number);
    return found;
  }

  #objectStream(number: number): ObjectStream | undefined {
    // A stream's number may also be that of an object in another one; streams in object streams do not exist.
    const entry = this.entry(number);
    if (entry?.kind !== 'at' || this.#loading.includes(-number)) return undefined;
    this.#loading.push(-number);
    try {
      const stream = this.#streams.get(
        number,
        () => this.context.lookup(PDFRef.of(number, entry.generation)),
        (value) => this.#value(value),
      );
      if (stream?.broken === true) this.#broken.add(number);
      return stream;
    } finally {
      this.#loading.pop();
    }
  }

  #value(value: PDFObject | undefined): PDFObject | undefined {
    return value instanceof PDFRef ? this.context.lookup(value) : value;
  }

  /** True when a trailer leads to a catalog with pages, so that its cross-reference can be trusted. */
  #hasCatalog(trailer: PDFDict): boolean {
    const catalog = this.#value(trailer.get(ROOT));
    return catalog instanceof PDFDict && this.#value(catalog.get(PDFName.of('Pages'))) instanceof PDFDict;
  }

  /** Finds all objects by scanning the whole file, and a trailer in what is left of it. */
  #recoverAll(): PDFDict {
    const scan = (this.#scan ??= scanObjects(this.windows));
    // Objects loaded through the wrong cross-reference may be other objects.
    this.#forget();
    this.#recovered.clear();
    this.#streams.clear();
    this.#decryption = undefined;
    for (const [number, place] of scan.objects) this.#recovered.set(number, { kind: 'at', ...place });
    const places = scan.crossReferences.flatMap((number) => scan.objects.get(number)?.position ?? []);
    const trailers = scannedTrailers(this.#reader, scan.trailers, places);
    const locked = trailers.find((trailer) => trailer.has(ENCRYPT));
    if (locked !== undefined) this.#decryption = this.#openDecryption(locked);
    addPackedObjects(this.#recovered, scan, (number) => this.#objectStream(number)?.numbers ?? []);
    const trailer = trailers.find((each) => each.has(ROOT) && this.#hasCatalog(each)) ?? this.#newTrailer(scan);
    if (locked !== undefined && this.#decryption !== undefined) inheritEncryption(trailer, locked);
    return trailer;
  }

  #openDecryption(trailer: PDFDict): Decryption | undefined {
    return openDecryption(trailer, this.#password, ({ objectNumber }) =>
      ['at', 'in'].includes(this.entry(objectNumber)?.kind ?? 'free'),
    );
  }

  #newTrailer(scan: Scan): PDFDict {
    const catalog = findCatalog(this.#recovered, scan, this.context);
    if (catalog === undefined)
      throw new DocumentError('PDF_DAMAGED', {
        field: 'fileInput',
        detail: 'it has neither a cross-reference nor a catalog',
      });
    const trailer = PDFDict.withContext(this.context);
    trailer.set(ROOT, catalog);
    return trailer;
  }
}
