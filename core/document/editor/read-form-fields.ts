import { type PDFContext, PDFArray, type PDFDict, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import { asName, asNumber, asText, elements, entry, isString, nameText, resolve } from '../objects/index.js';
import { parseDefaultAppearance } from '../forms/index.js';
import { boxOf, type PageEntry } from '../pages/index.js';
import { acroFormOf, allFieldNodes, fieldAttribute, type FieldNode, fullName, isField, partialName, readFields } from '../parts/index.js';
import type { JsonField } from './model.js';
import { pageSpace } from './page-space.js';
import { shownBox } from './read-annotations.js';
import { dropUndefined } from './read-fonts.js';
import type { RawWriter } from './raw-writer.js';

/** Fields that are told. */
const MAX_FIELDS = 50_000;

/** The objects of the form's fields, which are told as fields. */
export function fieldRefs(context: PDFContext): PDFRef[] {
  return [...allFieldNodes(readFields(context))].flatMap((node) => (node.ref !== undefined && isValued(node) ? [node.ref] : []));
}

/** True for a field that holds a value itself: one that is no mere name above others. */
export function isValued(node: FieldNode): boolean {
  return isField(node) && !node.children.some(isField);
}

/** Tells of the fields that hold values, in the order of the form (ISO 32000-1, 12.7). */
export function* tellFields(context: PDFContext, pages: readonly PageEntry[], raw?: RawWriter): Generator<JsonField> {
  const places = widgetPlaces(context, pages);
  const form = acroFormOf(context);
  let count = 0;
  for (const node of allFieldNodes(readFields(context))) {
    if (!isValued(node)) continue;
    if (++count > MAX_FIELDS) return;
    const widget = [node, ...node.children].find(({ dict }) => places.has(dict));
    const place = widget === undefined ? undefined : places.get(widget.dict);
    const page = place === undefined ? undefined : pages[place];
    const kind = asName(context, fieldAttribute(node, 'FT'));
    const value = resolve(context, fieldAttribute(node, 'V'));
    const state = widget === undefined ? undefined : asName(context, entry(widget.dict, 'AS'));
    const flags = asNumber(context, fieldAttribute(node, 'Ff'));
    const appearance = asText(context, fieldAttribute(node, 'DA') ?? (form === undefined ? undefined : entry(form, 'DA')));
    const style = appearance === undefined ? undefined : parseDefaultAppearance(appearance);
    const isButton = kind === 'Btn' && ((flags ?? 0) & (1 << 16)) === 0;
    yield dropUndefined<JsonField>({
      name: fullName(context, node), partialName: partialName(context, node.dict), fieldType: kind,
      value: valueText(context, value), defaultValue: valueText(context, resolve(context, fieldAttribute(node, 'DV'))), flags,
      alternateFieldName: asText(context, fieldAttribute(node, 'TU')), mappingName: asText(context, fieldAttribute(node, 'TM')),
      pageNumber: place === undefined ? undefined : place + 1,
      rect: page === undefined || widget === undefined ? undefined : shownBox(boxOf(context, entry(widget.dict, 'Rect')), pageSpace(context, page)),
      options: elements(context, fieldAttribute(node, 'Opt')).map((option) => optionText(context, option)),
      selectedIndices: elements(context, fieldAttribute(node, 'I')).flatMap((index) => asNumber(context, index) ?? []),
      checked: isButton ? (valueText(context, value) ?? state ?? 'Off') !== 'Off' : undefined,
      fontName: style?.font === '' ? undefined : style?.font, fontSize: style?.size,
      rawData: raw?.tree(node.ref ?? node.dict, OMITTED),
    });
  }
}

/** As of annotations, which many fields are. */
const OMITTED: ReadonlySet<string> = new Set(['P']);

/** Which page shows an annotation. */
function widgetPlaces(context: PDFContext, pages: readonly PageEntry[]): Map<PDFDict, number> {
  const places = new Map<PDFDict, number>();
  for (const [place, { dict }] of pages.entries()) {
    for (const value of elements(context, entry(dict, 'Annots'))) {
      const annotation = resolve(context, value);
      if (annotation !== undefined && !places.has(annotation as PDFDict)) places.set(annotation as PDFDict, place);
    }
  }
  return places;
}

/** What a field holds, as text; several choices stand each in a line. */
export function valueText(context: PDFContext, value: PDFObject | undefined): string | undefined {
  if (value instanceof PDFName) return nameText(value);
  if (isString(value)) return asText(context, value);
  return value instanceof PDFArray ? value.asArray().map((item) => valueText(context, resolve(context, item)) ?? '').join('\n') : undefined;
}

/** The text of a choice that is shown: options may have a value beside it (ISO 32000-1, table 231). */
function optionText(context: PDFContext, option: PDFObject): string {
  const [exported, shown] = elements(context, option);
  return asText(context, shown) ?? asText(context, exported) ?? asText(context, option) ?? '';
}
