import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './store-server.js';

const productRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Options of one node; store, database and secret are the same for all nodes. */
export interface NodeOptions {
  readonly name: string;
  readonly role: 'all' | 'api' | 'worker';
  /** Folder of this node alone. */
  readonly base: string;
  /** Undefined: the node has its embedded store. */
  readonly storeUrl?: string | undefined;
  readonly database: string;
  /** 64 hexadecimal digits, the same on all nodes. */
  readonly secret: string;
  /** File that the output of the process is added to; default: `log.txt` in `base`. */
  readonly log?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A built checkout other than this one. */
  readonly root?: string;
}

/** A server process of a cluster; it keeps its port across restarts. */
export class ClusterNode {
  #child: ChildProcess | undefined;
  #log: WriteStream | undefined;
  /** How often it was started. */
  starts = 0;

  private constructor(
    readonly options: NodeOptions,
    readonly port: number,
  ) {}

  static async start(options: NodeOptions): Promise<ClusterNode> {
    await mkdir(options.base, { recursive: true });
    const node = new ClusterNode(options, await freePort());
    await node.start();
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get #logFile(): string {
    return this.options.log ?? join(this.options.base, 'log.txt');
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Whether the process runs. */
  get up(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts the process and waits until it is live. Throws when it exits, or does not answer within a minute. */
  async start(): Promise<void> {
    const { base, name, role, storeUrl, database, secret, env, root = productRoot } = this.options;
    this.#log ??= createWriteStream(this.#logFile, { flags: 'a' });
    this.starts += 1;
    const child = spawn(process.execPath, ['--max-semi-space-size=2', join(root, 'core', 'dist', 'main.js')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        QUIRE_BASE_PATH: base,
        SERVER_PORT: String(this.port),
        SERVER_HOST: '127.0.0.1',
        LOGGING_LEVEL: 'info',
        LOGGING_PRETTY: 'false',
        ...(storeUrl === undefined ? {} : { STORE_MONGODB_URL: storeUrl, STORE_MONGODB_DATABASE: database }),
        STORE_SECRET: secret,
        CLUSTER_NODE_ID: name,
        CLUSTER_NODE_ROLE: role === 'all' ? 'both' : role === 'api' ? 'web' : 'worker',
        ...env,
      },
    });
    this.#child = child;
    child.stdout?.pipe(this.#log, { end: false });
    child.stderr?.pipe(this.#log, { end: false });
    const until = performance.now() + 60_000;
    while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(`${this.url}/livez`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok === true) return;
      await delay(50);
    }
    child.kill('SIGKILL');
    throw new Error(`node ${name} did not start; see ${this.#logFile}`);
  }

  /** Ends the process: `SIGKILL` simulates a power loss, `SIGTERM` an operator's stop. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  /** Files that runs left in the node's temporary folder. */
  async leftovers(): Promise<string[]> {
    const found = await readdir(join(this.options.base, 'tmp', 'runs'), { recursive: true }).catch(() => []);
    return found.map((path) => `${this.options.name}: ${path}`);
  }
}
