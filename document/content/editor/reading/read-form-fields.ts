import { type PDFContext, PDFArray, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import { asName, asNumber, asText, elements, entry, isString, nameText, resolve } from '../../../file/objects/index.js';
import {
  formNodes,
  type FormNodes,
  parseDefaultAppearance,
  type ValuedNode,
  valuedNodes,
} from '../../../forms/index.js';
import { boxOf, type PageEntry } from '../../../structure/pages/index.js';
import { acroFormOf, fieldAttribute, fullName, partialName } from '../../../forms/fields/index.js';
import type { JsonField } from '../model.js';
import { pageSpace } from '../page-space.js';
import { shownBox } from './read-annotations.js';
import { dropUndefined } from './read-fonts.js';
import type { RawWriter } from '../raw-writer.js';

/** Most fields that are exported. */
const MAX_FIELDS = 50_000;

/** Objects of the form's fields, which are exported as fields. */
export function fieldRefs(context: PDFContext, pages: readonly PageEntry[]): PDFRef[] {
  return [...valuedNodes(context, formNodes(context, pages))].flatMap(({ node }) => node.ref ?? []);
}

/** Exports the fields with values, in the order of the form (ISO 32000-1, 12.7). */
export function* tellFields(context: PDFContext, pages: readonly PageEntry[], raw?: RawWriter): Generator<JsonField> {
  if (acroFormOf(context) === undefined) return;
  const nodes = formNodes(context, pages);
  const tell = fieldTeller(context, pages, nodes.pageOf, raw);
  let count = 0;
  for (const valued of valuedNodes(context, nodes)) {
    if (++count > MAX_FIELDS) return;
    yield tell(valued);
  }
}

/** Returns a function that exports one field; `pageOf` returns the 0-based page of a widget, or -1. */
export function fieldTeller(
  context: PDFContext,
  pages: readonly PageEntry[],
  pageOf: FormNodes['pageOf'],
  raw?: RawWriter,
): (field: ValuedNode) => JsonField {
  const form = acroFormOf(context);
  return ({ node, widgets }) => {
    const widget = widgets.find(({ dict }) => pageOf(dict) >= 0);
    const place = widget === undefined ? undefined : pageOf(widget.dict);
    const page = place === undefined ? undefined : pages[place];
    // Some writers say of what type a field is in its widgets alone.
    const kind = asName(context, fieldAttribute(node, 'FT') ?? fieldAttribute(widgets[0] ?? node, 'FT'));
    const value = resolve(context, fieldAttribute(node, 'V'));
    const state = widget === undefined ? undefined : asName(context, entry(widget.dict, 'AS'));
    const flags = asNumber(context, fieldAttribute(node, 'Ff'));
    const appearance = asText(
      context,
      fieldAttribute(node, 'DA') ?? (form === undefined ? undefined : entry(form, 'DA')),
    );
    const style = appearance === undefined ? undefined : parseDefaultAppearance(appearance);
    const isButton = kind === 'Btn' && ((flags ?? 0) & (1 << 16)) === 0;
    return dropUndefined<JsonField>({
      name: fullName(context, node),
      partialName: partialName(context, node.dict),
      fieldType: kind,
      value: valueText(context, value),
      defaultValue: valueText(context, resolve(context, fieldAttribute(node, 'DV'))),
      flags,
      alternateFieldName: asText(context, fieldAttribute(node, 'TU')),
      mappingName: asText(context, fieldAttribute(node, 'TM')),
      pageNumber: place === undefined ? undefined : place + 1,
      rect:
        page === undefined || widget === undefined
          ? undefined
          : shownBox(boxOf(context, entry(widget.dict, 'Rect')), pageSpace(context, page)),
      options: elements(context, fieldAttribute(node, 'Opt')).map((option) => optionText(context, option)),
      selectedIndices: elements(context, fieldAttribute(node, 'I')).flatMap((index) => asNumber(context, index) ?? []),
      checked: isButton ? (valueText(context, value) ?? state ?? 'Off') !== 'Off' : undefined,
      fontName: style?.font === '' ? undefined : style?.font,
      fontSize: style?.size,
      rawData: raw?.tree(node.ref ?? node.dict, OMITTED),
    });
  };
}

/** As of annotations, which many fields are. */
const OMITTED: ReadonlySet<string> = new Set(['P']);

/** Value of a field as text; several choices are on separate lines. */
export function valueText(context: PDFContext, value: PDFObject | undefined): string | undefined {
  if (value instanceof PDFName) return nameText(value);
  if (isString(value)) return asText(context, value);
  return value instanceof PDFArray
    ? value
        .asArray()
        .map((item) => valueText(context, resolve(context, item)) ?? '')
        .join('\n')
    : undefined;
}

/** The text of a choice that is shown: options may have a value beside it (ISO 32000-1, table 231). */
function optionText(context: PDFContext, option: PDFObject): string {
  const [exported, shown] = elements(context, option);
  return asText(context, shown) ?? asText(context, exported) ?? asText(context, option) ?? '';
}
