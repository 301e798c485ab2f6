import type { FormModel, FormWidget } from '@quire/document/forms';
import type { OpenedPdf } from '@quire/document/file/open';
import { asName, elements, entry, resolve } from '@quire/document/file/objects';
import { pageRotation } from '@quire/document/structure/pages';
import { inLines, LINE } from './lines.js';

interface Placed {
  readonly widget: FormWidget;
  /** Number in the page's list of annotations. */
  readonly listed: number;
  /** Upper left corner as the page is shown. */
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the place of each widget in the tab order of its page (ISO 32000-2, table 31, Tabs): by rows, by columns,
 * or in the order of the page's annotations, which is used for the order of the structure as well, because writers of
 * tagged documents list annotations in that order.
 */
export function tabOrder(
  { document: { context }, pages }: Pick<OpenedPdf, 'document' | 'pages'>,
  form: FormModel | undefined,
): ReadonlyMap<FormWidget, number> {
  const onPages = new Map<number, FormWidget[]>();
  for (const widget of form?.fields.flatMap(({ widgets }) => widgets) ?? []) {
    const known = onPages.get(widget.pageIndex);
    if (known === undefined) onPages.set(widget.pageIndex, [widget]);
    else known.push(widget);
  }
  const order = new Map<FormWidget, number>();
  for (const [pageIndex, widgets] of onPages) {
    const page = pages[pageIndex];
    if (page === undefined) continue;
    const annotations = new Map(
      elements(context, entry(page.dict, 'Annots')).map((annotation, i) => [resolve(context, annotation), i]),
    );
    const turn = pageRotation(context, page);
    const placed = widgets.map((widget) => placeOf(widget, annotations.get(widget.node.dict) ?? Infinity, turn));
    for (const [i, { widget }] of sorted(placed, asName(context, entry(page.dict, 'Tabs'))).entries())
      order.set(widget, i);
  }
  return order;
}

function placeOf(widget: FormWidget, listed: number, turn: number): Placed {
  const [left, bottom, right, top] = widget.box ?? [0, 0, 0, 0];
  const corners: Readonly<Record<number, readonly [number, number]>> = {
    0: [left, -top],
    90: [bottom, left],
    180: [-right, bottom],
    270: [-top, -right],
  };
  const [x, y] = corners[turn] ?? [left, -top];
  return { widget, listed, x, y };
}

function sorted(placed: readonly Placed[], tabs: string | undefined): readonly Placed[] {
  if (tabs === 'R')
    return inLines(
      placed.toSorted((a, b) => a.y - b.y),
      (first, one) => one.y - first.y <= LINE,
      ({ x }) => x,
    );
  if (tabs === 'C')
    return inLines(
      placed.toSorted((a, b) => a.x - b.x),
      (first, one) => one.x - first.x <= LINE,
      ({ y }) => y,
    );
  return placed.toSorted((a, b) => (a.listed === b.listed ? 0 : a.listed - b.listed));
}
