import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ReadingResults, ReadingTask } from './reading.js';
import { ListFault } from './list-fault.js';

const MEMORY_MB = 768;
/** The largest list there is has some megabytes and takes ten seconds. */
const TIMEOUT_MS = 180_000;
/** Behind whatever serves calls. */
const NICE = 10;

/**
 * Reads trust lists in a separate process, one at a time: they are large, and their publishers are trusted
 * for certificates only.
 */
export class ListReader {
  #child: ChildProcess | undefined;
  #closed = false;
  #last: Promise<unknown> = Promise.resolve();
  #next = 1;

  constructor(private readonly timeoutMs: number = TIMEOUT_MS) {}

  /** Rejects with ListFault, also when reading takes too long or too much memory. */
  read<T extends ReadingTask>(task: T): Promise<ReadingResults[T['kind']]> {
    const reading = this.#last.then(() => this.#ask(task));
    this.#last = reading.catch(() => undefined);
    return reading as Promise<ReadingResults[T['kind']]>;
  }

  /** Ends the process; nothing is read any more. */
  close(): void {
    this.#closed = true;
    this.#end();
  }

  #end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #ask(task: ReadingTask): Promise<unknown> {
    if (this.#closed) return Promise.reject(new ListFault('the server stops'));
    const child = (this.#child ??= this.#open());
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        clearTimeout(clock);
        child.off('message', onMessage);
        child.off('exit', onExit);
        child.off('error', onExit);
        act();
      };
      const fail = (detail: string): void =>
        end(() => {
          if (this.#child === child) this.#end();
          reject(new ListFault(detail));
        });
      const onExit = (): void => fail('reading the list took too much memory, or broke down');
      const onMessage = (answer: { readonly id: number; readonly value?: unknown; readonly fault?: string }): void => {
        if (answer.id !== id) return;
        end(() => (answer.fault === undefined ? resolve(answer.value) : reject(new ListFault(answer.fault))));
      };
      const clock = setTimeout(() => fail('reading the list took too long'), this.timeoutMs);
      child.on('message', onMessage).once('exit', onExit).once('error', onExit);
      child.send({ id, task }, (error) => {
        if (error !== null) onExit();
      });
    });
  }

  #open(): ChildProcess {
    const flags = process.execArgv.filter((flag) => !/^--(?:inspect|max-old-space-size)/.test(flag));
    const child = fork(fileURLToPath(new URL('./reader-entry.js', import.meta.url)), [], {
      execArgv: [...flags, `--max-old-space-size=${MEMORY_MB}`, '--v8-pool-size=1'],
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', TMPDIR: process.env['TMPDIR'] ?? '/tmp' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    try {
      if (child.pid !== undefined) setPriority(child.pid, NICE);
    } catch {
      // Not every system lets it, and it is a courtesy.
    }
    return child;
  }
}
