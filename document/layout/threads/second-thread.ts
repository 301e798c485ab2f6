import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parentPort, workerData, Worker } from 'node:worker_threads';
import { compiledPdfium, type PdfiumDocument, shareCompiledPdfium, withDocument } from '../../engines/pdfium/index.js';
import { FileSource } from '../../file/source/file-source.js';
import { PageOrder, type TurnSizes } from './page-order.js';

interface ThreadData<D> {
  readonly path: string;
  readonly pages: number;
  readonly sizes: TurnSizes;
  readonly memory: SharedArrayBuffer;
  readonly module: object;
  readonly own: D;
}

/** What was read from consecutive pages; undefined for pages that the first thread has to read. */
export interface Turn<T> {
  readonly first: number;
  readonly read: readonly (T | undefined)[];
}

/** A thread that reads pages of the same file. It may end at any time: its pages are then read by the first. */
export class SecondThread<T> {
  readonly turns = new Map<number, Turn<T>['read']>();
  working = true;
  #news = Promise.withResolvers<void>();

  private constructor(readonly thread: Worker) {
    thread.on('message', ({ first, read }: Turn<T>) => {
      this.turns.set(first, read);
      this.#tell();
    });
    // Errors are met again by the first thread, which reports them.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      this.working = false;
      this.#tell();
    });
  }

  /** Starts the program with data of its own, which calls `readTurns`; undefined where there is one core only. */
  static async start<T>(
    program: URL,
    path: string,
    order: PageOrder,
    own: object,
  ): Promise<SecondThread<T> | undefined> {
    if (availableParallelism() < 2) return undefined;
    const { pages, sizes, memory } = order;
    const data: ThreadData<object> = { path, pages, sizes, memory, module: await compiledPdfium(), own };
    // A stack no deeper than the first thread's: what is read does not depend on the thread.
    return new SecondThread<T>(new Worker(program, { workerData: data, resourceLimits: { stackSizeMb: 1 } }));
  }

  /** Resolves when it has read something, or has ended. */
  async news(): Promise<void> {
    await this.#news.promise;
  }

  async stop(): Promise<void> {
    if (!this.working) return;
    const end = once(this.thread, 'exit');
    await this.thread.terminate();
    await end;
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

/** The work of a second thread: reads the given pages, with its own data and its own copy of the document. */
export async function readTurns<T, D>(
  begin: (document: PdfiumDocument, own: D) => (page: number) => T | undefined,
): Promise<void> {
  const { path, pages, sizes, memory, module, own } = workerData as ThreadData<D>;
  shareCompiledPdfium(module);
  // Closed with the thread, however that ends.
  await withDocument(FileSource.open(path), {}, (document) => {
    // The two threads read the document differently, so their page numbers do not match.
    if (document.reachablePages() !== pages) return;
    const read = begin(document, own);
    const order = new PageOrder(pages, sizes, memory);
    for (let turn = order.take(); turn !== undefined; turn = order.take()) {
      const [first = 0] = turn;
      order.awaitTurn(first);
      const message: Turn<T> = { first, read: turn.map(read) };
      parentPort?.postMessage(message);
    }
  });
}
