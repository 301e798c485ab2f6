import type { PageContent } from '../page-content.js';
import type { PageReader } from '../read/page-reader.js';
import type { OpenPages } from '../with-pages.js';
import { PageOrder } from './page-order.js';
import { SecondThread } from './second-thread.js';
import { SharedReading } from './shared-reading.js';

/** What the second thread is started with. */
export interface ContentThreadData {
  /** User units by page (0-based), where they are not 1. */
  readonly units: ReadonlyMap<number, number>;
}

/** A document of fewer pages is read before a second thread has loaded what it needs. */
const PAGES_WORTH_A_THREAD = 128;
/** Contents are large: few of them wait in memory. */
const SIZES = { perTurn: 2, ahead: 8 };

/** Reads the contents of pages in order, those of a long document in a file by two threads. */
export class PageContents {
  #waiting: PageContent[] = [];

  private constructor(
    readonly reading: SharedReading<PageContent>,
    readonly reader: PageReader,
  ) {}

  /** Begins with the first page; `pages` in all will be asked for at most. */
  static async start({ reader, units, pageCount, path }: OpenPages, pages: number): Promise<PageContents> {
    const order = new PageOrder(pageCount, SIZES);
    const own: ContentThreadData = { units };
    const second =
      pages < PAGES_WORTH_A_THREAD || path === undefined
        ? undefined
        : await SecondThread.start<PageContent>(
            new URL('./content-thread-entry.js', import.meta.url),
            path,
            order,
            own,
          );
    return new PageContents(new SharedReading(order, second, (page) => reader.read(page)), reader);
  }

  /** The content of this page (0-based). To be called for all pages in order. */
  async at(page: number): Promise<PageContent> {
    if (this.#waiting.length === 0) this.#waiting = [...(await this.reading.from(page))];
    return this.reader.adopt(this.#waiting.shift()!);
  }

  /** Ends the second thread. */
  stop(): Promise<void> {
    return this.reading.stop();
  }
}
