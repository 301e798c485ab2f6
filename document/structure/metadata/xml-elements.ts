/**
 * Removes elements whose names (with prefix) match from XML, with their content, in one pass over the tags instead of
 * with a parser: every other byte stays the same. Unterminated elements stay. Tags in comments and CDATA count as tags.
 * `goes` decides about each element by its text, with its tags; all go by default.
 */
export function withoutElements(
  xml: string,
  fits: (name: string) => boolean,
  goes: (element: string) => boolean = () => true,
): string {
  const kept: string[] = [];
  let from = 0;
  let inside: { readonly name: string; readonly start: number; depth: number } | undefined;
  for (const { 0: tag, 1: closing, 2: name = '', 3: empty, index } of xml.matchAll(
    /<(\/?)((?:[\w-]+:)?[A-Za-z_][\w.-]*)(?:\s[^<>]*?)?(\/?)>/g,
  )) {
    if (inside === undefined) {
      if (closing === '/' || !fits(name)) continue;
      inside = { name, start: index, depth: 0 };
    }
    if (name !== inside.name) continue;
    if (closing === '/') inside.depth--;
    else if (empty !== '/') inside.depth++;
    if (inside.depth > 0) continue;
    const end = index + tag.length;
    if (goes(xml.slice(inside.start, end))) {
      kept.push(xml.slice(from, inside.start));
      from = end;
    }
    inside = undefined;
  }
  return kept.join('') + xml.slice(from);
}
