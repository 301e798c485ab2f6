import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What went through a counter. */
export interface Turns {
  readonly connections: number;
  /** How often a client sent something after an answer: round trips, of any protocol and through TLS too. */
  readonly turns: number;
}

/** A port in front of another one that counts connections and round trips. */
export class TurnCounter {
  #connections = 0;
  #turns = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (client) => this.#relay(client));
  }

  /** Listens on a free port of loopback, and passes everything on to the port `target` of it. */
  static async start(target: number): Promise<TurnCounter> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TurnCounter(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get seen(): Turns {
    return { connections: this.#connections, turns: this.#turns };
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #relay(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    this.#connections += 1;
    let answered = true;
    client.on('data', () => {
      if (answered) this.#turns += 1;
      answered = false;
    });
    server.on('data', () => (answered = true));
    client.pipe(server).pipe(client);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
