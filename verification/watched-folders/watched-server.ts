import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { freePort } from '../cluster/store-server.js';

const productRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The server whose folders are watched, as a child process that can be killed and restarted. */
export class WatchedServer {
  #child: ChildProcess | undefined;
  starts = 0;

  private constructor(
    readonly base: string,
    private readonly port: number,
  ) {}

  /** Writes the settings and starts the server. Only plugins used by the pipelines are loaded. */
  static async start(base: string, plugins: readonly string[], settings: object): Promise<WatchedServer> {
    await writeSettings(base, plugins, settings);
    const server = new WatchedServer(base, await freePort());
    await server.start();
    return server;
  }

  /** Starts the process and waits until it is live. Throws when it exits, or does not answer within a minute. */
  async start(): Promise<void> {
    this.starts += 1;
    const child = spawn(process.execPath, ['--max-semi-space-size=2', join(productRoot, 'core', 'dist', 'main.js')], {
      cwd: productRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        QUIRE_BASE_PATH: this.base,
        SERVER_PORT: String(this.port),
        SERVER_HOST: '127.0.0.1',
        LOGGING_PRETTY: 'false',
      },
    });
    this.#child = child;
    const log = createWriteStream(join(this.base, 'log.txt'), { flags: 'a' });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.once('close', () => log.end());
    const until = performance.now() + 60_000;
    while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/livez`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok === true) return;
      await delay(30);
    }
    child.kill('SIGKILL');
    throw new Error(`the server did not start; see ${join(this.base, 'log.txt')}`);
  }

  /** Ends the process: `SIGKILL` simulates a power loss, `SIGTERM` an operator's stop. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}

/** Writes the settings of a server into its folder, with all plugins but these switched off. */
export async function writeSettings(base: string, plugins: readonly string[], settings: object): Promise<void> {
  const shipped = parse(await readFile(join(productRoot, 'config', 'settings.yml'), 'utf8')) as {
    plugins: { use: string }[];
  };
  await mkdir(join(base, 'configs'), { recursive: true });
  const off = shipped.plugins.filter(({ use }) => !plugins.includes(use)).map(({ use }) => ({ use, enabled: false }));
  await writeFile(join(base, 'configs', 'settings.yml'), stringify({ ...settings, plugins: off }));
}
