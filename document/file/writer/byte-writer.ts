/** From this length on, Node's copying beats a loop. */
const LOOP_MAX_BYTES = 24;

/** Bytes at first: most files are small, and hundreds are written in one call. */
const FIRST_BYTES = 8 * 1024;

/** A buffer that grows as it is written to, and can be emptied and used again. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far, as a view: valid until the next call. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  byte(byte: number): void {
    if (this.#length === this.#buffer.length) this.#grow(1);
    this.#buffer[this.#length++] = byte;
  }

  /** Writes text with one byte per character. */
  text(text: string): void {
    const { length } = text;
    if (this.#length + length > this.#buffer.length) this.#grow(length);
    if (length > LOOP_MAX_BYTES) {
      this.#length += this.#buffer.write(text, this.#length, 'latin1');
      return;
    }
    for (let i = 0; i < length; i++) this.#buffer[this.#length++] = text.charCodeAt(i);
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#buffer.length) this.#grow(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #grow(by: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + by));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
