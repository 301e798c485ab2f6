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
import { type Scan, scanObjects } from './recovery-scan.js';
import { ReferenceNumbers } from './reference-numbers.js';
import { describeMending } from './warnings.js';

/** A /Size that far beyond every object is a lie. */
const BELIEVED = 100_000;
/** What a file without a header is taken for, when it holds together otherwise. */
const NO_HEADER = { at: 0, version: '1.7' } as const;
const ROOT = PDFName.of('Root');
const ENCRYPT = PDFName.of('Encrypt');

/** How to open. */
export interface LazyOptions {
  /** The user's or the owner's password of an encrypted file; the empty one is always tried. */
  readonly password?: string;
}

/** A document of which only what was asked for has been read. Get one from `openLazily`. */
export class LazyDocument {
  /** pdf-lib's context over this document: its lookups read what they need. */
  readonly context: PDFContext;
  readonly windows: ByteWindows;
  /** Bytes before the header, which the offsets in the file do not count. */
  readonly base: number;
  /** The file's cross-reference; undefined when it was missing or unreadable and the whole file was scanned instead. */
  readonly crossReference: CrossReference | undefined;
  readonly trailer: PDFDict;
  readonly #reader: ObjectReader;
  readonly #forget: () => void;
  readonly #touched: () => Touched;
  readonly #recovered = new Map<number, Entry>();
  readonly #loading = new Set<number>();
  readonly #streams = new ObjectStreamCache();
  readonly #password: string | undefined;
  #decryption: Decryption | undefined;
  readonly #mended = new Set<number>();
  readonly #displaced = new Set<number>();
  readonly #broken = new Set<number>();
  readonly #numbers: ReferenceNumbers;
  readonly #nulled = new Set<PDFRef>();
  /** True while objects are read as the file has them. */
  #verbatim = false;
  #inexact = false;
  #decoded = 0;
  #scan: Scan | undefined;

  constructor(source: Uint8Array | LazySource, { password }: LazyOptions = {}) {
    this.#password = password;
    this.windows = new ByteWindows(source);
    const { context, forget, touched } = lazyContext({
      load: (ref) => this.#as(false, () => this.#load(ref)),
      references: () => this.references(),
    });
    this.context = context;
    this.#forget = forget;
    this.#touched = touched;
    this.#numbers = new ReferenceNumbers(context);
    this.#reader = new ObjectReader(
      this.windows,
      this.context,
      (ref) => {
        const value = this.#loading.has(ref.objectNumber) ? undefined : this.context.lookup(ref);
        return value instanceof PDFNumber ? value.asNumber() : undefined;
      },
      this.#keep,
    );
    const header = findHeader(this.windows) ?? NO_HEADER;
    const [major, minor] = header.version.split('.').map(Number);
    this.context.header = PDFHeader.forVersion(major ?? 1, minor ?? 7);
    const found = findCrossReference(this.#reader, header.at);
    this.base = found?.base ?? 0;
    this.crossReference = found?.table;
    this.#inexact = found?.exact === false;
    let trailer = found?.table.trailer;
    if (trailer !== undefined) this.#decryption = this.#openDecryption(trailer);
    if (trailer === undefined || !this.#hasCatalog(trailer)) {
      this.crossReference = undefined;
      trailer = this.#recoverAll();
    }
    // Encryption that cannot be opened, since its dictionary is lost, must not be handed on to what is written.
    if (this.#decryption === undefined) trailer.delete(ENCRYPT);
    this.trailer = trailer;
    for (const key of ['Root', 'Encrypt', 'Info', 'ID'] as const) {
      const value = trailer.get(PDFName.of(key));
      if (value !== undefined) this.context.trailerInfo[key] = value;
    }
    const largest = Math.max(
      this.context.largestObjectNumber,
      this.crossReference?.largest ?? 0,
      this.#largestRecovered(),
    );
    const size = trailer.get(PDFName.of('Size'));
    const declared = size instanceof PDFNumber ? Math.trunc(size.asNumber()) - 1 : 0;
    this.context.largestObjectNumber =
      declared <= Math.min(largest + BELIEVED, bounds.objectNumber) ? Math.max(largest, declared) : largest;
    this.#numbers.begin();
  }

  /** True when the file is encrypted; `lookup` gives objects decrypted. */
  get encrypted(): boolean {
    return this.#decryption !== undefined;
  }

  /**
   * What the password gave access to, and the cipher for whatever is put behind the file; undefined without encryption.
   */
  get security(): Unlocked | undefined {
    return this.#decryption?.security;
  }

  /** True when something was not where the file says and was found elsewhere, or could be read in part only. */
  get recovered(): boolean {
    return !this.continuable || this.#inexact || this.#mended.size > 0 || this.#broken.size > 0;
  }

  /** True while no object was found elsewhere than its cross-reference says, so that an update can build on it. */
  get continuable(): boolean {
    return this.crossReference !== undefined && this.#displaced.size === 0;
  }

  /**
   * True once a stream was read that nothing ends but the end of the file, so that whatever is put behind the file
   * would belong to it.
   */
  get open(): boolean {
    return this.#reader.open;
  }

  /**
   * Gives an object, or undefined when there is none of this number and generation, or nothing readable. The same
   * object each time. Of an encrypted document it is decrypted. Errors: those of `isTooComplex`.
   */
  lookup(ref: PDFRef): PDFObject | undefined {
    return this.context.lookup(ref);
  }

  /** What may differ from the file. */
  get touched(): Touched {
    return this.#touched();
  }

  /**
   * Reads an object as the file has it, each time another one: to be compared with what `lookup` gives. Errors as
   * there.
   */
  original(ref: PDFRef): PDFObject | undefined {
    return this.#as(true, () => this.#load(ref));
  }

  /**
   * Objects with references to nothing that became null because what was added has these numbers: they differ from the
   * file, and must be written with the rest.
   */
  get nulled(): ReadonlySet<PDFRef> {
    return this.#nulled;
  }

  /** Gives every reference that has an object, in the order of the cross-reference, without reading the objects. */
  *references(): Iterable<PDFRef> {
    const numbers = this.crossReference?.numbers() ?? this.#recovered.keys();
    for (const number of numbers) {
      const entry = this.entry(number);
      if (entry !== undefined && entry.kind !== 'free' && number > 0)
        yield PDFRef.of(number, entry.kind === 'at' ? entry.generation : 0);
    }
  }

  /**
   * Decodes a stream of this document, as far as its filters are known (see `decodeStream`); undefined where they are
   * not. Errors: those of `isTooComplex`, among them PDF_INFLATED_TOTAL when all that was decoded exceeds 1 GiB.
   */
  decode(stream: PDFRawStream): Uint8Array | undefined {
    const data = decodeStream(stream, (value) => this.#value(value));
    this.#decoded += data?.length ?? 0;
    if (this.#decoded > bounds.inflatedBytes)
      throw new DocumentError('PDF_INFLATED_TOTAL', { limit: bounds.inflatedBytes });
    return data;
  }

  /** What was mended so far, in sentences for reports: at opening, and in the objects that were looked up since. */
  get warnings(): readonly string[] {
    const [displaced, lengths, broken] = [this.#displaced.size, this.#mended.size, this.#broken.size];
    return describeMending({
      base: this.base,
      inexact: this.#inexact,
      scanned: this.crossReference === undefined,
      displaced,
      lengths,
      broken,
    });
  }

  /**
   * Lists the objects that the cross-reference promises and that cannot be read, with the code of the refusal where a
   * bound was the reason. Reads every object, and stops at the bound on effort: PDF_TOO_BROKEN.
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

  /** Tells where an object is, mended entries first. */
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
    if (entry === undefined || entry.kind === 'free' || this.#loading.has(number)) return undefined;
    this.#loading.add(number);
    try {
      if ((entry.kind === 'at' ? entry.generation : 0) !== ref.generationNumber && !this.#hasGeneration(ref, entry))
        return undefined;
      const found = this.#read(number, entry) ?? this.#readElsewhere(number);
      if (found?.nulled === true) this.#nulled.add(ref);
      // What an object stream holds was decrypted with it.
      if (found === undefined || this.#decryption === undefined || this.entry(number)?.kind === 'in')
        return found?.object;
      return this.#decryption.decrypt(ref, found);
    } finally {
      this.#loading.delete(number);
    }
  }

  /**
   * Tells whether an object has the generation that a reference asks for by its own header, where the cross-reference
   * says another.
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
      return stream === undefined ? undefined : objectIn(stream, number, entry.index, this.context, this.#keep);
    }
    if (entry.kind === 'free') return undefined;
    const header = this.#reader.header(entry.position) ?? this.#reader.header(entry.position - 1);
    if (header?.number !== number) return undefined;
    const parsed = this.#reader.parseAt(header.bodyAt);
    if (parsed?.mended === true) this.#mended.add(number);
    if (parsed?.broken === true) this.#broken.add(number);
    return parsed;
  }

  /** What is not where the cross-reference says is where a scan of the file finds it. */
  #readElsewhere(number: number): Pick<Parsed, 'object' | 'hasStrings' | 'nulled'> | undefined {
    this.#scan ??= scanObjects(this.windows);
    const place = this.#scan.objects.get(number);
    const before = this.entry(number);
    if (place === undefined || (before?.kind === 'at' && before.position === place.position)) return undefined;
    // Only the place changes: what an object is called must not depend on what was looked up before.
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
    // One stream's number may be that of an object in another; streams within streams do not exist.
    const entry = this.entry(number);
    if (entry?.kind !== 'at' || this.#loading.has(-number)) return undefined;
    this.#loading.add(-number);
    try {
      return this.#streams.get(
        number,
        () => this.context.lookup(PDFRef.of(number, entry.generation)),
        (value) => this.#value(value),
      );
    } finally {
      this.#loading.delete(-number);
    }
  }

  #value(value: PDFObject | undefined): PDFObject | undefined {
    return value instanceof PDFRef ? this.context.lookup(value) : value;
  }

  /** Tells whether a trailer leads to something with pages, so that its cross-reference is worth believing. */
  #hasCatalog(trailer: PDFDict): boolean {
    const catalog = this.#value(trailer.get(ROOT));
    return catalog instanceof PDFDict && this.#value(catalog.get(PDFName.of('Pages'))) instanceof PDFDict;
  }

  /** Takes every object from a scan of the whole file, and the trailer from what is left of one. */
  #recoverAll(): PDFDict {
    const scan = (this.#scan ??= scanObjects(this.windows));
    // What was read by the wrong cross-reference may be another object.
    this.#forget();
    this.#recovered.clear();
    this.#streams.clear();
    this.#decryption = undefined;
    for (const [number, place] of scan.objects) this.#recovered.set(number, { kind: 'at', ...place });
    const places = scan.crossReferences.flatMap((number) => scan.objects.get(number)?.position ?? []);
    const trailers = scannedTrailers(this.#reader, scan.trailers, places);
    const locked = trailers.find((trailer) => trailer.has(ENCRYPT));
    if (locked !== undefined) this.#decryption = this.#openDecryption(locked);
    this.#recoverStreams(scan);
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
    const catalog = this.#findCatalog(scan);
    if (catalog === undefined) throw damaged('it has neither a cross-reference nor a catalog');
    const trailer = PDFDict.withContext(this.context);
    trailer.set(ROOT, catalog);
    return trailer;
  }

  #recoverStreams(scan: Scan): void {
    const containers = scan.objectStreams
      .map((number) => ({ number, position: scan.objects.get(number)?.position ?? 0 }))
      .sort((a, b) => a.position - b.position);
    for (const { number, position } of containers) {
      for (const [index, inner] of (this.#objectStream(number)?.numbers ?? []).entries()) {
        const known = scan.objects.get(inner);
        if (inner > 0 && inner <= bounds.believedNumber && (known === undefined || known.position < position))
          this.#recovered.set(inner, { kind: 'in', stream: number, index });
      }
    }
  }

  #findCatalog(scan: Scan): PDFRef | undefined {
    const inside = [...this.#recovered].flatMap(([number, entry]) => (entry.kind === 'in' ? [number] : []));
    for (const number of [...scan.catalogs.toReversed(), ...inside]) {
      const entry = this.#recovered.get(number);
      const ref = PDFRef.of(number, entry?.kind === 'at' ? entry.generation : 0);
      const object = this.context.lookup(ref);
      if (
        object instanceof PDFDict &&
        object.get(PDFName.of('Type')) === PDFName.of('Catalog') &&
        object.has(PDFName.of('Pages'))
      )
        return ref;
    }
    return undefined;
  }

  #largestRecovered(): number {
    let largest = 0;
    for (const number of this.#recovered.keys()) largest = Math.max(largest, number);
    return largest;
  }
}

function damaged(detail: string): DocumentError {
  return new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail });
}

/**
 * Opens a PDF without reading more than where its objects are; each is parsed when it is looked up. Errors: PDF_DAMAGED
 * when there is neither a cross-reference nor a catalog; those of `isTooComplex` beyond a bound on size, depth or work;
 * PDF_ENCRYPTED when it needs another password, PDF_ENCRYPTION_PUBLIC_KEY, PDF_ENCRYPTION_UNSUPPORTED.
 */
export function openLazily(source: Uint8Array | LazySource, options: LazyOptions = {}): LazyDocument {
  return new LazyDocument(source, options);
}

const unchanged = new WeakMap<object, LazyDocument>();

/**
 * Leaves a document that was only looked at to the next who opens the same source: what was parsed need not be parsed
 * again.
 */
export function leaveReader(source: Uint8Array | LazySource, document: LazyDocument): void {
  unchanged.set(source, document);
}

/** Takes the document that was left for this source; it is then the caller's alone. */
export function takeReader(source: Uint8Array | LazySource): LazyDocument | undefined {
  const document = unchanged.get(source);
  unchanged.delete(source);
  return document;
}
