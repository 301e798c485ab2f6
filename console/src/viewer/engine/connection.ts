import { ViewError } from './failure.ts';
import type { FromWorker, OpenedDocument, Request, SearchMatch } from './protocol.ts';

/** A worker that says nothing for so long while it has work is replaced. */
const SILENCE_MS = 20_000;
/** PDFium's memory never shrinks, so that the worker ends a while after the last document is closed. */
const IDLE_MS = 30_000;

interface Pending {
  readonly priority: number;
  readonly request: Request;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onMatches: ((matches: readonly SearchMatch[], searched: number) => void) | undefined;
}

interface Source {
  readonly file: Blob;
  readonly password: string | undefined;
}

export interface CallOptions {
  /** Smaller is more urgent. */
  readonly priority?: number;
  readonly signal?: AbortSignal;
  readonly onMatches?: (matches: readonly SearchMatch[], searched: number) => void;
}

/**
 * The document worker, started with the first document and shared by all. When a file breaks it or it hangs, it is
 * replaced, the documents are opened again, and only the request that did it fails.
 */
class Connection {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  private readonly sources = new Map<number, Source>();
  private lastId = 0;
  private lastHeard = 0;
  private watch: ReturnType<typeof setInterval> | undefined;
  private idle: ReturnType<typeof setTimeout> | undefined;

  async open(file: Blob, password: string | undefined): Promise<OpenedDocument & { readonly id: number }> {
    const id = ++this.lastId;
    const opened = (await this.call({ type: 'open', document: id, file, password })) as OpenedDocument;
    this.sources.set(id, { file, password });
    return { ...opened, id };
  }

  close(document: number): void {
    this.sources.delete(document);
    for (const [id, { request, reject }] of this.pending) {
      if (request.document !== document) continue;
      this.pending.delete(id);
      reject(new DOMException('The document was closed.', 'AbortError'));
    }
    this.worker?.postMessage({ close: document });
    this.endWhenIdle();
  }

  /** Throws ViewError, or the signal's reason. */
  call(request: Request, { priority = 0, signal, onMatches }: CallOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const id = ++this.lastId;
      const cancel = (): void => {
        if (!this.pending.delete(id)) return;
        this.worker?.postMessage({ cancel: id });
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      const settled = <T>(settle: (value: T) => void): ((value: T) => void) => {
        return (value) => {
          signal?.removeEventListener('abort', cancel);
          settle(value);
          this.endWhenIdle();
        };
      };
      this.pending.set(id, { priority, request, resolve: settled(resolve), reject: settled(reject), onMatches });
      this.send(id, priority, request);
    });
  }

  private send(id: number, priority: number, request: Request): void {
    clearTimeout(this.idle);
    this.worker ??= this.start();
    if (this.pending.size === 1) this.lastHeard = performance.now();
    this.worker.postMessage({ id, priority, request });
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker/worker-entry.ts', import.meta.url), {
      type: 'module',
      name: 'documents',
    });
    this.lastHeard = performance.now();
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.receive(data));
    // The script could not be loaded, or failed outside a request.
    worker.addEventListener('error', () => this.giveUp());
    this.watch = setInterval(() => {
      if (this.pending.size > 0 && performance.now() - this.lastHeard > SILENCE_MS) this.replace('slow');
    }, 1000);
    return worker;
  }

  private receive(message: FromWorker): void {
    this.lastHeard = performance.now();
    if ('alive' in message) return;
    if ('crashed' in message) return this.replace('damaged', message.crashed);
    const pending = this.pending.get(message.id);
    if (pending === undefined) {
      // Cancelled while the answer was on its way.
      if ('result' in message && message.result instanceof ImageBitmap) message.result.close();
      return;
    }
    if ('matches' in message) return pending.onMatches?.(message.matches, message.searched);
    this.pending.delete(message.id);
    if ('failure' in message) pending.reject(new ViewError(message.failure));
    else pending.resolve(message.result);
  }

  /** Starts again; `culprit` fails, by default the oldest of the most urgent requests, on which the worker hangs. */
  private replace(code: 'damaged' | 'slow', culprit = this.mostUrgent()): void {
    this.stop();
    const failed = culprit === undefined ? undefined : this.pending.get(culprit);
    if (culprit !== undefined) this.pending.delete(culprit);
    failed?.reject(new ViewError(code));
    if (this.sources.size === 0 && this.pending.size === 0) return;
    this.worker = this.start();
    for (const [document, { file, password }] of this.sources)
      this.worker.postMessage({ id: ++this.lastId, priority: -1, request: { type: 'open', document, file, password } });
    for (const [id, { priority, request }] of this.pending) this.worker.postMessage({ id, priority, request });
  }

  private mostUrgent(): number | undefined {
    let found: number | undefined;
    let least = Infinity;
    for (const [id, { priority }] of this.pending) {
      if (priority >= least) continue;
      found = id;
      least = priority;
    }
    return found;
  }

  private giveUp(): void {
    this.stop();
    const failed = [...this.pending.values()];
    this.pending.clear();
    for (const { reject } of failed) reject(new ViewError('unsupported'));
  }

  private stop(): void {
    clearInterval(this.watch);
    this.worker?.terminate();
    this.worker = undefined;
  }

  private endWhenIdle(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      if (this.sources.size === 0 && this.pending.size === 0) this.stop();
    }, IDLE_MS);
  }
}

export const connection = new Connection();
