import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../cluster/store-server.js';

const tools = fileURLToPath(new URL('../../.cache/automations', import.meta.url));

/** A mail server (aiosmtpd) on loopback, a process that can be killed; its mails are files (Maildir). */
export class SmtpServer {
  #process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** Installs the server on the first use. */
  static async start(folder: string): Promise<SmtpServer> {
    await promisify(execFile)('sh', [fileURLToPath(new URL('install.sh', import.meta.url)), tools]);
    await mkdir(folder, { recursive: true });
    const server = new SmtpServer(folder, await freePort());
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const listen = `127.0.0.1:${this.port}`;
    const mails = join(this.folder, 'mails');
    const child = spawn(
      join(tools, 'python', 'bin', 'python'),
      ['-m', 'aiosmtpd', '-n', '-l', listen, '-c', 'aiosmtpd.handlers.Mailbox', mails],
      { stdio: 'ignore' },
    );
    this.#process = child;
    for (let tries = 0; !(await answers(this.port)); tries++) {
      if (tries > 200 || child.exitCode !== null) throw new Error('aiosmtpd did not start');
      await delay(50);
    }
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** The mails that were accepted, as they were sent. */
  async mails(): Promise<readonly string[]> {
    const folder = join(this.folder, 'mails', 'new');
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => resolve(true)).once('data', () => socket.destroy());
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
  });
}
