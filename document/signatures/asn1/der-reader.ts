import { tags } from './tags.js';

/**
 * An element of DER in bytes that it shares: nothing is copied and nothing is read ahead, so that a list of a million
 * revocations costs no objects. Definite lengths and tags of one byte only, as certificates, lists and OCSP answers
 * have them. Everything throws RangeError for what is not so.
 */
export class Der {
  private constructor(
    private readonly source: Uint8Array,
    private readonly start: number,
    private readonly body: number,
    private readonly end: number,
  ) {}

  /** The element that bytes begin with; what follows it is left alone. */
  static read(bytes: Uint8Array): Der {
    return Der.#at(bytes, 0, bytes.length);
  }

  /** The element that bytes are. */
  static whole(bytes: Uint8Array): Der {
    const read = Der.read(bytes);
    if (read.end !== bytes.length) throw new RangeError('bytes follow the element');
    return read;
  }

  static #at(source: Uint8Array, start: number, limit: number): Der {
    const tag = source[start];
    const first = source[start + 1];
    if (tag === undefined || first === undefined || start + 2 > limit) throw new RangeError('an element is cut off');
    if ((tag & 0x1f) === 0x1f) throw new RangeError('a tag has more than one byte');
    let body = start + 2;
    let length = first;
    if (first >= 0x80) {
      const size = first & 0x7f;
      if (size === 0 || size > 4) throw new RangeError('a length is indefinite or too long');
      length = 0;
      for (let i = 0; i < size; i++) length = length * 256 + (source[body++] ?? 0);
    }
    if (body + length > limit) throw new RangeError('an element is longer than what holds it');
    return new Der(source, start, body, body + length);
  }

  get tag(): number {
    return this.source[this.start] ?? 0;
  }

  /** The whole element. */
  get raw(): Uint8Array {
    return this.source.subarray(this.start, this.end);
  }

  get content(): Uint8Array {
    return this.source.subarray(this.body, this.end);
  }

  /** The elements within, one after the other. */
  *[Symbol.iterator](): Generator<Der, void> {
    for (let at = this.body; at < this.end;) {
      const next = Der.#at(this.source, at, this.end);
      yield next;
      at = next.end;
    }
  }

  /** The elements within; this one must have the tag. */
  inner(tag: number = tags.sequence): Der[] {
    return [...this.as(tag)];
  }

  /** This one, when it has the tag. */
  as(tag: number): this {
    if (this.tag !== tag) throw new RangeError(`an element has tag ${this.tag} where ${tag} belongs`);
    return this;
  }

  /** OBJECT IDENTIFIER in dots. */
  oid(): string {
    const numbers: number[] = [];
    let value = 0;
    for (const byte of this.as(tags.oid).content) {
      value = value * 128 + (byte & 0x7f);
      if (value > Number.MAX_SAFE_INTEGER / 128) throw new RangeError('an object identifier is too long');
      if (byte >= 0x80) continue;
      if (numbers.length === 0)
        numbers.push(Math.min(2, Math.floor(value / 40)), value - 40 * Math.min(2, Math.floor(value / 40)));
      else numbers.push(value);
      value = 0;
    }
    return numbers.join('.');
  }

  /** INTEGER or ENUMERATED that is small and not negative. */
  number(): number {
    const { content } = this;
    if (content.length === 0 || content.length > 4 || (content[0] ?? 0) >= 0x80)
      throw new RangeError('a number is missing, negative or too large');
    return content.reduce((sum, byte) => sum * 256 + byte, 0);
  }

  /** INTEGER that is not negative, of any size. */
  bigint(): bigint {
    const { content } = this.as(tags.integer);
    if (content.length === 0 || content.length > 64) throw new RangeError('a number is missing or too large');
    return BigInt(`0x${Buffer.from(content).toString('hex')}`);
  }

  /** BIT STRING without unused bits, as keys and signatures are. */
  bytes(): Uint8Array {
    const { content } = this.as(tags.bits);
    if (content[0] !== 0) throw new RangeError('a bit string has odd bits');
    return content.subarray(1);
  }

  /** Bit of a BIT STRING that is a list of names; `tag` where it is implicit. */
  bit(index: number): boolean {
    const byte = this.content[1 + (index >> 3)] ?? 0;
    return (byte & (0x80 >> (index & 7))) !== 0;
  }

  /** UTCTime or GeneralizedTime (RFC 5280, 4.1.2.5), in UTC. */
  time(): Date {
    const text = Buffer.from(this.content).toString('latin1');
    const short = this.tag === tags.utcTime;
    if (!short) this.as(tags.generalizedTime);
    const [, year = '', month, day, hour, minute, second = '00'] =
      (short
        ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/
        : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d{1,9})?Z$/
      ).exec(text) ?? [];
    const full = short ? `${Number(year) < 50 ? '20' : '19'}${year}` : year;
    const date = new Date(`${full}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (Number.isNaN(date.getTime())) throw new RangeError('a time cannot be read');
    return date;
  }
}
