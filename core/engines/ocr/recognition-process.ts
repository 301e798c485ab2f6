import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { OperationalError, type Logger } from '@quire/registry';
import { unprocessable } from '../programs/index.js';
import type { FromRecognition, RecognitionJob, RecognitionSetup } from './recognition-job.js';

/** One child process with an engine that is kept running. */
export class RecognitionProcess {
  readonly #child: ChildProcess;
  readonly languages: string;
  #pending: { readonly id: number; resolve(): void; reject(error: Error): void } | undefined;
  #nextId = 1;
  #exited = false;
  runs = 0;
  /** True once it was asked to end. */
  dead = false;
  lastUsed = Date.now();

  /** `entry`: the module that the process runs. */
  constructor(
    setup: RecognitionSetup,
    private readonly log: Logger,
    entry: URL = new URL('./recognition-entry.js', import.meta.url),
  ) {
    this.languages = setup.languages.join('+');
    this.#child = fork(fileURLToPath(entry), [JSON.stringify(setup)], {
      execArgv: ['--max-old-space-size=512', '--max-semi-space-size=2', '--v8-pool-size=1'],
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) =>
      log.debug({ pid: this.pid, text: chunk.toString('utf8', 0, 2000) }, 'recognition wrote to stderr'),
    );
    this.#child.on('message', (message: FromRecognition) => this.#receive(message));
    this.#child.on('error', () => this.#gone());
    this.#child.on('exit', () => this.#gone());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /**
   * Reads one image. Rejects with OCR_FAILED, with DOCUMENT_UNPROCESSABLE when its process ended, or with the signal's
   * reason once the process is killed and gone.
   */
  run(job: Omit<RecognitionJob, 'id'>, signal: AbortSignal): Promise<void> {
    const id = this.#nextId++;
    this.runs++;
    return new Promise<void>((resolve, reject) => {
      let verdict: Error | undefined;
      const onAbort = (): void => {
        verdict = signal.reason instanceof Error ? signal.reason : new OperationalError('CANCELLED');
        this.kill();
      };
      const settled = (act: () => void): void => {
        signal.removeEventListener('abort', onAbort);
        this.#pending = undefined;
        this.lastUsed = Date.now();
        act();
      };
      this.#pending = {
        id,
        resolve: () => settled(resolve),
        reject: (error) => settled(() => reject(verdict ?? error)),
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else if (this.#exited || !this.#child.connected) this.kill();
      else this.#child.send({ ...job, id }, (error) => error === null || this.kill());
    });
  }

  /** Ends the process at once: a busy engine does not read messages. */
  kill(): void {
    this.dead = true;
    if (this.#exited) this.#gone();
    else this.#child.kill('SIGKILL');
  }

  #receive(message: FromRecognition): void {
    const pending = this.#pending;
    if (pending === undefined || message.id !== pending.id) return;
    if (message.kind === 'done') pending.resolve();
    else {
      // The state of an engine after an error is unknown.
      this.kill();
      pending.reject(
        new OperationalError('OCR_FAILED', { program: 'tesseract.js', detail: message.detail.slice(0, 200) }),
      );
    }
  }

  #gone(): void {
    this.dead = true;
    this.#exited = true;
    this.#pending?.reject(unprocessable('tesseract.js', 'its process ended while it read a page'));
    this.log.debug({ pid: this.pid }, 'recognition process ended');
  }
}
