import { type FormField, type FormModel, type FormWidget, hasFlag } from '@quire/document/forms';
import type { OpenedPdf } from '@quire/document/file/open';
import { type PageEntry, pageBox } from '@quire/document/structure/pages';
import { guardAnswer } from './answer-size.js';
import { allLabels } from './field-labels.js';
import { optionValues, shownValues, valueText } from './field-texts.js';
import { isMultiSelect, tooltipOf } from './list-fields.js';

/**
 * Where a field is shown: in units of the page's user space, from the upper left corner of its crop box, the page's
 * rotation not applied.
 */
export interface LocatedWidget {
  readonly pageIndex: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly exportValue?: string;
  readonly fontSize?: number;
}

/** One field of the answer of `form/fields-with-coordinates`. */
export interface LocatedField {
  readonly name: string;
  readonly label: string;
  readonly type: FormField['kind'];
  readonly value?: string;
  readonly options?: readonly string[];
  readonly displayOptions?: readonly string[];
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly multiSelect: boolean;
  readonly multiline: boolean;
  readonly tooltip?: string;
  readonly widgets?: readonly LocatedWidget[];
}

/** Largest distance between the tops of fields on one line. */
const LINE = 10;
/** How far a widget may begin outside of the crop box. */
const MARGIN = 1;

/**
 * Lists a form's fields with the boxes of their widgets, as people read them: by page of the first widget, from top to
 * bottom, from left to right; those that no page shows come last (docs/interface/form.yml,
 * form/fields-with-coordinates). Errors: INPUT_TOO_COMPLEX for more text than an answer holds.
 */
export function locateFields(
  { document: { context }, pages }: Pick<OpenedPdf, 'document' | 'pages'>,
  form: FormModel | undefined,
): LocatedField[] {
  const fields = form?.fields ?? [];
  guardAnswer(fields);
  const labels = allLabels(fields);
  const boxes = new Map<PageEntry, readonly [number, number, number, number]>();
  const cropBox = (page: PageEntry): readonly [number, number, number, number] => {
    const known = boxes.get(page) ?? pageBox(context, page);
    boxes.set(page, known);
    return known;
  };
  const located = fields.map((field): LocatedField => {
    const [value, options, shown, tooltip] = [
      valueText(field),
      optionValues(field),
      shownValues(field),
      tooltipOf(field),
    ];
    const widgets = field.widgets.flatMap((widget) => {
      const page = pages[widget.pageIndex];
      return page === undefined ? [] : (locate(widget, cropBox(page)) ?? []);
    });
    return {
      name: field.name,
      label: labels.get(field) ?? field.name,
      type: field.kind,
      ...(value === undefined ? {} : { value }),
      ...(options.length > 0 ? { options } : {}),
      ...(shown.length === 0 || same(shown, options) ? {} : { displayOptions: shown }),
      required: hasFlag(field, 'required'),
      readOnly: hasFlag(field, 'readOnly'),
      multiSelect: isMultiSelect(field),
      multiline: field.kind === 'text' && hasFlag(field, 'multiline'),
      ...(tooltip === undefined ? {} : { tooltip }),
      ...(widgets.length > 0 ? { widgets } : {}),
    };
  });
  return inReadingOrder(located);
}

/** Undefined for a widget without a box, or outside of the crop box. */
function locate(
  { box, pageIndex, exportValue, fontSize }: FormWidget,
  [left, bottom, right, top]: readonly [number, number, number, number],
): LocatedWidget | undefined {
  if (box === undefined) return undefined;
  const [x, y, width, height] = [box[0] - left, top - box[3], box[2] - box[0], box[3] - box[1]].map(tidy) as [
    number,
    number,
    number,
    number,
  ];
  if (x < -MARGIN || y < -MARGIN || y > top - bottom + MARGIN || x > (right - left) * 2) return undefined;
  return {
    pageIndex,
    x,
    y,
    width,
    height,
    ...(exportValue === undefined ? {} : { exportValue }),
    ...(fontSize > 0 ? { fontSize } : {}),
  };
}

/** Differences of decimals leave crumbs far behind the point. */
function tidy(value: number): number {
  return Math.round(value * 10_000) / 10_000 + 0;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

/**
 * "Within 10 points" cannot order by itself, since it does not carry over from one pair to the next: a line begins with
 * the topmost field that no line has yet.
 */
function inReadingOrder(fields: readonly LocatedField[]): LocatedField[] {
  const shown = fields
    .flatMap((field) => (field.widgets?.[0] === undefined ? [] : [{ field, ...field.widgets[0] }]))
    .sort((a, b) => a.pageIndex - b.pageIndex || a.y - b.y);
  const lines: (typeof shown)[] = [];
  for (const one of shown) {
    const first = lines.at(-1)?.[0];
    if (first !== undefined && first.pageIndex === one.pageIndex && one.y - first.y <= LINE) lines.at(-1)?.push(one);
    else lines.push([one]);
  }
  return [
    ...lines.flatMap((line) => line.sort((a, b) => a.x - b.x).map(({ field }) => field)),
    ...fields.filter(({ widgets }) => widgets === undefined),
  ];
}
