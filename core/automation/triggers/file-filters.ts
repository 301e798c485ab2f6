import type { Filters } from '../automations/model.js';
import type { FoundFile } from '../connectors/model.js';

/** Whether an automation takes a file of this name and size. Names are compared without regard to case. */
export function passesFilters(
  { names, kinds, minBytes, maxBytes }: Filters,
  { name, size }: Pick<FoundFile, 'name' | 'size'>,
): boolean {
  if (size < (minBytes ?? 0) || size > (maxBytes ?? Infinity)) return false;
  const lower = name.toLowerCase();
  if (kinds.length > 0 && !kinds.some((kind) => lower.endsWith(`.${kind.toLowerCase().replace(/^\./, '')}`)))
    return false;
  return names.length === 0 || names.some((pattern) => matches(pattern.toLowerCase(), lower));
}

/** `*` stands for any characters, `?` for one. Walks both once and goes back only to the last star. */
function matches(pattern: string, name: string): boolean {
  let [at, of, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[of] === '*') {
      star = of++;
      mark = at;
    } else if (pattern[of] === '?' || pattern[of] === name[at]) {
      of++;
      at++;
    } else if (star !== -1) {
      of = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[of] === '*') of++;
  return of === pattern.length;
}
