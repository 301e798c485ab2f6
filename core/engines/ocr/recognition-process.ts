import { fork, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperationalError, type Logger } from '@quire/registry';
import { innermost, killInnermost, type UserNumbers, type WorkerIsolation } from '../../isolation/index.js';
import { RunFolder, unprocessable } from '../programs/index.js';
import type { FromRecognition, RecognitionJob, RecognitionSetup } from './recognition-job.js';

/** How the processes are started. */
export interface RecognitionStart {
  readonly log: Logger;
  /** The module that they run. */
  readonly entry: URL;
  readonly isolation: WorkerIsolation;
  /** Parent of their own folders. */
  readonly root: string;
  /** Files in it live no longer than a call. */
  readonly temporary: string;
}

/** One child process with an engine that is kept running. Like a worker, it sees its own folder only. */
export class RecognitionProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #user: number;
  readonly #uid: number | undefined;
  readonly languages: string;
  #pending: { readonly id: number; resolve(): void; reject(error: Error): void } | undefined;
  #nextId = 1;
  #exited = false;
  runs = 0;
  /** True once it was asked to end. */
  dead = false;
  lastUsed = Date.now();

  /** `users`: gives it a user number while it lives. */
  constructor(
    setup: RecognitionSetup,
    private readonly start: RecognitionStart,
    private readonly users: UserNumbers,
  ) {
    this.#user = users.take();
    const { log, entry, isolation, root } = start;
    this.languages = setup.languages.join('+');
    mkdirSync(root, { recursive: true, mode: 0o700 });
    this.#folder = mkdtempSync(join(root, 'ocr-'));
    const { execPath, execArgv, uid } = isolation.start({
      folder: this.#folder,
      user: this.#user,
      flags: ['--max-old-space-size=512', '--max-semi-space-size=2', '--v8-pool-size=1'],
      shown: setup.data,
    });
    this.#uid = uid;
    // The server's own, so that the process cannot exchange the folders of its runs, which it may write to.
    if (uid !== undefined) chmodSync(this.#folder, 0o755);
    this.#child = fork(fileURLToPath(entry), [JSON.stringify(setup)], {
      execPath,
      execArgv: [...execArgv],
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: this.#folder, NODE_ENV: 'production', LANG: 'C.UTF-8' },
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
    return innermost(this.#child.pid ?? 0);
  }

  /**
   * Reads one image. Rejects with OCR_FAILED, with DOCUMENT_UNPROCESSABLE when its process ended, or with the signal's
   * reason once the process is killed and gone.
   */
  async run(job: Omit<RecognitionJob, 'id'>, signal: AbortSignal): Promise<void> {
    const id = this.#nextId++;
    this.runs++;
    const files = await RunFolder.create(this.#folder, this.start.temporary);
    try {
      const placed = {
        ...job,
        id,
        picture: await files.input(job.picture),
        words: files.output(job.words),
        ...(job.layer === undefined ? {} : { layer: files.output(job.layer) }),
      };
      await files.admit(this.#uid);
      await this.#ask(placed, signal);
      await files.takeOut();
    } finally {
      await files.remove();
    }
  }

  #ask(job: RecognitionJob, signal: AbortSignal): Promise<void> {
    const { id } = job;
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
      else this.#child.send(job, (error) => error === null || this.kill());
    });
  }

  /** Ends the process at once: a busy engine does not read messages. */
  kill(): void {
    this.dead = true;
    if (this.#exited) return this.#gone();
    killInnermost(this.#child);
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
    this.#pending?.reject(unprocessable('tesseract.js', 'its process ended while it read a page'));
    if (this.#exited) return;
    this.#exited = true;
    this.users.giveBack(this.#user);
    this.start.log.debug({ pid: this.#child.pid }, 'recognition process ended');
    void this.#removeFolder();
  }

  async #removeFolder(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
