import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const productRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A busy machine takes long. */
const START_MS = 120_000;

/** Options for starting a built server. */
export interface ServerStart {
  /** Folder for everything that the server writes; emptied first. */
  readonly base: string;
  /** File for its log; without one the log is discarded. */
  readonly logFile?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A built checkout other than this one. */
  readonly root?: string;
}

/** A server process of the build in core/dist. */
export class BuiltServer {
  private constructor(
    readonly process: ChildProcess,
    readonly url: string,
    readonly base: string,
    readonly startMs: number,
  ) {}

  /**
   * Starts the server and waits for the first 200 of the status endpoint. Throws with the server's output when there is
   * none within two minutes, as long as a busy machine may take.
   */
  static async start({ base, logFile, env = {}, root = productRoot }: ServerStart): Promise<BuiltServer> {
    await rm(base, { recursive: true, force: true });
    await mkdir(base, { recursive: true });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const started = performance.now();
    const child = spawn(process.execPath, [...(await startFlags(root)), join(root, 'core', 'dist', 'main.js')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        QUIRE_BASE_PATH: base,
        SERVER_PORT: String(port),
        LOGGING_LEVEL: logFile === undefined ? 'silent' : 'info',
        ...env,
      },
    });
    let printed = '';
    const log = logFile === undefined ? undefined : createWriteStream(logFile);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        if (printed.length < 5000) printed += chunk.toString('utf8');
        log?.write(chunk);
      });
    }
    while (performance.now() - started < START_MS && child.exitCode === null) {
      const answer = await fetch(`${url}/api/v1/info/status`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return new BuiltServer(child, url, base, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.kill('SIGKILL');
    throw new Error(`the server did not start:\n${printed}`);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Files that runs left in the temporary folder. Wait a moment after the last answer. */
  async leftovers(): Promise<string[]> {
    const found = await readdir(join(this.base, 'tmp', 'runs'), { recursive: true }).catch(() => []);
    return found;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    const patience = setTimeout(() => this.process.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(patience);
    await rm(this.base, { recursive: true, force: true });
  }
}

/** The flags that `npm start` passes to node, so that the measured server runs as in production. */
async function startFlags(root: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/** Pids of a process and all its descendants (Linux). */
export async function processTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
    const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
    if (text !== '') parents.set(Number(name), parent);
  }
  const tree = [root];
  for (let i = 0; i < tree.length; i++) for (const [pid, parent] of parents) if (parent === tree[i]) tree.push(pid);
  return tree;
}

/** Resident and proportional set size of a process in MB (`/proc/<pid>/smaps_rollup`). */
export async function memoryOf(pid: number): Promise<{ rss: number; pss: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '');
  const value = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { rss: value('Rss'), pss: value('Pss') };
}

/** Returns true when the checkout was built. */
export async function isBuilt(): Promise<boolean> {
  return stat(join(productRoot, 'core', 'dist', 'main.js')).then(
    () => true,
    () => false,
  );
}

/** Returns a port of this machine that nothing uses at the moment. */
export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
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
