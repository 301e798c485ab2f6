import { connect, type Socket } from 'node:net';
import { AnswerReader, type ReadAnswer, type Receive } from './answer-reader.js';

/** Bytes that are read at once: large answers wake the client seldom. */
const READ_SIZE = 256 * 1024;

/** A request that is sent as it is. */
export interface RawRequest {
  readonly head: string;
  readonly body?: Buffer;
}

/** One connection over which one call after another is made. All answers are read into one buffer. */
export class Connection {
  readonly #socket: Socket;
  #reader: AnswerReader | undefined;
  #settle: { resolve: (answer: ReadAnswer) => void; reject: (error: Error) => void } | undefined;

  /** `closed` is called once, when no further call can be made. */
  constructor(host: string, port: number, closed: () => void) {
    this.#socket = connect({
      host,
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(READ_SIZE),
        callback: (size, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, size));
          return true;
        },
      },
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('end', () => {
      const answer = this.#reader?.end();
      if (answer !== undefined) this.#done(answer);
    });
    this.#socket.on('close', () => {
      this.#fail(new Error('the connection was closed before the answer was complete'));
      closed();
    });
  }

  /** Sends a request and reads its answer. Throws if the connection fails or the answer cannot be read. */
  call(request: RawRequest, receive?: Receive): Promise<ReadAnswer> {
    return new Promise((resolve, reject) => {
      this.#reader = new AnswerReader(receive);
      this.#settle = { resolve, reject };
      this.#socket.cork();
      this.#socket.write(request.head, 'latin1');
      if (request.body !== undefined) this.#socket.write(request.body);
      this.#socket.uncork();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(piece: Buffer): void {
    try {
      const answer = this.#reader?.read(piece);
      if (answer !== undefined) this.#done(answer);
    } catch (error) {
      this.#fail(error as Error);
      this.close();
    }
  }

  #done(answer: ReadAnswer): void {
    const settle = this.#settle;
    this.#reader = this.#settle = undefined;
    if (!answer.keepsOpen) this.close();
    settle?.resolve(answer);
  }

  #fail(error: Error): void {
    const settle = this.#settle;
    this.#reader = this.#settle = undefined;
    settle?.reject(error);
  }
}
