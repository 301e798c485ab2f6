import { connect, createServer, type Server, type Socket } from 'node:net';

/** Traffic since the last `reset`. */
export interface WireCount {
  /** Counts by MongoDB's command name. */
  readonly commands: ReadonlyMap<string, number>;
  /** The same by name and collection (`find jobs`), where the command begins with one. */
  readonly byCollection: ReadonlyMap<string, number>;
  readonly toStore: number;
  readonly fromStore: number;
}

const opMsg = 2013;
/** MongoDB accepts messages up to 48 MB. */
const greatestMessage = 48_000_000;

/** A proxy in front of a store that counts the commands and bytes of all connections. It changes nothing. */
export class WireMeter {
  #commands = new Map<string, number>();
  #byCollection = new Map<string, number>();
  #toStore = 0;
  #fromStore = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(storePort: number): Promise<WireMeter> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const meter = new WireMeter(server, typeof address === 'object' && address !== null ? address.port : 0);
    server.on('connection', (client) =>
      meter.#join(client, connect({ port: storePort, host: '127.0.0.1', noDelay: true })),
    );
    return meter;
  }

  get url(): string {
    return `mongodb://127.0.0.1:${this.port}/`;
  }

  reset(): void {
    this.#commands = new Map();
    this.#byCollection = new Map();
    this.#toStore = 0;
    this.#fromStore = 0;
  }

  read(): WireCount {
    const [commands, byCollection] = [new Map(this.#commands), new Map(this.#byCollection)];
    return { commands, byCollection, toStore: this.#toStore, fromStore: this.#fromStore };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  #join(client: Socket, store: Socket): void {
    const reader = messageReader((name, collection) => {
      for (const [counts, key] of [
        [this.#commands, name],
        [this.#byCollection, collection === undefined ? name : `${name} ${collection}`],
      ] as const)
        counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    for (const [socket, other] of [
      [client, store],
      [store, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      this.#toStore += bytes.length;
      reader(bytes);
    });
    store.on('data', (bytes: Buffer) => (this.#fromStore += bytes.length));
    client.pipe(store);
    store.pipe(client);
  }
}

/**
 * Reads the commands of one connection from its bytes, in pieces of any size (MongoDB wire protocol, OP_MSG: a header
 * of four 32-bit numbers, flags, then a section of kind 0 whose document's first field is the command, and its value
 * most often a collection). Buffers only the beginning of a message.
 */
export function messageReader(onCommand: (name: string, collection?: string) => void): (bytes: Buffer) => void {
  const head = Buffer.alloc(256);
  let have = 0;
  let wanted = 4;
  let length = 0;
  let left = 0;
  return (bytes) => {
    for (let at = 0; at < bytes.length;) {
      const skipped = Math.min(left, bytes.length - at);
      left -= skipped;
      at += skipped;
      const copied = bytes.copy(head, have, at, at + Math.min(wanted - have, bytes.length - at));
      have += copied;
      at += copied;
      if (have < wanted || left > 0) continue;
      if (wanted === 4) {
        length = head.readInt32LE(0);
        if (length < 16 || length > greatestMessage) throw new RangeError(`a message of ${length} bytes`);
        wanted = Math.min(length, head.length);
        continue;
      }
      const command = commandOf(head.subarray(0, wanted));
      if (command !== undefined) onCommand(...command);
      left = length - wanted;
      have = 0;
      wanted = 4;
    }
  };
}

/** The name, and the collection if the first value is a text. */
function commandOf(message: Buffer): [name: string, collection?: string] | undefined {
  // Header 16, flags 4, kind of the section 1, length of the document 4, type of its first field 1, then the field's
  // name and its value: for a text (type 2) its length in 4 bytes, with the zero at its end, and its bytes.
  if (message.length < 27 || message.readInt32LE(12) !== opMsg || message[20] !== 0) return undefined;
  const end = message.indexOf(0, 26);
  if (end < 0) return undefined;
  const name = message.toString('utf8', 26, end);
  if (message[25] !== 2 || end + 5 > message.length) return [name];
  return [name, message.toString('utf8', end + 5, end + 4 + message.readInt32LE(end + 1))];
}
