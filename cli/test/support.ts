import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePdf } from '@quire/plugin-kit';

const program = fileURLToPath(new URL('../dist/index.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Uint8Array | string;
  /** An open file that standard output goes to. */
  readonly stdout?: number;
  /** Called with the process once it runs. */
  readonly started?: (child: ChildProcess) => void;
}

/** A folder with PDFs in which the command line runs, with settings and a cache of its own. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'quire-cli-'));
  readonly work = join(this.folder, 'work');
  readonly cache = join(this.folder, 'cache');

  /** `url`: the server to call; without one, a local server. */
  constructor(private readonly url?: () => string) {
    mkdirSync(this.work);
  }

  /** `quire` with these arguments, for a shell. */
  commandLine(args: readonly string[]): string {
    return [process.execPath, program, ...args].map((each) => `'${each}'`).join(' ');
  }

  async addPdfs(...names: readonly string[]): Promise<void> {
    for (const name of names) writeFileSync(join(this.work, name), await makePdf({ pages: 2 }));
  }

  /** Runs `quire` with these arguments and resolves when it has ended. */
  run(args: readonly string[], { env = {}, input, stdout, started }: RunOptions = {}): Promise<Ended> {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.work,
      stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
      env: { ...this.environment, ...env },
    });
    const out: Buffer[] = [];
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    started?.(child);
    return new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, stdout: Buffer.concat(out), stderr }));
    });
  }

  /** Runs `quire` and returns what it printed. Throws unless it exits with 0. */
  async text(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`quire ${args.join(' ')} exited with ${code}: ${stderr}`);
    return stdout.toString('utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The variables of each command. */
  get environment(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      QUIRE_CACHE: this.cache,
      ...(this.url === undefined ? {} : { QUIRE_URL: this.url() }),
    };
  }
}
