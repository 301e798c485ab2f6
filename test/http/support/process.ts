import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { productRoot, unrulyPlugin, until } from './server.js';

/** The server as operators start it, in its own process. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly basePath: string;
  /** Base address; empty when it did not start. */
  readonly url: string;
  /** Everything it printed. */
  readonly text: () => string;
  /** Exit code, or the signal that ended it. */
  readonly exit: Promise<number | string>;
}

/** Creates a base folder with this settings file; a text is written unchanged. */
export function makeBase(settings: Readonly<Record<string, unknown>> | string = {}): string {
  const basePath = mkdtempSync(join(tmpdir(), 'quire-process-'));
  writeSettings(basePath, settings);
  return basePath;
}

/** Writes the operator's settings: few plugins, a free port, and the given ones. */
export function writeSettings(basePath: string, settings: Readonly<Record<string, unknown>> | string): void {
  mkdirSync(join(basePath, 'configs'), { recursive: true });
  const off = [
    'security',
    'convert',
    'integration',
    'docparse',
    'ai-tools',
    'signing',
    'admin-cert',
    'analysis',
    'form',
  ].map((name) => ({ use: `@quire/plugin-${name}`, enabled: false }));
  const whole =
    typeof settings === 'string'
      ? settings
      : stringify({
          server: { port: 0, host: '127.0.0.1' },
          logging: { level: 'info' },
          plugins: [...off, { use: unrulyPlugin }],
          ...settings,
          // The misbehaving operations tell of themselves in files that a confined worker could not write.
          security: { isolation: ['limits'], ...(settings['security'] as object | undefined) },
        });
  writeFileSync(join(basePath, 'configs', 'settings.yml'), whole);
}

/**
 * Starts the server on a base folder, with Node's flags of `npm start` and the image, and waits until it listens or has
 * ended. `command` replaces the program itself; `hear` gets everything printed so far, at each write.
 */
export async function startProcess(
  basePath: string,
  env: Readonly<Record<string, string>> = {},
  command: readonly string[] = [
    process.execPath,
    '--max-semi-space-size=2',
    join(productRoot, 'core', 'dist', 'main.js'),
  ],
  seconds = 60,
  hear?: (text: string) => void,
): Promise<ServerProcess> {
  const [program = process.execPath, ...args] = command;
  const child = spawn(program, args, {
    cwd: productRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      QUIRE_BASE_PATH: basePath,
      // Most tests have no first call.
      LIMITS_READYAFTERSTARTSECONDS: '0',
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      hear?.(text);
    });
  let ended = false;
  const exit = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      ended = true;
      resolve(code ?? signal ?? 'unknown');
    });
  });
  const url = (): string => /listening on (http:\S+)/.exec(text)?.[1] ?? '';
  await until('the server listens or ends', () => ended || url() !== '', seconds);
  return { child, basePath, url: url(), text: () => text, exit };
}

/** Runs `npm run store:migrate` without npm. */
export async function migrate(
  basePath: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [join(productRoot, 'core', 'dist', 'app', 'migrate-cli.js')], {
    cwd: productRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', QUIRE_BASE_PATH: basePath, ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { code: await new Promise<number | null>((resolve) => child.once('close', resolve)), text };
}

/** A port that is in use until `release` is called. */
export async function takePort(): Promise<{ port: number; release: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, release: () => server.close() };
}
