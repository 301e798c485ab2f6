import type { Portrait } from './portrait.js';

/**
 * Returns the features of two documents that their merge has lost or changed, one line each. Names may have got a
 * number: `name_2`.
 */
export function lostInMerge(first: Portrait, second: Portrait, merged: Portrait): string[] {
  const lost: string[] = [];
  const check = (what: string, expected: unknown, found: unknown): void => {
    const [a, b] = [JSON.stringify(expected), JSON.stringify(found)];
    if (a !== b) lost.push(`${what}: ${excerpt(a, b)}`);
  };
  const off = first.pages;
  const shifted = (page: number): number => (page < 0 ? page : page + off);
  check('pages', first.pages + second.pages, merged.pages);
  check('page shapes', [...first.shapes, ...second.shapes], merged.shapes);
  check(
    'labels',
    first.labels === undefined && second.labels === undefined ? undefined : [...labelsOf(first), ...labelsOf(second)],
    merged.labels,
  );
  check(
    'outlines',
    [...first.outlines, ...second.outlines.map(([depth, title, page]) => [depth, title, shifted(page)])],
    merged.outlines,
  );
  check(
    'annotations',
    [...first.annotations, ...second.annotations.map(([page, what, target]) => [page + off, what, shifted(target)])],
    merged.annotations,
  );
  const fields = [
    ...first.fields,
    ...second.fields.map(([name, what, pages]) => [name, what, pages.map(shifted)] as const),
  ];
  check(
    'fields',
    fields.map(([, what, pages]) => [what, pages]),
    merged.fields.map(([, what, pages]) => [what, pages]),
  );
  check(
    'field names',
    fields.map(([name]) => name),
    fields.map(([name], i) => (isRenamed(name, merged.fields[i]?.[0] ?? '') ? name : merged.fields[i]?.[0])),
  );
  check(
    'distinct field names',
    new Set(first.fields.map(([name]) => name)).size + new Set(second.fields.map(([name]) => name)).size,
    new Set(merged.fields.map(([name]) => name)).size,
  );
  check(
    'attachments',
    sorted([...first.attachments, ...second.attachments].map(([, hash]) => hash)),
    sorted(merged.attachments.map(([, hash]) => hash)),
  );
  check(
    'attachment names',
    [],
    [...first.attachments, ...second.attachments]
      .filter(([name, hash]) => !merged.attachments.some(([other, same]) => same === hash && isRenamed(name, other)))
      .map(([name]) => name),
  );
  check(
    'destinations',
    sorted([...first.destinations, ...second.destinations.map(([page, view]) => [shifted(page), view])].map(String)),
    sorted(merged.destinations.map(String)),
  );
  check('layers', [...first.layers, ...second.layers], merged.layers);
  check('structure', sorted([...first.elements, ...second.elements]), merged.elements);
  check('tagged content', first.tagged + second.tagged, merged.tagged);
  check('scripts', sorted([...first.scripts, ...second.scripts]).length, merged.scripts.length);
  check('associated files', first.associated + second.associated, merged.associated);
  check('threads', first.threads + second.threads, merged.threads);
  return lost;
}

function labelsOf({ labels, pages }: Portrait): readonly string[] {
  return labels ?? Array.from({ length: pages }, (_unused, i) => `|D|${i + 1}`);
}

function isRenamed(name: string, other: string): boolean {
  // Keys may be byte strings in UTF-16.
  const plain = (text: string): string => (text.startsWith('\xfe\xff') ? text.slice(2).replaceAll('\0', '') : text);
  const [top = '', ...below] = plain(name).split('.');
  const whole = plain(other);
  if (whole === plain(name)) return true;
  const [otherTop = '', ...otherBelow] = whole.split('.');
  const numbered = (short: string, long: string): boolean =>
    long.startsWith(short) && /^(_\d+)+$/.test(long.slice(short.length));
  return numbered(plain(name), whole) || (numbered(top, otherTop) && below.join('.') === otherBelow.join('.'));
}

function sorted(lines: readonly string[]): string[] {
  return [...lines].sort();
}

/** Both texts from shortly before their first difference. */
function excerpt(a = 'none', b = 'none'): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 30);
  return `${a.slice(from, at + 70)} became ${b.slice(from, at + 70)}`;
}
