import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { readPdf } from '../../content/text/index.js';
import { compiledPdfium, type PdfiumDocument } from '../../engines/pdfium/index.js';
import { breathe } from '../../engines/rendering/breathe.js';
import type { PdfInput } from '../../file/source/index.js';
import { plainPageText } from '../plain-text.js';
import { PageOrder } from './page-order.js';
import type { TextsMessage, TextThreadData } from './text-thread.js';

/** How the reading is watched. */
export interface PageTextsOptions {
  readonly signal?: AbortSignal;
  /** Called with the pages that are done, and the pages in all. */
  readonly progress?: (done: number, total: number) => void;
}

/** A document of fewer pages is read before a second thread has started. */
const PAGES_WORTH_A_THREAD = 64;

/**
 * Passes the text of each page to `take`, page by page from the first, as `plainPageText` gives it. Long documents in
 * files are read by two threads. Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED; the
 * signal's reason.
 */
export async function pageTexts(
  input: PdfInput,
  { signal, progress }: PageTextsOptions,
  take: (texts: readonly string[]) => Promise<void>,
): Promise<void> {
  await readPdf(input, async (document) => {
    const pages = document.reachablePages();
    const order = new PageOrder(pages);
    const second = 'path' in input ? await SecondThread.start(input.path, order) : undefined;
    const texts = new PageTexts(document, order, second);
    try {
      for (let done = 0; done < pages;) {
        const next = await texts.from(done);
        await take(next);
        done += next.length;
        order.written(done);
        progress?.(done, pages);
        await breathe(signal);
      }
    } finally {
      await second?.stop();
    }
  });
}

/** Texts of turns by their first page. */
type Texts = Map<number, TextsMessage['texts']>;

/** Texts that either thread has read, in order. */
class PageTexts {
  readonly #own: Texts = new Map();

  constructor(
    readonly document: PdfiumDocument,
    readonly order: PageOrder,
    readonly second: SecondThread | undefined,
  ) {}

  /** The texts of this page and some that follow it. */
  async from(page: number): Promise<readonly string[]> {
    for (;;) {
      const known = this.#taken(this.#own, page) ?? this.#taken(this.second?.texts, page);
      if (known !== undefined) return known.map((text, i) => text ?? plainPageText(this.document, page + i));
      const turn = this.order.take();
      if (turn !== undefined) this.#own.set(turn[0] ?? 0, this.#read(turn));
      else if (this.second?.working === true) await this.second.news();
      // The other thread has ended with these pages in hand; they may be what ended it.
      else return this.#read([page]);
      await breathe(undefined);
    }
  }

  #taken(texts: Texts | undefined, page: number): TextsMessage['texts'] | undefined {
    const found = texts?.get(page);
    texts?.delete(page);
    return found;
  }

  #read(pages: readonly number[]): readonly string[] {
    return pages.map((index) => plainPageText(this.document, index));
  }
}

/** A thread that reads pages of the same file. It may end at any time: its pages are then read by the first. */
class SecondThread {
  readonly texts: Texts = new Map();
  working = true;
  #news = Promise.withResolvers<void>();

  private constructor(readonly thread: Worker) {
    thread.on('message', ({ first, texts }: TextsMessage) => {
      this.texts.set(first, texts);
      this.#tell();
    });
    // Errors are met again by the first thread, which reports them.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      this.working = false;
      this.#tell();
    });
  }

  /** Starts it where it is worth it. */
  static async start(path: string, order: PageOrder): Promise<SecondThread | undefined> {
    if (order.pages < PAGES_WORTH_A_THREAD || availableParallelism() < 2) return undefined;
    const data: TextThreadData = { path, pages: order.pages, memory: order.memory, module: await compiledPdfium() };
    return new SecondThread(
      new Worker(new URL('./text-thread.js', import.meta.url), {
        workerData: data,
        // No deeper than the first thread's: what it reads does not depend on the thread.
        resourceLimits: { stackSizeMb: 1 },
      }),
    );
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
