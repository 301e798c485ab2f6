import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '../../core/isolation/index.js';
import type { Issued } from '../pki/index.js';

/** The program of Valkey, or of Redis, which speaks the same protocol; undefined when neither is installed. */
export function valkeyProgram(): string | undefined {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin`;
  return findProgram('valkey-server', path) ?? findProgram('redis-server', path);
}

/** A Valkey of the test, without anything on disk, which can be frozen, killed and started again on its port. */
export class ValkeyServer {
  #child: ChildProcess | undefined;

  private constructor(
    private readonly program: string,
    readonly port: number,
    private readonly password: string,
    private readonly certificate: Issued | undefined,
  ) {}

  /** With a certificate it speaks TLS only. */
  static async start(program: string, password = '', certificate?: Issued): Promise<ValkeyServer> {
    const server = new ValkeyServer(program, await freePort(), password, certificate);
    await server.start();
    return server;
  }

  get url(): string {
    const scheme = this.certificate === undefined ? 'redis' : 'rediss';
    return `${scheme}://${this.password === '' ? '' : `:${encodeURIComponent(this.password)}@`}127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { keyFile, certificateFile } = this.certificate ?? {};
    const tls = [
      '--port',
      '0',
      '--tls-auth-clients',
      'no',
      '--tls-cert-file',
      certificateFile,
      '--tls-key-file',
      keyFile,
    ];
    const port =
      this.certificate === undefined ? ['--port', String(this.port)] : [...tls, '--tls-port', String(this.port)];
    const options = [...port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'].map(String);
    const secret = this.password === '' ? [] : ['--requirepass', this.password];
    const child = spawn(this.program, [...options, ...secret], { stdio: 'ignore' });
    this.#child = child;
    for (let tries = 0; tries < 200 && child.exitCode === null; tries += 1) {
      if (await answers(this.port)) return;
      await delay(50);
    }
    throw new Error(`${this.program} did not start`);
  }

  /** Neither answers nor refuses from now on. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
