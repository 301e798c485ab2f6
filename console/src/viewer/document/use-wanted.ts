import { useEffect, useState } from 'preact/hooks';
import type { SearchMatch, ViewedDocument } from '../engine/index.ts';

/** A text that what is beside the view wants to see on the pages. */
export interface WantedText {
  /** The forms in which it may be written; the first that is on a page is shown. Each new object searches again. */
  readonly forms: readonly string[];
}

export interface Wanting {
  readonly wanted?: WantedText | undefined;
  /** Called after a search with whether a page has it. */
  readonly onWanted?: ((found: boolean) => void) | undefined;
}

/** Finds a wanted text and returns where it is: all its places on the first page that has it. */
export function useWanted(document: ViewedDocument, { wanted, onWanted }: Wanting): readonly SearchMatch[] {
  const [places, setPlaces] = useState<readonly SearchMatch[]>([]);
  useEffect(() => {
    setPlaces([]);
    if (wanted === undefined) return undefined;
    const stop = new AbortController();
    void find(document, wanted.forms, stop.signal).then((found) => {
      if (stop.signal.aborted) return;
      setPlaces(found);
      onWanted?.(found.length > 0);
    });
    return () => stop.abort();
  }, [document, wanted]);
  return places;
}

async function find(
  document: ViewedDocument,
  forms: readonly string[],
  signal: AbortSignal,
): Promise<readonly SearchMatch[]> {
  for (const text of forms) {
    if (text.trim() === '') continue;
    const found = await firstMatches(document, text, signal);
    if (found.length > 0 || signal.aborted) return found;
  }
  return [];
}

/** The matches on the first page that has any; the pages after it are not searched. */
async function firstMatches(
  document: ViewedDocument,
  text: string,
  signal: AbortSignal,
): Promise<readonly SearchMatch[]> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal.addEventListener('abort', end, { once: true });
  let first: readonly SearchMatch[] = [];
  const query = { text, matchCase: false, wholeWords: true };
  try {
    await document.search(
      query,
      0,
      (matches) => {
        if (first.length > 0 || matches.length === 0) return;
        first = matches;
        end();
      },
      stop.signal,
    );
  } catch {
    // Stopped, or the worker ended.
  }
  signal.removeEventListener('abort', end);
  return first;
}
