/** Address of the console's start page: the base of the page, whatever sub-path the server or a proxy has. */
export const root = new URL('.', document.baseURI);

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Adds a query to a path: `withQuery('general/jobs', { limit: 20 })`. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Returns the address of an endpoint: `apiAddress('general/rotate-pdf')`. */
export function apiAddress(path: string, query: Query = {}): string {
  return new URL(`api/v1/${withQuery(path, query)}`, root).href;
}
