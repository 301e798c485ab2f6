/** Longest name of a sheet, in UTF-16 units (ECMA-376 part 1, 18.2.19, and what programs take). */
const MAX_NAME = 31;

/**
 * Returns a new unique sheet name and records it: without forbidden characters, at most 31 long, with ` (2)`, ` (3)` …
 * after a taken one (case-insensitive).
 */
export function sheetName(wanted: string, taken: Set<string>): string {
  const clean =
    wanted
      .replaceAll(/[\\/?*[\]:]/g, ' ')
      .replaceAll(/^'+|'+$/g, '')
      .trim() || 'Sheet';
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : ` (${number})`;
    const name = `${clean.slice(0, MAX_NAME - ending.length)}${ending}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}
