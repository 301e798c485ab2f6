import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';

/** Transports the DevTools protocol through two pipes, each message ended by a zero byte; no port is open. */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  #begun: Buffer[] = [];
  #closed = false;

  constructor(
    private readonly to: Writable,
    from: Readable,
  ) {
    from.on('data', (chunk: Buffer) => this.#read(chunk));
    for (const stream of [to, from]) {
      stream.on('error', () => this.close());
      stream.on('close', () => this.close());
    }
  }

  send(message: string): void {
    if (!this.#closed) this.to.write(`${message}\0`);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.to.destroy();
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const message = Buffer.concat([...this.#begun, chunk.subarray(start, end)]).toString('utf8');
      this.#begun = [];
      start = end + 1;
      // Each message is a separate task, so that answers settle before later events are delivered.
      setImmediate(() => this.onmessage?.(message));
    }
    if (start < chunk.length) this.#begun.push(chunk.subarray(start));
  }
}
