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

function addressOfPlace({ path: shown, query }: Place): string {
  const values = query.toString();
  return `${encodeURI(shown)}${values === '' ? '' : `?${values}`}`;
}

export const place = signal<Place>(placeOf(new URL(location.href)));

/** The path alone: changes of the query change nothing that depends on it. */
export const path = computed(() => place.value.path);

export interface NavigateOptions {
  /** Replaces the entry in the history instead of adding one. */
  readonly replace?: boolean;
}

/** Returns false to hold back leaving a path; `go` leaves it then, if people agree. */
export type LeaveGuard = (to: string, go: () => void) => boolean;

let guard: LeaveGuard | undefined;

/** Asks before another path is shown; returns how to stop asking. */
export function guardLeaving(asked: LeaveGuard): () => void {
  guard = asked;
  return () => {
    if (guard === asked) guard = undefined;
  };
}

function held(to: Place, go: () => void): boolean {
  return guard !== undefined && to.path !== place.value.path && !guard(to.path, go);
}

/** Shows another page of the console: `navigate('tool/general/rotate-pdf')`. */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  const url = new URL(to, root);
  if (url.href === location.href && !replace) return;
  const go = (): void => {
    history[replace ? 'replaceState' : 'pushState']({}, '', url);
    place.value = placeOf(url);
  };
  if (!held(placeOf(url), go)) go();
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
  addEventListener('popstate', () => {
    const url = new URL(location.href);
    const to = placeOf(url);
    const before = place.value;
    if (held(to, () => navigate(url.href))) history.pushState({}, '', new URL(addressOfPlace(before), root));
    else place.value = to;
  });
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
