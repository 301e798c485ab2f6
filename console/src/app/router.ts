import { computed, signal } from '@preact/signals';
import { root } from '../api/index.ts';

interface Place {
  /** Path below the start page, without a slash at either end: `tool/general/rotate-pdf`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

function placeOf(url: URL): Place {
  const below = url.pathname.startsWith(root.pathname) ? url.pathname.slice(root.pathname.length) : '';
  return { path: decodeURI(below).replace(/\/+$/, ''), query: url.searchParams };
}

export const place = signal<Place>(placeOf(new URL(location.href)));

/** The path alone: changes of the query change nothing that depends on it. */
export const path = computed(() => place.value.path);

export interface NavigateOptions {
  /** Replaces the entry in the history instead of adding one. */
  readonly replace?: boolean;
}

/** Shows another page of the console: `navigate('tool/general/rotate-pdf')`. */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  const url = new URL(to, root);
  if (url.href === location.href && !replace) return;
  history[replace ? 'replaceState' : 'pushState']({}, '', url);
  place.value = placeOf(url);
}

/** Changes values of the query; undefined removes one. */
export function setQuery(values: Readonly<Record<string, string | undefined>>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  history.replaceState(history.state, '', url);
  place.value = placeOf(url);
}

/** Follows the back button, and clicks on links to pages of the console. */
export function startRouter(isOwn: (path: string) => boolean): void {
  addEventListener('popstate', () => (place.value = placeOf(new URL(location.href))));
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (link === null || link === undefined || link.target !== '' || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(root.pathname)) return;
    if (url.pathname === location.pathname && url.hash !== '') return;
    if (!isOwn(placeOf(url).path)) return;
    event.preventDefault();
    navigate(url.href);
  });
}
