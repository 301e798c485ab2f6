import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { openStore, type Store } from '../../../core/store/index.js';

/** A separate database on the MongoDB for tests. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** The settings of a server that uses it; `at` replaces the address of MongoDB. */
  env(at?: string): Readonly<Record<string, string>>;
  open(): Promise<Store>;
  drop(): Promise<void>;
}

/** Chooses the name of an empty database. */
export function testDatabase(url: string): TestDatabase {
  const name = `quire_test_${randomBytes(6).toString('hex')}`;
  const open = (): Promise<Store> => openStore({ kind: 'mongodb', url, database: name });
  return {
    url,
    name,
    open,
    env: (at = url) => ({ STORE_MONGODB_URL: at, STORE_MONGODB_DATABASE: name }),
    drop: async () => {
      const store = await open();
      await store.mongo?.database.dropDatabase();
      await store.close();
    },
  };
}

/** A proxy in front of MongoDB that can be cut and opened again. */
export interface Gate {
  /** Its address, which leads to one server whatever members that server reports. */
  readonly url: string;
  open(): Promise<void>;
  /** Accepts connections and never answers, like a firewall or a machine that hangs; until it is shut. */
  hush(): Promise<void>;
  /** Cuts every connection and refuses new ones. */
  shut(): Promise<void>;
}

/** A proxy in front of the MongoDB at the address, shut at first. */
export async function mongoGate(url: string): Promise<Gate> {
  const behind = new URL(url.replace(/^mongodb:/, 'http:'));
  const wires = new Set<Socket>();
  let server: Server | undefined;
  const listen = (port: number, silent = false): Promise<number> =>
    new Promise((resolve, reject) => {
      const made = createServer((near) => {
        if (silent) {
          wires.add(near);
          near.on('error', () => undefined).resume();
          return;
        }
        const far = connect(Number(behind.port || 27017), behind.hostname);
        for (const [wire, other] of [
          [near, far],
          [far, near],
        ] as const) {
          wires.add(wire);
          wire.on('error', () => undefined);
          wire.once('close', () => {
            wires.delete(wire);
            other.destroy();
          });
          wire.pipe(other);
        }
      });
      server = made;
      made.once('error', reject);
      made.listen(port, '127.0.0.1', () => {
        const address = made.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  const shut = async (): Promise<void> => {
    const old = server;
    server = undefined;
    const closed = new Promise((resolve) => (old === undefined ? resolve(undefined) : old.close(resolve)));
    for (const wire of wires) wire.destroy();
    await closed;
  };
  const port = await listen(0);
  await shut();
  return {
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    shut,
    open: async () => {
      if (server === undefined) await listen(port);
    },
    hush: async () => {
      if (server === undefined) await listen(port, true);
    },
  };
}
