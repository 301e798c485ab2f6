import { DocumentError } from '../../errors.js';

/** Objects and lists within each other. */
const MAX_DEPTH = 400;
/** Elements of one list that is cut. */
const MAX_ITEMS = 100_000;

/** A stretch of bytes that holds one JSON value. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** An error about the content at this byte of the file. */
function malformed(detail: string): DocumentError {
  return new DocumentError('INPUT_INVALID', { detail: `the file is no JSON document: ${detail}` }, [
    { pointer: '', detail },
  ]);
}

/**
 * Finds values in JSON without parsing all of it, so that a document is read page by page: members of an object,
 * elements of a list. A value is only skipped over; whoever parses it finds out whether it is right. Errors:
 * INPUT_INVALID.
 */
export class JsonSlices {
  constructor(private readonly bytes: Uint8Array) {}

  /** The whole value. */
  root(): Slice {
    const start = this.#blank(this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf ? 3 : 0);
    const end = this.#skip(start);
    const rest = this.#blank(end);
    if (rest < this.bytes.length) throw malformed(`something follows the value at byte ${rest}`);
    return { start, end };
  }

  /** Returns the members of an object, the last of each name; undefined if the value is not an object. */
  members({ start }: Slice): Map<string, Slice> | undefined {
    if (this.bytes[start] !== OPEN_OBJECT) return undefined;
    const found = new Map<string, Slice>();
    let at = this.#blank(start + 1);
    while (this.bytes[at] !== CLOSE_OBJECT) {
      if (this.bytes[at] !== QUOTE) throw malformed(`a name is expected at byte ${at}`);
      const nameEnd = this.#string(at);
      const name = this.parse({ start: at, end: nameEnd }) as string;
      const colon = this.#blank(nameEnd);
      if (this.bytes[colon] !== COLON) throw malformed(`a colon is expected at byte ${colon}`);
      const valueStart = this.#blank(colon + 1);
      const valueEnd = this.#skip(valueStart);
      found.set(name, { start: valueStart, end: valueEnd });
      if (found.size > MAX_ITEMS * 10)
        throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'members of one object', limit: MAX_ITEMS * 10 });
      at = this.#next(valueEnd, CLOSE_OBJECT);
    }
    return found;
  }

  /** Returns the elements of a list; undefined if the value is not a list. */
  elements({ start }: Slice): Slice[] | undefined {
    if (this.bytes[start] !== OPEN_LIST) return undefined;
    const found: Slice[] = [];
    let at = this.#blank(start + 1);
    while (this.bytes[at] !== CLOSE_LIST) {
      const end = this.#skip(at);
      found.push({ start: at, end });
      if (found.length > MAX_ITEMS)
        throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'elements of one list', limit: MAX_ITEMS });
      at = this.#next(end, CLOSE_LIST);
    }
    return found;
  }

  /** Parses one of them. */
  parse({ start, end }: Slice): unknown {
    try {
      return JSON.parse(
        Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, end - start).toString('utf8'),
      ) as unknown;
    } catch (error) {
      throw malformed(`${(error as Error).message.slice(0, 100)} (between bytes ${start} and ${end})`);
    }
  }

  #next(at: number, close: number): number {
    const found = this.#blank(at);
    if (this.bytes[found] === close) return found;
    if (this.bytes[found] !== COMMA) throw malformed(`a comma or an end is expected at byte ${found}`);
    const next = this.#blank(found + 1);
    if (this.bytes[next] === close) throw malformed(`a value is expected at byte ${next}`);
    return next;
  }

  #blank(at: number): number {
    const { bytes } = this;
    let next = at;
    for (let byte = bytes[next]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[next])
      next++;
    return next;
  }

  #string(at: number): number {
    const { bytes } = this;
    // Strings may be pictures: their ends are looked for, and not every byte of them at.
    for (let end = bytes.indexOf(QUOTE, at + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
      let before = end;
      while (bytes[before - 1] === BACKSLASH) before--;
      if ((end - before) % 2 === 0) return end + 1;
    }
    throw malformed('it ends within a string');
  }

  #skip(at: number): number {
    const { bytes } = this;
    let depth = 0;
    let end = at;
    for (;;) {
      const byte = bytes[end];
      if (byte === undefined)
        throw malformed(at >= bytes.length ? 'it ends where a value is expected' : 'it ends within a value');
      if (byte === QUOTE) end = this.#string(end);
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > MAX_DEPTH)
          throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'objects within each other', limit: MAX_DEPTH });
        end++;
        continue;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === 0) throw malformed(`a value is expected at byte ${end}`);
        depth--;
        end++;
      } else if (depth > 0) {
        end++;
        continue;
      } else {
        while (end < bytes.length && !ENDS.has(bytes[end]!)) end++;
        if (end === at) throw malformed(`a value is expected at byte ${at}`);
      }
      if (depth === 0) return end;
    }
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Characters that end a number or a word. */
const ENDS = new Set([COMMA, COLON, CLOSE_OBJECT, CLOSE_LIST, OPEN_OBJECT, OPEN_LIST, QUOTE, 0x20, 0x0a, 0x0d, 0x09]);
