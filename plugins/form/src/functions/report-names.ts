/** Names that a report repeats, and their length. */
const [NAMED, SHOWN] = [20, 60];

/** A fact of a report that names things, some of them where there are many; none for no names. */
export function named(fact: string, names: readonly string[]): Record<string, string[]> {
  if (names.length === 0) return {};
  const shown = names.slice(0, NAMED).map((name) => name.slice(0, SHOWN));
  return { [fact]: names.length > NAMED ? [...shown, `and ${names.length - NAMED} more`] : shown };
}
