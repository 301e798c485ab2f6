export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The words of a member's name: `pageCount` is `Page count`. Names that are not written so stay. */
export function wordsOf(name: string): string {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) return name;
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
