import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { innermost } from '../../isolation/index.js';

/** How a program is talked to while it runs. */
export type Dialogue = 'pipes' | 'standard';

/** How a process is started. */
export interface GroupOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Bytes of stdout and of stderr that are kept; the rest is read and discarded. */
  readonly keepBytes: number;
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL at once. */
  readonly graceMs: number;
  /** True: it does not keep this process alive. */
  readonly background?: boolean;
  /** Opens a dialogue. `pipes`: the program reads at 3 and writes at 4; `standard`: at standard input and output. */
  readonly talks?: Dialogue | undefined;
  /** Number of processes from the one that is started down to the program; default 0. */
  readonly depth?: number;
  /** User number under which the program runs, where it is not the server's. */
  readonly user?: number | undefined;
}

/** How a process ended. */
export interface GroupEnd {
  /** Exit code; 128 + number for a signal, as in a shell. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process and everything it started. */
export interface ProcessGroup {
  /** Id of the process that was started, which confines the program where it is confined. */
  readonly pid: number;
  /** The program's process id; that of a process that is starting it until it runs. */
  programPid(): number;
  /** Its user number where it is not the server's. */
  readonly user: number | undefined;
  /** The two ends of a dialogue. */
  readonly talk?: { readonly to: Writable; readonly from: Readable };
  /** Settles when the process has ended and its group is gone; rejects when it could not be started. */
  readonly ended: Promise<GroupEnd>;
  /** Ends the whole group: SIGTERM, then SIGKILL. */
  stop(): void;
}

/** Starts a program without a shell, as the leader of its own process group. */
export function startGroup(file: string, args: readonly string[], options: GroupOptions): ProcessGroup {
  const more = options.talks === 'pipes' ? (['pipe', 'pipe'] as const) : [];
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    shell: false,
    stdio: [options.talks === 'standard' ? 'pipe' : 'ignore', 'pipe', 'pipe', ...more],
    windowsHide: true,
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  const pid = child.pid ?? -1;
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (pid <= 0) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // No process of the group is left.
    }
  };
  let killTimer: NodeJS.Timeout | undefined;
  if (options.background === true) {
    child.unref();
    // Pipes of a child are sockets, which the types do not say.
    for (const stream of [child.stdin, child.stdout, child.stderr])
      if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
  const stdout = collect(child.stdout, options.keepBytes);
  const stderr = collect(child.stderr, options.keepBytes);
  const ended = new Promise<GroupEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(killTimer);
      // The leader may leave children behind; they belong to this run and end with it.
      signalGroup('SIGKILL');
      const settle = (): void =>
        resolve({
          code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
          stdout: stdout(),
          stderr: stderr(),
        });
      // A process that left the group could hold the pipes open for ever.
      const patience = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, 500);
      child.once('close', () => {
        clearTimeout(patience);
        settle();
      });
    });
  });
  // Whoever writes to a program that has ended hears of it by its end.
  child.stdin?.on('error', () => undefined);
  return {
    user: options.user,
    pid,
    programPid: () => innermost(pid, options.depth ?? 0),
    ended,
    ...talkWith(child, options.talks),
    stop: () => {
      if (killTimer !== undefined || child.exitCode !== null || child.signalCode !== null) return;
      // The process must be waited for, even if it did not keep this process alive before.
      child.ref();
      if (options.graceMs === 0) return signalGroup('SIGKILL');
      signalGroup('SIGTERM');
      killTimer = setTimeout(() => signalGroup('SIGKILL'), options.graceMs);
    },
  };
}

function talkWith(
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
  talks: Dialogue | undefined,
): Pick<ProcessGroup, 'talk'> {
  if (talks === undefined) return {};
  const [input, output, , to, from] = child.stdio as readonly (Readable | Writable | null)[];
  return talks === 'pipes'
    ? { talk: { to: to as Writable, from: from as Readable } }
    : { talk: { to: input as Writable, from: output as Readable } };
}

function collect(stream: NodeJS.ReadableStream, keepBytes: number): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  stream.on('data', (chunk: Buffer) => {
    if (kept >= keepBytes) return;
    chunks.push(chunk.subarray(0, keepBytes - kept));
    kept += chunk.length;
  });
  stream.on('error', () => undefined);
  return () => Buffer.concat(chunks).toString('utf8');
}
