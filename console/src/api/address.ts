/** Address of the console's start page: the base of the page, whatever sub-path the server or a proxy has. */
export const root = new URL('.', document.baseURI);

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns the address of an endpoint: `apiAddress('general/rotate-pdf')`. */
export function apiAddress(path: string, query: Query = {}): string {
  const url = new URL(`api/v1/${path}`, root);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
