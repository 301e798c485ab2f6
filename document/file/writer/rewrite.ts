import {
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRef,
  PDFStream,
  type PDFString,
} from 'pdf-lib';
import type { LockedStream, Security } from '../encryption/index.js';
import { DocumentError } from '../../errors.js';
import { firstIdentifier } from './append.js';
import { Body, dataOf } from './body.js';
import {
  FREE_LIST_HEAD,
  type Line,
  MAX_TABLE_OFFSET,
  type Run,
  type TrailerEntries,
  writeStream,
  writeTable,
} from './cross-reference.js';
import { ObjectPacker } from './object-packer.js';
import { lookupRef } from '../objects/index.js';
import { refOf } from '../reader/index.js';
import { pageOrder } from './page-order.js';
import { Serialiser } from './serialize.js';
import { MemorySink, type Sink } from './sink.js';
import { forbidsObjectStreams, headerVersion } from './version.js';

export interface RewriteOptions {
  /**
   * Packs objects into object streams (smaller; PDF 1.5); by default when the document's version supports them and the
   * document does not claim PDF/A-1.
   */
  readonly objectStreams?: boolean | undefined;
  /** zlib's level for object streams, 9 by default. */
  readonly level?: number;
  /** Encrypts the file. */
  readonly security?: Security;
  /** The lowest version for the header, such as `1.6`; raised where the output needs more. */
  readonly version?: string;
  /** First half of the file identifier; by default the document's, else derived from the content. */
  readonly id?: Uint8Array;
}

export interface Rewritten {
  /** Number of indirect objects, without object streams and the cross-reference. */
  readonly objects: number;
  /** Bytes of the file. */
  readonly size: number;
  /** The streams that were written encrypted. */
  readonly locked: readonly LockedStream[];
}

const BYTE_RANGE = PDFName.of('ByteRange');
const PAGES = PDFName.of('Pages');
/** A longer chain of references to references leads nowhere. */
const MAX_HOPS = 32;

/**
 * Rewrites a document: only objects reachable from its catalog and information dictionary, numbered consecutively, the
 * catalog and the page tree first, then each page with its objects. Streams are copied without decoding, one at a time;
 * a lazily read encrypted document is decrypted. Dangling references become null. The trailer comes from
 * `context.trailerInfo`. The same input and options give the same bytes. Signatures are invalidated; the caller must
 * check for them. Throws PDF_DAMAGED when the trailer names no catalog; PDF_NESTING for direct objects that contain
 * themselves.
 */
export function rewriteTo(sink: Sink, context: PDFContext, options: RewriteOptions = {}): Rewritten {
  return new Rewriter(sink, context, options).run();
}

/** `rewriteTo` in memory. */
export function rewriteBytes(context: PDFContext, options: RewriteOptions = {}): Uint8Array {
  const sink = new MemorySink();
  rewriteTo(sink, context, options);
  return sink.bytes();
}

type Waiting = readonly [number: number, object: PDFObject];

class Rewriter {
  readonly #numbers = new Map<PDFRef, number>();
  /** Indexed by object number; undefined until the object is written. */
  readonly #lines: (Line | undefined)[] = [FREE_LIST_HEAD];
  readonly #body: Body;
  readonly #packer: ObjectPacker | undefined;
  readonly #version: string;
  readonly #catalog: PDFDict;
  /** The first `#foundCount` are valid: an array that is emptied and filled for each object makes garbage. */
  readonly #found: Waiting[] = [];
  #foundCount = 0;
  #objects = 0;

  constructor(
    private readonly sink: Sink,
    private readonly context: PDFContext,
    private readonly options: RewriteOptions,
  ) {
    const { Root } = context.trailerInfo;
    const catalog = Root instanceof PDFRef ? context.lookup(Root) : Root;
    if (!(catalog instanceof PDFDict))
      throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'it has no document catalog' });
    this.#catalog = catalog;
    this.#version = headerVersion(context, options);
    const renumber = (ref: PDFRef): number => this.#number(ref);
    this.#body = new Body(sink, options.security?.cipher, { renumber, renewed: options.security?.renewed === true });
    if (options.objectStreams ?? (this.#version >= '1.5' && !forbidsObjectStreams(context))) {
      this.#packer = new ObjectPacker(
        this.#body,
        context,
        renumber,
        () => this.#next(),
        (stream, position) => this.#at(stream, position),
        options.level,
      );
    }
  }

  run(): Rewritten {
    this.#body.out.text(`%PDF-${this.#version}\n`);
    this.#body.out.bytes(Uint8Array.of(0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a));
    const root = this.#numberOf(this.context.trailerInfo.Root);
    this.#writePages();
    const info = this.#numberOf(this.context.trailerInfo.Info);
    this.#drain();
    this.#packer?.finish();
    const encrypt = this.#writeEncrypt();
    this.#writeEnd((out) =>
      out.text(
        `/Root ${root} 0 R${info > 0 ? `/Info ${info} 0 R` : ''}${encrypt > 0 ? `/Encrypt ${encrypt} 0 R` : ''}`,
      ),
    );
    return { objects: this.#objects, size: this.sink.position, locked: this.#body.locked };
  }

  /**
   * Writes the catalog and the page tree, each page followed by the objects it refers to; the catalog's other objects
   * follow later.
   */
  #writePages(): void {
    const order = pageOrder(this.context, this.#catalog.get(PAGES));
    for (const ref of [...order.nodes, ...order.pages]) this.#number(ref);
    const [catalog, ...tree] = this.#takeFound();
    if (catalog !== undefined) this.#write(...catalog);
    const rest = this.#takeFound();
    for (const each of tree) {
      this.#write(...each);
      this.#drain();
    }
    for (const each of rest) this.#found[this.#foundCount++] = each;
  }

  #takeFound(): Waiting[] {
    const found = this.#found.slice(0, this.#foundCount);
    this.#foundCount = 0;
    return found;
  }

  /**
   * Writes the objects that were found, and what they refer to, in the order of their numbers: lists of ascending
   * numbers deflate best, and equal kinds, such as the cells of a table's rows, come one after another.
   */
  #drain(): void {
    for (let at = 0; at < this.#foundCount; at++) {
      const found = this.#found[at];
      if (found !== undefined) this.#write(...found);
    }
    this.#foundCount = 0;
  }

  #write(number: number, object: PDFObject): void {
    this.#objects++;
    if (this.#packer !== undefined && this.#mayBePacked(object)) {
      this.#lines[number] = this.#packer.add(number, object);
      return;
    }
    this.#at(number, this.#body.position);
    const ref = refOf(number);
    if (!(object instanceof PDFStream)) {
      this.#body.object(ref, object);
      return;
    }
    this.#body.stream(ref, object.dict, dataOf(object));
  }

  #mayBePacked(object: PDFObject): boolean {
    if (object instanceof PDFStream) return false;
    if (!(object instanceof PDFDict)) return true;
    // A signature's /Contents must be in the file itself; some readers also need the catalog of an encrypted file
    // there.
    if (object.has(BYTE_RANGE)) return false;
    return this.options.security === undefined || object !== this.#catalog;
  }

  #numberOf(value: PDFObject | undefined): number {
    if (value === undefined) return 0;
    return value instanceof PDFRef ? this.#number(value) : this.#take(value);
  }

  /** Returns the new number of a referenced object, which is queued for writing. */
  #number(ref: PDFRef): number {
    const known = this.#numbers.get(ref);
    if (known !== undefined) return known;
    let object = lookupRef(this.context, ref);
    let last = ref;
    for (let hops = 0; object instanceof PDFRef && hops < MAX_HOPS; hops++) {
      last = object;
      object = lookupRef(this.context, last);
    }
    if (object === undefined || object === PDFNull || object instanceof PDFRef) {
      this.#numbers.set(ref, 0);
      return 0;
    }
    const number = (last === ref ? undefined : this.#numbers.get(last)) ?? this.#take(object);
    this.#numbers.set(ref, number);
    if (last !== ref) this.#numbers.set(last, number);
    return number;
  }

  #take(object: PDFObject): number {
    const number = this.#next();
    this.#found[this.#foundCount++] = [number, object];
    return number;
  }

  #next(): number {
    return this.#lines.push(undefined) - 1;
  }

  #at(number: number, position: number): void {
    this.#lines[number] = { kind: 'at', position, generation: 0 };
  }

  #writeEncrypt(): number {
    const { security } = this.options;
    if (security === undefined) return 0;
    const number = this.#next();
    this.#at(number, this.#body.position);
    this.#body.object(PDFRef.of(number), security.dict, true);
    return number;
  }

  #writeEnd(entries: TrailerEntries): void {
    const digest = this.#body.digest();
    const start = this.#body.position;
    const trailer: TrailerEntries = (out) => {
      entries(out);
      out.text('/ID[');
      new Serialiser(out).object(this.#firstIdentifier(digest));
      out.text(`<${digest}>]`);
    };
    const { out } = this.#body;
    const all = (): readonly Run[] => [[0, this.#lines.map((line) => line ?? FREE_LIST_HEAD)]];
    if (this.#packer === undefined && start <= MAX_TABLE_OFFSET) {
      writeTable(out, start, all(), this.#lines.length, trailer);
    } else {
      const number = this.#next();
      this.#at(number, start);
      writeStream(out, start, number, all(), this.#lines.length, trailer);
    }
    this.#body.flush();
  }

  #firstIdentifier(digest: string): PDFString | PDFHexString {
    const given = this.options.security?.id ?? this.options.id;
    if (given !== undefined)
      return PDFHexString.of(Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString('hex'));
    return firstIdentifier(this.context.trailerInfo.ID, (ref) => this.context.lookup(ref)) ?? PDFHexString.of(digest);
  }
}
