/** A file of a request. */
export interface FingerprintFile {
  readonly field: string;
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/**
 * What makes two requests the same, as text: fields by name and files by field, name and bytes. The order of fields
 * among each other means nothing, that of values of one field does. It may hold passwords: only a keyed digest of it is
 * kept.
 */
export function fingerprintText(fields: Readonly<Record<string, unknown>>, files: readonly FingerprintFile[]): string {
  const byField = (a: FingerprintFile, b: FingerprintFile): number =>
    a.field < b.field ? -1 : a.field > b.field ? 1 : 0;
  return JSON.stringify([
    sorted(fields),
    files.toSorted(byField).map(({ field, name, digest }) => [field, name, digest]),
  ]);
}

/** Objects as lists of their members in order, so that the order in which they were written says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return {
    o: Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, member]) => [name, sorted(member)]),
  };
}
