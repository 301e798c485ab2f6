import type { Portrait } from '../../document/test/checks/portrait.js';
import type { Expectation } from './expectations.js';

/**
 * Lists what a document lost or gained through an operation that had no reason to change it, one line per feature;
 * empty when nothing changed.
 */
export function lostMeaning(
  before: Portrait,
  after: Portrait,
  { changes = [], pageOf, moves = false }: Expectation,
): string[] {
  const place = (page: number): number => (page < 0 || pageOf === undefined ? page : pageOf(page, before.pages));
  const mapped: Portrait = {
    ...before,
    shapes: inOrder(before.shapes, place),
    outlines: before.outlines.map(([depth, title, page]) => [depth, title, place(page)]),
    annotations: stable(
      before.annotations.map(([page, what, target]) => [place(page), moves ? kindOf(what) : what, place(target)]),
    ),
    fields: before.fields.map(([name, what, pages]) => [name, what, pages.map(place).sort(byNumber)]),
    destinations: sorted(before.destinations.map(([page, view]) => [place(page), moves ? '' : view])),
  };
  const found: Portrait = {
    ...after,
    annotations: stable(after.annotations.map(([page, what, target]) => [page, moves ? kindOf(what) : what, target])),
    fields: after.fields.map(([name, what, pages]) => [name, what, [...pages].sort(byNumber)]),
    destinations: sorted(after.destinations.map(([page, view]) => [page, moves ? '' : view])),
  };
  return (Object.keys(before) as (keyof Portrait)[])
    .filter((key) => !changes.includes(key))
    .flatMap((key) => {
      const [a, b] = [JSON.stringify(mapped[key]) ?? 'none', JSON.stringify(found[key]) ?? 'none'];
      return a === b ? [] : [`${key}: ${excerpt(a, b)}`];
    });
}

function kindOf(what: string): string {
  return what.split('|')[0] ?? '';
}

function inOrder(shapes: readonly string[], place: (page: number) => number): readonly string[] {
  const found: string[] = [];
  shapes.forEach((shape, page) => (found[place(page)] = shape));
  return found;
}

/** Sorted by page; the order within a page stays. */
function stable(
  annotations: readonly (readonly [number, string, number])[],
): readonly (readonly [number, string, number])[] {
  return [...annotations].sort(([a, whatA], [b, whatB]) => a - b || (whatA < whatB ? -1 : whatA > whatB ? 1 : 0));
}

function sorted(destinations: readonly (readonly [number, string])[]): readonly (readonly [number, string])[] {
  return [...destinations].sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

function byNumber(a: number, b: number): number {
  return a - b;
}

/** Both texts from shortly before their first difference. */
function excerpt(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 30);
  return `${a.slice(from, at + 70)} became ${b.slice(from, at + 70)}`;
}
