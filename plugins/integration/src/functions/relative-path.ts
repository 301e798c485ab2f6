/**
 * Returns the fault of a path that must stay under a base address (`docs/interface/integration.yml`), or undefined. It
 * may have a query.
 */
export function relativePathFault(path: string): string | undefined {
  if (/[\s\\\p{Cc}]/u.test(path)) return 'holds blanks, backslashes or control characters';
  if (path.includes('#')) return 'holds a fragment';
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(path)) return 'names a scheme';
  const [place = ''] = path.split('?', 1);
  if (place.includes('//')) return 'holds //';
  // A server on the way may decode and follow these.
  if (/%(?:2e|2f|5c|00)/i.test(place)) return 'holds an encoded dot, slash or backslash';
  if (place.split('/').some((segment) => segment === '.' || segment === '..')) return 'holds the segment . or ..';
  return undefined;
}

/**
 * Puts a checked path below a base address. Gives undefined when what comes out is not below it, however that came
 * about: other scheme, host, port, or beginning of the path.
 */
export function below(baseUrl: string, path: string): string | undefined {
  if (relativePathFault(path) !== undefined) return undefined;
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const text = `${base.origin}${prefix}${path === '' || path.startsWith('?') ? path : `/${path.replace(/^\//, '')}`}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const inside = url.pathname === (prefix === '' ? '/' : prefix) || url.pathname.startsWith(`${prefix}/`);
  return inside && url.origin === base.origin && url.username === '' && url.hash === '' ? url.href : undefined;
}
