/** Synchronous reading of files, which exists in workers only and is in none of the DOM library's types. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const BLOCK_BYTES = 256 * 1024;
const BLOCKS_KEPT = 32;

/** Reads parts of a file when they are needed, so that a file of gigabytes takes 8 MB of memory. */
export class BlobReader {
  private readonly blocks = new Map<number, Uint8Array>();
  private readonly reader = new FileReaderSync();
  /** The file was changed or removed since it was chosen. */
  failed = false;

  constructor(private readonly file: Blob) {}

  get size(): number {
    return this.file.size;
  }

  /** Copies `target.length` bytes from `position`; returns false when they cannot be read. */
  read(position: number, target: Uint8Array): boolean {
    if (position + target.length > this.size) return false;
    try {
      for (let done = 0; done < target.length;) {
        const at = position + done;
        const block = this.block(Math.floor(at / BLOCK_BYTES));
        const part = block.subarray(at % BLOCK_BYTES, (at % BLOCK_BYTES) + target.length - done);
        if (part.length === 0) return false;
        target.set(part, done);
        done += part.length;
      }
      return true;
    } catch {
      this.failed = true;
      return false;
    }
  }

  private block(index: number): Uint8Array {
    const known = this.blocks.get(index);
    if (known !== undefined) {
      this.blocks.delete(index);
      this.blocks.set(index, known);
      return known;
    }
    const start = index * BLOCK_BYTES;
    const block = new Uint8Array(this.reader.readAsArrayBuffer(this.file.slice(start, start + BLOCK_BYTES)));
    this.blocks.set(index, block);
    const oldest = this.blocks.keys().next().value;
    if (this.blocks.size > BLOCKS_KEPT && oldest !== undefined) this.blocks.delete(oldest);
    return block;
  }
}
