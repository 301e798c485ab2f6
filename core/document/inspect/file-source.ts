import { type FileHandle, open } from 'node:fs/promises';
import { readSync } from 'node:fs';
import type { ByteSource } from '../pdfium/index.js';

/** Parsers read in pieces of 512 bytes; a few large blocks keep that from becoming as many system calls. */
const BLOCK = 256 * 1024;
const BLOCKS_KEPT = 8;

/** A file on disk as PDFium reads it: never more of it in memory than a few blocks. Close it after use. */
export class FileSource implements ByteSource {
  readonly #blocks = new Map<number, Uint8Array>();
  private constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileSource> {
    const file = await open(path, 'r');
    return new FileSource(file, (await file.stat()).size);
  }

  read(position: number, length: number, target: Uint8Array): boolean {
    if (position + length > this.size) return false;
    if (length > BLOCK) return readSync(this.file.fd, target, 0, length, position) === length;
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
      const read = readSync(this.file.fd, bytes, done, bytes.length - done, done);
      if (read === 0) break;
      done += read;
    }
    return bytes.subarray(0, done);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  #block(index: number): Uint8Array {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const bytes = new Uint8Array(Math.min(BLOCK, this.size - index * BLOCK));
    const read = readSync(this.file.fd, bytes, 0, bytes.length, index * BLOCK);
    const block = bytes.subarray(0, read);
    const oldest = this.#blocks.size >= BLOCKS_KEPT ? this.#blocks.keys().next().value : undefined;
    if (oldest !== undefined) this.#blocks.delete(oldest);
    this.#blocks.set(index, block);
    return block;
  }
}
