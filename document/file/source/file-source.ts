import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { takeSource } from './kept-sources.js';

/** Parsers read in pieces of 512 bytes; a few large blocks keep that from becoming as many system calls. */
const BLOCK = 64 * 1024;
const BLOCKS_KEPT = 12;

/** A file on disk as readers take it: never more of it in memory than a few blocks. Close it after use. */
export class FileSource {
  readonly #blocks = new Map<number, Uint8Array>();
  private constructor(
    readonly fd: number,
    /** Where it lies. */
    readonly path: string,
    readonly size: number,
  ) {}

  /**
   * Opens a file. All of this waits for the disk: parsers cannot be interrupted to wait, and they run where nobody else
   * does.
   */
  static open(path: string): FileSource {
    return FileSource.of(openSync(path, 'r'), path);
  }

  /** Takes over a file that is open for reading. */
  static of(fd: number, path: string): FileSource {
    return new FileSource(fd, path, fstatSync(fd).size);
  }

  /** Fills the target's first `length` bytes from `position`; false when they are not all there. */
  read(position: number, length: number, target: Uint8Array): boolean {
    if (position + length > this.size) return false;
    if (length > BLOCK) return readSync(this.fd, target, 0, length, position) === length;
    for (let done = 0; done < length;) {
      const at = position + done;
      const block = this.#block(Math.floor(at / BLOCK));
      const from = at % BLOCK;
      const piece = block.subarray(from, Math.min(block.length, from + length - done));
      if (piece.length === 0) return false;
      target.set(piece, done);
      done += piece.length;
    }
    return true;
  }

  /** The whole file. */
  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.size);
    let done = 0;
    while (done < bytes.length) {
      const read = readSync(this.fd, bytes, done, bytes.length - done, done);
      if (read === 0) break;
      done += read;
    }
    return bytes.subarray(0, done);
  }

  close(): void {
    closeSync(this.fd);
  }

  #block(index: number): Uint8Array {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const bytes = new Uint8Array(Math.min(BLOCK, this.size - index * BLOCK));
    const read = readSync(this.fd, bytes, 0, bytes.length, index * BLOCK);
    const block = bytes.subarray(0, read);
    const oldest = this.#blocks.size >= BLOCKS_KEPT ? this.#blocks.keys().next().value : undefined;
    if (oldest !== undefined) this.#blocks.delete(oldest);
    this.#blocks.set(index, block);
    return block;
  }
}

/** A document to read: bytes in memory, an open file, or the path of one. */
export type PdfInput = Uint8Array | FileSource | { readonly path: string } | { readonly bytes: Uint8Array };

/** Runs `fn` with the input opened, and closes what this opened itself. */
export function withSource<T>(input: PdfInput, fn: (source: Uint8Array | FileSource) => T | Promise<T>): Promise<T> {
  return withSources([input], ([source]) => fn(source ?? new Uint8Array()));
}

/** The same with several inputs. */
export async function withSources<T>(
  inputs: readonly PdfInput[],
  fn: (sources: readonly (Uint8Array | FileSource)[]) => T | Promise<T>,
): Promise<T> {
  const opened: FileSource[] = [];
  const sources: (Uint8Array | FileSource)[] = [];
  try {
    for (const input of inputs) {
      if (input instanceof Uint8Array || input instanceof FileSource) sources.push(input);
      else if ('bytes' in input) sources.push(input.bytes);
      else
        sources.push(
          opened[opened.push(takeSource(input.path) ?? FileSource.open(input.path)) - 1] ?? new Uint8Array(),
        );
    }
    return await fn(sources);
  } finally {
    for (const file of opened) file.close();
  }
}

/** All bytes of a source. */
export function allBytes(source: Uint8Array | FileSource): Uint8Array {
  return source instanceof Uint8Array ? source : source.bytes();
}
