import { ViewError } from '../failure.ts';
import type { FromWorker, Request, ToWorker } from '../protocol.ts';
import { readLetters } from './letters.ts';
import { WorkerDocument } from './open.ts';
import { readOutline } from './outline.ts';
import { renderPage } from './render.ts';
import { isTrap, loadPdfium, type Pdfium } from './runtime.ts';
import { Schedule, type Work } from './schedule.ts';
import { searchDocument } from './search.ts';
import { textRuns } from './text-runs.ts';

/** The scope of a worker, which is in none of the DOM library's types. */
const scope = globalThis as unknown as {
  postMessage(message: FromWorker, transfer?: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
};

const ALIVE_EVERY_MS = 1000;

const documents = new Map<number, WorkerDocument>();
/** Requests that wait for PDFium, and whether they were cancelled meanwhile. */
const accepting = new Map<number, { cancelled: boolean }>();
const schedule = new Schedule();
let lastSign = 0;

scope.addEventListener('message', ({ data }) => {
  if ('cancel' in data) {
    const early = accepting.get(data.cancel);
    if (early !== undefined) early.cancelled = true;
    schedule.cancel(data.cancel);
  } else if ('close' in data) {
    close(data.close);
  } else {
    void accept(data.id, data.priority, data.request);
  }
});

async function accept(id: number, priority: number, request: Request): Promise<void> {
  const early = { cancelled: false };
  accepting.set(id, early);
  try {
    const pdfium = await loadPdfium();
    if (early.cancelled) return;
    schedule.add({
      id,
      priority,
      document: request.document,
      work: watched(workOf(pdfium, id, request)),
      done: (result) => void answer(id, result),
      failed: (error) => fail(id, error),
    });
  } catch (error) {
    fail(id, error);
  } finally {
    accepting.delete(id);
  }
}

function* workOf(pdfium: Pdfium, id: number, request: Request): Work {
  if (request.type === 'open') {
    const opened = WorkerDocument.open(pdfium, request.file, request.password);
    documents.set(request.document, opened);
    return opened.facts;
  }
  const document = documents.get(request.document);
  if (document === undefined) throw new ViewError('unreadable');
  switch (request.type) {
    case 'render':
      return yield* renderPage(document, request);
    case 'text':
      return textRuns(readLetters(document, request.page), document.box(request.page));
    case 'outline':
      return readOutline(document);
    case 'search':
      return yield* searchDocument(document, request.query, request.from, (matches, searched) =>
        scope.postMessage({ id, matches, searched }),
      );
  }
}

/** Reports from time to time that the worker is not stuck. */
function* watched(work: Work): Work {
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      const now = performance.now();
      if (now - lastSign > ALIVE_EVERY_MS) {
        lastSign = now;
        scope.postMessage({ alive: true });
      }
      yield;
    }
  } finally {
    work.return(undefined);
  }
}

async function answer(id: number, result: unknown): Promise<void> {
  if (!(result instanceof ImageData)) return scope.postMessage({ id, result });
  try {
    const bitmap = await createImageBitmap(result);
    scope.postMessage({ id, result: bitmap }, [bitmap]);
  } catch {
    scope.postMessage({ id, failure: 'memory' });
  }
}

function fail(id: number, error: unknown): void {
  if (isTrap(error)) return scope.postMessage({ crashed: id });
  scope.postMessage({ id, failure: error instanceof ViewError ? error.code : 'internal' });
}

function close(id: number): void {
  schedule.cancelAll(id);
  const document = documents.get(id);
  documents.delete(id);
  try {
    document?.close();
  } catch {
    // A trap while closing; the next request meets it and the worker is replaced.
  }
}
