import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { totalmem } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Programs that speak MongoDB's protocol, in order of preference. */
const programs = ['mongod', 'mongo-java-server', 'ferretdb'] as const;

/**
 * Finds a MongoDB-speaking program: the given path, else `mongod`, `mongo-java-server` or `ferretdb` in the folders of
 * PATH. Throws when none is found.
 */
export async function findStoreProgram(given?: string): Promise<string> {
  const candidates =
    given === undefined
      ? (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => programs.map((name) => join(folder, name)))
      : [given];
  for (const name of programs) {
    for (const path of candidates)
      if (
        (given !== undefined || path.endsWith(`/${name}`)) &&
        (await access(path, constants.X_OK).then(
          () => true,
          () => false,
        ))
      )
        return path;
  }
  throw new Error(
    given === undefined
      ? `no MongoDB-speaking server on PATH (${programs.join(', ')}); name one with --store <program>`
      : `no MongoDB-speaking server at ${given}`,
  );
}

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
}

/** The store of a cluster as a child process that can be frozen, killed and restarted on the same data. */
export class StoreServer {
  #child: ChildProcess | undefined;

  private constructor(
    readonly program: string,
    readonly folder: string,
    readonly port: number,
    private readonly changeStreams: boolean,
  ) {}

  /** `changeStreams`: with change streams, which only mongo-java-server has without being set up as a replica set. */
  static async start(program: string, folder: string, { changeStreams = false } = {}): Promise<StoreServer> {
    const server = new StoreServer(program, folder, await freePort(), changeStreams);
    await mkdir(join(folder, 'data'), { recursive: true });
    await server.start();
    return server;
  }

  get url(): string {
    return `mongodb://127.0.0.1:${this.port}/`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /**
   * Starts the process and waits until its port accepts connections. `roomy`: with enough memory to read all its data,
   * which mongo-java-server loads into its heap.
   */
  async start(roomy = false): Promise<void> {
    const data = join(this.folder, 'data');
    const args = !this.program.endsWith('ferretdb')
      ? [
          '--dbpath',
          data,
          '--bind_ip',
          '127.0.0.1',
          '--port',
          String(this.port),
          ...(this.changeStreams ? ['--replSet', 'quire'] : []),
        ]
      : [
          '--handler=sqlite',
          `--sqlite-url=file:${data}/`,
          `--listen-addr=127.0.0.1:${this.port}`,
          '--telemetry=disable',
          `--state-dir=${join(this.folder, 'state')}`,
          '--debug-addr=-',
          '--log-level=error',
        ];
    const heap = `${Math.floor((totalmem() * 0.55) / 2 ** 20)}m`;
    const child = spawn(this.program, args, {
      stdio: 'ignore',
      ...(roomy ? { env: { ...process.env, MONGO_JAVA_HEAP: heap } } : {}),
    });
    this.#child = child;
    for (let waited = 0; waited < 300; waited++) {
      if (child.exitCode !== null) break;
      if (await answers(this.port)) return;
      await delay(100);
    }
    child.kill('SIGKILL');
    throw new Error(`${this.program} did not start`);
  }

  /** Suspends the process: like a machine that hangs, it neither answers nor refuses. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends the process without letting it clean up. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => socket.destroy());
    let open = false;
    socket.once('connect', () => (open = true));
    socket.once('error', () => undefined);
    socket.once('close', () => resolve(open));
  });
}
