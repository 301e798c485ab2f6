/** What the head of an answer says about what follows. */
interface Head {
  readonly status: number;
  /** Bytes of the body, `'chunked'`, or `'close'`: as many as come until the connection ends (RFC 9112, 6.3). */
  readonly length: number | 'chunked' | 'close';
  readonly keepsOpen: boolean;
}

/** An answer that was read to its end. */
export interface ReadAnswer {
  readonly status: number;
  /** Bytes of the body. */
  readonly size: number;
  readonly keepsOpen: boolean;
}

/** Gets each piece of a body; the bytes are only valid during the call. */
export type Receive = (piece: Buffer, status: number) => void;

/** What is read next: the head, the body, or a part of a chunk (RFC 9112, 7.1). */
type Place = 'head' | 'body' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers';

/**
 * Reads one HTTP/1.1 answer from the pieces that come in. Bodies are counted and not collected, so that a measured call
 * costs its client next to nothing beside the kernel's copies.
 */
export class AnswerReader {
  #place: Place = 'head';
  #text = '';
  #head: Head | undefined;
  #left = 0;
  #size = 0;

  constructor(private readonly receive?: Receive) {}

  /** Reads a piece; returns the answer when it is complete. Throws if the bytes are no HTTP answer. */
  read(piece: Buffer): ReadAnswer | undefined {
    let at = 0;
    while (at < piece.length) {
      if (this.#place === 'body' || this.#place === 'chunk') {
        const some = piece.subarray(at, at + Math.min(this.#left, piece.length - at));
        at += some.length;
        this.#left -= some.length;
        this.#size += some.length;
        this.receive?.(some, this.#head?.status ?? 0);
        if (this.#left > 0) continue;
        if (this.#place === 'body') return this.#answer();
        this.#place = 'chunk end';
        continue;
      }
      const line = this.#line(piece, at);
      at = line.next;
      if (line.text === undefined) return undefined;
      if (this.#endOfLine(line.text)) return this.#answer();
    }
    return undefined;
  }

  /** The connection has ended: the answer, if it was one that ends so. */
  end(): ReadAnswer | undefined {
    return this.#head?.length === 'close' ? this.#answer() : undefined;
  }

  #line(piece: Buffer, at: number): { text?: string; next: number } {
    const mark = this.#place === 'head' ? '\r\n\r\n' : '\r\n';
    const next = this.#endOf(mark, piece, at);
    if (next < 0) {
      this.#text += piece.toString('latin1', at);
      return { next: piece.length };
    }
    const text = (this.#text + piece.toString('latin1', at, next)).slice(0, -mark.length);
    this.#text = '';
    return { text, next };
  }

  /** Where a line ends in a piece, or -1. The mark may have begun in the piece before. */
  #endOf(mark: string, piece: Buffer, at: number): number {
    const begun = this.#text.slice(1 - mark.length);
    const across = (begun + piece.toString('latin1', at, at + mark.length - 1)).indexOf(mark);
    if (across >= 0) return at + across + mark.length - begun.length;
    const found = piece.indexOf(mark, at, 'latin1');
    return found < 0 ? -1 : found + mark.length;
  }

  /** Takes a complete line (or head); true at the end of the answer. */
  #endOfLine(text: string): boolean {
    switch (this.#place) {
      case 'head':
        return this.#begin(headOf(text));
      case 'chunk size':
        this.#left = Number.parseInt(text, 16);
        if (Number.isNaN(this.#left)) throw new Error(`not the size of a chunk: ${JSON.stringify(text.slice(0, 40))}`);
        this.#place = this.#left === 0 ? 'trailers' : 'chunk';
        return false;
      case 'trailers':
        return text === '';
      default:
        this.#place = 'chunk size';
        return false;
    }
  }

  #begin(head: Head): boolean {
    this.#head = head;
    if (head.length === 'chunked') this.#place = 'chunk size';
    else {
      this.#place = 'body';
      this.#left = head.length === 'close' ? Number.POSITIVE_INFINITY : head.length;
    }
    return this.#left === 0 && this.#place === 'body';
  }

  #answer(): ReadAnswer {
    const { status = 0, keepsOpen = false } = this.#head ?? {};
    return { status, size: this.#size, keepsOpen };
  }
}

function headOf(text: string): Head {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  if (status === undefined) throw new Error(`not the head of an answer: ${JSON.stringify(text.slice(0, 40))}`);
  const size = /^content-length: *(\d+)/im.exec(text)?.[1];
  const chunked = /^transfer-encoding: *chunked/im.test(text);
  return {
    status: Number(status),
    length: chunked ? 'chunked' : size === undefined ? 'close' : Number(size),
    keepsOpen: !/^connection: *close/im.test(text),
  };
}
