import { useEffect, useState } from 'preact/hooks';
import type { SearchMatch, SearchQuery, ViewedDocument } from '../engine/index.ts';

/** Typing has paused for so long. */
const PAUSE_MS = 250;

export interface Found {
  /** In the order of the pages. */
  readonly matches: readonly SearchMatch[];
  readonly byPage: ReadonlyMap<number, readonly SearchMatch[]>;
  readonly running: boolean;
  /** Share of the pages that were searched. */
  readonly done: number;
}

const nothing: Found = { matches: [], byPage: new Map(), running: false, done: 1 };

/** Searches a document while the query is not empty, beginning with the page that `from` returns. */
export function useSearch(document: ViewedDocument | undefined, query: SearchQuery, from: () => number): Found {
  const [found, setFound] = useState<Found>(nothing);
  const { text, matchCase, wholeWords } = query;
  useEffect(() => {
    setFound(nothing);
    if (document === undefined || text.trim() === '') return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => void run(document, query, from(), stop.signal, setFound), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [document, text, matchCase, wholeWords]);
  return found;
}

async function run(
  document: ViewedDocument,
  query: SearchQuery,
  from: number,
  signal: AbortSignal,
  show: (found: Found) => void,
): Promise<void> {
  const byPage = new Map<number, readonly SearchMatch[]>();
  let searched = 0;
  let shownAt = performance.now();
  const update = (running: boolean): void => {
    if (signal.aborted) return;
    const matches = [...byPage].sort(([a], [b]) => a - b).flatMap(([, found]) => found);
    show({ matches, byPage: new Map(byPage), running, done: searched / document.pageCount });
  };
  update(true);
  try {
    await document.search(
      query,
      from,
      (matches, pages) => {
        const first = byPage.size === 0 && matches.length > 0;
        if (matches[0] !== undefined) byPage.set(matches[0].page, matches);
        searched = pages;
        if (!first && performance.now() - shownAt < 100) return;
        shownAt = performance.now();
        update(true);
      },
      signal,
    );
  } catch {
    // Cancelled, or the worker ended: what was found until then stays.
  }
  update(false);
}
