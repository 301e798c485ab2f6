import { PDFDict, PDFName, PDFNumber, type PDFContext, type PDFObject, PDFRef } from 'pdf-lib';
import type { Body } from './body.js';
import { ByteWriter } from './byte-writer.js';
import type { Line } from './cross-reference.js';
import { deflateFitted } from '../zlib/index.js';
import { type Renumber, Serialiser } from './serialize.js';

/** Objects per object stream, and bytes from which it is full: readers inflate all of them to get one. */
const [OBJECTS_PER_STREAM, FULL_BYTES] = [200, 32 * 1024] as const;

/** Collects objects in object streams (ISO 32000-1, 7.5.7) and writes each one when it is full. */
export class ObjectPacker {
  readonly #out = new ByteWriter();
  readonly #serialiser: Serialiser;
  readonly #offsets: number[] = [];
  readonly #numbers: number[] = [];
  #stream = 0;

  constructor(
    private readonly body: Body,
    private readonly context: PDFContext,
    renumber: Renumber,
    /** Returns an unused object number. */
    private readonly nextNumber: () => number,
    /** Called with the position of each object stream. */
    private readonly written: (stream: number, position: number) => void,
    /** zlib's. */
    private readonly level?: number,
  ) {
    this.#serialiser = new Serialiser(this.#out, renumber);
  }

  /** Adds an object; its strings are not encrypted, the stream is. Returns its entry in the cross-reference. */
  add(number: number, object: PDFObject): Line {
    if (this.#numbers.length === 0) this.#stream = this.nextNumber();
    const place: Line = { kind: 'in', stream: this.#stream, index: this.#numbers.length };
    this.#numbers.push(number);
    this.#offsets.push(this.#out.length);
    this.#serialiser.object(object);
    this.#out.byte(0x0a);
    if (this.#numbers.length === OBJECTS_PER_STREAM || this.#out.length >= FULL_BYTES) this.finish();
    return place;
  }

  /** Writes the last object stream. */
  finish(): void {
    if (this.#numbers.length === 0) return;
    const head = Buffer.from(
      `${this.#numbers.map((number, i) => `${number} ${this.#offsets[i] ?? 0}`).join(' ')}\n`,
      'latin1',
    );
    const data = deflateFitted(Buffer.concat([head, this.#out.view()]), this.level);
    const dict = PDFDict.withContext(this.context);
    dict.set(PDFName.of('Type'), PDFName.of('ObjStm'));
    dict.set(PDFName.of('N'), PDFNumber.of(this.#numbers.length));
    dict.set(PDFName.of('First'), PDFNumber.of(head.length));
    dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'));
    this.written(this.#stream, this.body.position);
    this.body.stream(PDFRef.of(this.#stream), dict, data);
    this.#numbers.length = 0;
    this.#offsets.length = 0;
    this.#out.clear();
  }
}
