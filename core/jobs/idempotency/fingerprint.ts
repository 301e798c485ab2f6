export interface FingerprintFile {
  readonly field: string;
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/**
 * Returns a text that is equal for equal requests: fields by name, and files by field, name and content. The order of
 * fields does not matter, the order of values of one field does. The text may contain passwords, so only a keyed digest
 * of it may be stored.
 */
export function fingerprintText(fields: Readonly<Record<string, unknown>>, files: readonly FingerprintFile[]): string {
  const byField = (a: FingerprintFile, b: FingerprintFile): number =>
    a.field < b.field ? -1 : a.field > b.field ? 1 : 0;
  return JSON.stringify([
    sorted(fields),
    files.toSorted(byField).map(({ field, name, digest }) => [field, name, digest]),
  ]);
}

/** Turns objects into sorted lists of their members, so that the order of members does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return {
    o: Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, member]) => [name, sorted(member)]),
  };
}
