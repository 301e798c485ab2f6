const MOST_SEGMENTS = 20;

/** Returns the fault of a dotted path (`result.files.0.url`), or undefined. */
export function jsonPathFault(path: string): string | undefined {
  const segments = segmentsOf(path);
  if (path.length > 500 || segments.length > MOST_SEGMENTS)
    return `has more than ${MOST_SEGMENTS} segments or 500 characters`;
  return segments.some((segment) => segment === '') ? 'is not a dotted path' : undefined;
}

/**
 * Returns the value at a dotted path: members of objects by name, of lists by number, also as `files[0]`; a leading
 * `$.` is the whole. Undefined if there is none.
 */
export function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const segment of segmentsOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

function segmentsOf(path: string): string[] {
  return path
    .trim()
    .replace(/^\$\.?/, '')
    .replace(/\[(\d{1,9})\]/g, '.$1')
    .replace(/^\./, '')
    .split('.');
}
