// A thread that reads the text of pages beside the one that needs it (`page-texts.ts`).
import { parentPort, workerData } from 'node:worker_threads';
import { shareCompiledPdfium, withDocument } from '../../engines/pdfium/index.js';
import { FileSource } from '../../file/source/file-source.js';
import { simplePageText } from '../simple-text.js';
import { PageOrder } from './page-order.js';

/** What the thread is started with. */
export interface TextThreadData {
  readonly path: string;
  readonly pages: number;
  readonly memory: SharedArrayBuffer;
  readonly module: object;
}

/** Texts of pages that follow one another. */
export interface TextsMessage {
  readonly first: number;
  /** Undefined where `simplePageText` gives none. */
  readonly texts: readonly (string | undefined)[];
}

const { path, pages, memory, module } = workerData as TextThreadData;
shareCompiledPdfium(module);
await withDocument(FileSource.open(path), {}, (document) => {
  // Read in another way than by the first thread: its numbers of pages are not ours.
  if (document.reachablePages() !== pages) return;
  const order = new PageOrder(pages, memory);
  for (let turn = order.take(); turn !== undefined; turn = order.take()) {
    const [first = 0] = turn;
    order.awaitTurn(first);
    const message: TextsMessage = { first, texts: turn.map((index) => simplePageText(document, index)) };
    parentPort?.postMessage(message);
  }
});
