import {
  alignmentOf,
  combCells,
  type FormField,
  type FormModel,
  type FormWidget,
  hasFlag,
  widgetRotation,
} from '@quire/document/forms';
import { fieldAttribute, isLocked, readFieldLocks, type SetLock } from '@quire/document/forms/fields';
import { asDict, asNumber, asText, entry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { type PageEntry, pageBox } from '@quire/document/structure/pages';
import { guardAnswer } from './answer-size.js';
import { allLabels } from './field-labels.js';
import { optionValues, shownValues, valueText } from './field-texts.js';
import { inLines, LINE } from './lines.js';
import { isMultiSelect, tooltipOf } from './list-fields.js';
import { tabOrder } from './tab-order.js';

type Context = OpenedPdf['document']['context'];

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
  readonly alignment?: (typeof ALIGNMENTS)[number];
  readonly rotation?: number;
  readonly caption?: string;
  readonly hidden?: true;
  readonly tabOrder: number;
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
  readonly password: boolean;
  readonly comb: boolean;
  readonly editable: boolean;
  readonly maxLength?: number;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly values?: readonly string[];
  readonly signed?: boolean;
  readonly lockedBy?: string;
  readonly tooltip?: string;
  readonly widgets?: readonly LocatedWidget[];
}

const ALIGNMENTS = ['left', 'center', 'right'] as const;
/** Annotation flags (ISO 32000-1, table 165) of widgets that screens do not show: Hidden and NoView. */
const NOT_SHOWN = (1 << 1) | (1 << 5);
/** Characters of texts that many fields may share, so that a small file cannot answer gigabytes. */
const LONGEST_SHARED = 200;
/** How far a widget may begin outside of the crop box. */
const MARGIN = 1;

/**
 * Lists a form's fields with the boxes of their widgets, as people read them: by page of the first widget, from top to
 * bottom, from left to right; those that no page shows come last (docs/interface/form.yml,
 * form/fields-with-coordinates). Errors: INPUT_TOO_COMPLEX for more text than an answer holds.
 */
export function locateFields(
  opened: Pick<OpenedPdf, 'document' | 'pages'>,
  form: FormModel | undefined,
): LocatedField[] {
  const {
    document: { context },
    pages,
  } = opened;
  const fields = form?.fields ?? [];
  guardAnswer(fields);
  const labels = allLabels(fields);
  const locks = form === undefined ? [] : readFieldLocks(context);
  const order = tabOrder(opened, form);
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
      const located = page === undefined ? undefined : locate(widget, cropBox(page));
      return located === undefined
        ? []
        : [{ ...located, ...lookOf(context, field, widget), tabOrder: order.get(widget) ?? 0 }];
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
      ...inputOf(context, field, locks),
      ...(tooltip === undefined ? {} : { tooltip }),
      ...(widgets.length > 0 ? { widgets } : {}),
    };
  });
  return inReadingOrder(located);
}

/** What a field accepts, beside its options. */
function inputOf(
  context: Context,
  field: FormField,
  locks: readonly SetLock[],
): Pick<
  LocatedField,
  'multiline' | 'password' | 'comb' | 'editable' | 'maxLength' | 'choices' | 'values' | 'signed' | 'lockedBy'
> {
  const { kind, node, options, values } = field;
  const maxLength = kind === 'text' ? (asNumber(context, fieldAttribute(node, 'MaxLen')) ?? 0) : 0;
  const lock = locks.find((one) => isLocked(one, field.name));
  return {
    multiline: kind === 'text' && hasFlag(field, 'multiline'),
    password: kind === 'text' && hasFlag(field, 'password'),
    comb: kind === 'text' && combCells(context, node) !== undefined,
    editable: kind === 'combobox' && hasFlag(field, 'edit'),
    ...(maxLength >= 1 ? { maxLength: Math.trunc(maxLength) } : {}),
    ...(options.length === 0 ? {} : { choices: options.map(({ value, shown }) => ({ value, label: shown })) }),
    ...(isMultiSelect(field) && values !== undefined ? { values } : {}),
    ...(kind === 'signature' ? { signed: asDict(context, fieldAttribute(node, 'V')) !== undefined } : {}),
    ...(lock === undefined ? {} : { lockedBy: lock.signature.slice(0, LONGEST_SHARED) }),
  };
}

/** How a widget shows its value. */
function lookOf(
  context: Context,
  { kind }: FormField,
  { node }: FormWidget,
): Pick<LocatedWidget, 'alignment' | 'rotation' | 'caption' | 'hidden'> {
  const rotation = widgetRotation(context, node.dict);
  const characteristics = kind === 'button' ? asDict(context, entry(node.dict, 'MK')) : undefined;
  const caption = characteristics === undefined ? '' : (asText(context, entry(characteristics, 'CA')) ?? '').trim();
  const hidden = ((asNumber(context, entry(node.dict, 'F')) ?? 0) & NOT_SHOWN) !== 0;
  return {
    ...(kind === 'text' || kind === 'combobox' || kind === 'listbox'
      ? { alignment: ALIGNMENTS[alignmentOf(context, node)] }
      : {}),
    ...(rotation === 0 ? {} : { rotation }),
    ...(caption === '' ? {} : { caption: caption.slice(0, LONGEST_SHARED) }),
    ...(hidden ? { hidden } : {}),
  };
}

/** Undefined for a widget without a box, or outside of the crop box. */
function locate(
  { box, pageIndex, exportValue, fontSize }: FormWidget,
  [left, bottom, right, top]: readonly [number, number, number, number],
): Omit<LocatedWidget, 'tabOrder'> | undefined {
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

function inReadingOrder(fields: readonly LocatedField[]): LocatedField[] {
  const shown = fields
    .flatMap((field) => (field.widgets?.[0] === undefined ? [] : [{ field, ...field.widgets[0] }]))
    .sort((a, b) => a.pageIndex - b.pageIndex || a.y - b.y);
  return [
    ...inLines(
      shown,
      (first, one) => first.pageIndex === one.pageIndex && one.y - first.y <= LINE,
      ({ x }) => x,
    ).map(({ field }) => field),
    ...fields.filter(({ widgets }) => widgets === undefined),
  ];
}
