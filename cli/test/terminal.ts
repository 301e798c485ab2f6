import { spawn, spawnSync, type ChildProcess } from 'node:child_process';

/** Whether a program is on PATH. */
export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** `script` of util-linux, which gives a program a terminal; other systems have another one of this name. */
export const hasTerminals = process.platform === 'linux' && isInstalled('script');

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
}

/** A program that runs in a terminal of its own. */
export class Terminal {
  readonly #process: ChildProcess;
  #shown = '';
  #code: number | null | undefined;
  #changed: () => void = () => undefined;

  /** `command`: for the shell. */
  constructor(command: string, { cwd, env, columns = 100 }: TerminalOptions) {
    const inside = `stty cols ${columns} rows 24; exec ${command}`;
    this.#process = spawn('script', ['--quiet', '--return', '--command', inside, '/dev/null'], {
      cwd,
      env: { TERM: 'xterm', SHELL: '/bin/sh', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#shown += text;
      this.#changed();
    });
    this.#process.once('close', (code) => {
      this.#code = code;
      this.#changed();
    });
  }

  /** Everything that was written to the terminal, control characters included. */
  get shown(): string {
    return this.#shown;
  }

  type(keys: string): void {
    this.#process.stdin?.write(keys);
  }

  /** Resolves to the match once the terminal has shown it. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#shown);
      if (found !== null) return found;
      if (this.#code !== undefined) throw new Error(`ended without ${String(pattern)}: ${this.#shown}`);
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  /** Resolves to the exit code. */
  async ended(): Promise<number | null> {
    while (this.#code === undefined) await new Promise<void>((resolve) => (this.#changed = resolve));
    return this.#code;
  }

  stop(): void {
    this.#process.kill('SIGHUP');
  }
}
