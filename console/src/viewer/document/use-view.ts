import { useCallback, useRef, useState } from 'preact/hooks';
import type { SearchMatch, SearchQuery, ViewedDocument } from '../engine/index.ts';
import { stepZoom, type Zoom } from './layout.ts';
import type { PageListHandle } from './page-list.tsx';
import { useSearch, type Found } from './use-search.ts';

/** What a view of a document knows: zoom, page in view, search. */
export interface ViewState {
  readonly zoom: Zoom;
  readonly setZoom: (zoom: Zoom) => void;
  readonly stepZoom: (direction: 1 | -1) => void;
  readonly page: number;
  readonly setPage: (page: number) => void;
  readonly query: SearchQuery;
  readonly setQuery: (query: SearchQuery) => void;
  readonly searching: boolean;
  readonly setSearching: (searching: boolean) => void;
  readonly found: Found;
  readonly current: SearchMatch | undefined;
  readonly stepMatch: (direction: 1 | -1) => void;
  readonly list: { current: PageListHandle | null };
  /** Ctrl+F searches in the document; + and - change the zoom. */
  readonly keys: (event: KeyboardEvent) => void;
}

const noQuery: SearchQuery = { text: '', matchCase: false, wholeWords: false };

export function useView(document: ViewedDocument): ViewState {
  const [zoom, setZoom] = useState<Zoom>('width');
  const [page, setPage] = useState(0);
  const [query, setQuery] = useState(noQuery);
  const [searching, setSearching] = useState(false);
  const [current, setCurrent] = useState<SearchMatch | undefined>();
  const list = useRef<PageListHandle | null>(null);
  const found = useSearch(document, searching ? query : noQuery, () => page);

  const stepMatch = (direction: 1 | -1): void => {
    const { matches } = found;
    const at = current === undefined ? -1 : matches.indexOf(current);
    const next =
      at >= 0
        ? matches.at((at + direction) % matches.length)
        : (matches.find((match) => match.page >= page) ?? matches[0]);
    if (next === undefined) return;
    setCurrent(next);
    list.current?.show(next);
  };
  const step = (direction: 1 | -1): void => setZoom(stepZoom(list.current?.zoom() ?? 1, direction));
  const keys = (event: KeyboardEvent): void => {
    const field = (event.target as Element).closest('input, select, textarea') !== null;
    if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey) {
      event.preventDefault();
      setSearching(true);
    } else if (!field && (event.key === '+' || event.key === '=')) step(1);
    else if (!field && event.key === '-') step(-1);
  };
  return {
    zoom,
    setZoom: useCallback((next: Zoom) => setZoom(next), []),
    stepZoom: step,
    page,
    setPage: useCallback((next: number) => setPage(next), []),
    query,
    setQuery,
    searching,
    setSearching,
    found,
    current,
    stepMatch,
    list,
    keys,
  };
}
