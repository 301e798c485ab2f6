import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Answer, Task } from './protocol.js';

/** Limits for one input in milliseconds: `DEADLINE` is CPU time, `PATIENCE` is elapsed time, for busy machines. */
export const DEADLINE = 5000;
const PATIENCE = 60_000;
/** Resident bytes of the process, including ArrayBuffers, which the engine's heap limit does not count. */
const MAX_RESIDENT = 1024 * 1024 * 1024;
const HEAP_MB = 512;
const WATCH = 100;
/** Milliseconds; starting takes longer than an input because all seeds are read. */
const START = 60_000;

/** Runs inputs in a child process that is killed and restarted when it hangs or grows too large. */
export class FuzzRunner {
  #child: ChildProcess | undefined;
  #answered: (answer: Answer) => void = () => undefined;
  #ended: (why: string) => void = () => undefined;
  #killed: string | undefined;
  #since = 0;
  /** CPU time of the process when the current input began, if known. */
  #worked: number | undefined;
  #started = false;

  constructor(
    private readonly target: string,
    private readonly seed: number,
    private readonly folder: string,
  ) {}

  /**
   * Runs a task and passes each answer to `onAnswer`. For an input that killed the process it passes an answer with the
   * fault.
   */
  async run(task: Task, onAnswer: (answer: Answer) => void): Promise<void> {
    for (let from = task.from; from < task.to;) {
      let next = from;
      const why = await this.#attempt({ ...task, from }, (answer) => {
        next = answer.input + 1;
        onAnswer(answer);
      });
      if (why === undefined) return;
      onAnswer({ input: next, size: 0, milliseconds: DEADLINE, preparation: 0, peakMb: 0, fault: why, stack: '' });
      from = next + 1;
    }
  }

  /** Kills the process; the next task starts a new one. */
  stop(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  /** Resolves to undefined when every input was answered, else to the reason why the process ended. */
  #attempt(task: Task, onAnswer: (answer: Answer) => void): Promise<string | undefined> {
    return new Promise((resolve) => {
      const child = (this.#child ??= this.#spawn());
      this.#since = Date.now();
      this.#worked = undefined;
      const watch = setInterval(() => this.#watch(child), WATCH);
      const done = (why: string | undefined): void => {
        clearInterval(watch);
        resolve(why);
      };
      this.#answered = (answer) => {
        this.#since = Date.now();
        this.#worked = undefined;
        this.#started = true;
        onAnswer(answer);
        if (answer.input === task.to - 1) done(undefined);
      };
      this.#ended = done;
      child.stdin?.write(`${JSON.stringify(task)}\n`);
    });
  }

  #spawn(): ChildProcess {
    const script = fileURLToPath(new URL('child.ts', import.meta.url));
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP_MB}`, '--import', 'tsx', script, this.target, String(this.seed), this.folder],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data.toString()).slice(-2000);
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#answered(JSON.parse(line) as Answer));
    child.on('close', (code, signal) => {
      this.#child = undefined;
      const why =
        this.#killed ??
        (/heap out of memory/.test(errors)
          ? 'heap out of memory'
          : `the process ended with ${signal ?? code}: ${errors.trim().split('\n').at(-1) ?? ''}`);
      this.#killed = undefined;
      this.#ended(why);
    });
    this.#started = false;
    return child;
  }

  #watch(child: ChildProcess): void {
    const waited = Date.now() - this.#since;
    const worked = millisecondsAtWork(child.pid);
    this.#worked ??= worked;
    const hangs = this.#started && (worked === undefined ? waited : worked - (this.#worked ?? 0)) > DEADLINE;
    if (hangs || waited > (this.#started ? PATIENCE : START))
      this.#kill(child, `no answer within ${DEADLINE / 1000} seconds`);
    else if (residentBytes(child.pid) > MAX_RESIDENT) this.#kill(child, 'more than 1 GB resident');
  }

  #kill(child: ChildProcess, why: string): void {
    this.#killed ??= why;
    child.kill('SIGKILL');
  }
}

/** Returns how long a process has used the CPU; undefined where the system does not report it (it does on Linux). */
function millisecondsAtWork(pid: number | undefined): number | undefined {
  try {
    // The program name, in parentheses, may contain spaces; after it, user and system time are the 12th and 13th field
    // (proc(5)), in 1/100 s.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}

/** Returns the resident memory of a process where the system reports it (Linux), else 0. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
