import {
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from 'pdf-lib';
import { applyTo } from '../../index.js';
import {
  addUnlistedFields,
  FieldFonts,
  formNodes,
  onStateOf,
  refreshAppearance,
  stateName,
  type ValuedNode,
  valuedNodes,
} from '../../../forms/index.js';
import {
  arrayOf,
  asDict,
  asName,
  asText,
  catalogOf,
  dictOf,
  elements,
  entry,
  keyName,
  resolve,
  setEntry,
} from '../../../file/objects/index.js';
import type { PageEntry } from '../../../structure/pages/index.js';
import { acroFormOf, fieldAttribute, type FieldNode, fullName } from '../../../forms/fields/index.js';
import type { JsonField, RawObject } from '../model.js';
import { pageSpace } from '../page-space.js';
import type { RawReader } from '../raw-reader.js';
import { fieldTeller, valueText } from '../reading/read-form-fields.js';

/** Fields above a field. */
const MAX_PARENTS = 100;

/** Creates the form of a new document: its dictionary, and the fields of the JSON with their parents. */
export function buildForm(
  context: PDFContext,
  raw: RawReader,
  form: RawObject | undefined,
  fields: readonly JsonField[],
  pages: readonly PageEntry[],
): void {
  const catalog = catalogOf(context);
  if (catalog === undefined || (fields.length === 0 && form === undefined)) return;
  const dict =
    form?.entries === undefined
      ? PDFDict.withContext(context)
      : raw.dict(form.entries, new Set(['Fields', 'XFA', 'SigFlags', 'CO']));
  raw.settle();
  const roots = new Set<PDFObject>();
  for (const field of fields) {
    const value = field.rawData === undefined ? madeField(context, field, pages) : raw.value(field.rawData);
    raw.settle();
    const own = asDict(context, value);
    if (own === undefined || value === undefined) continue;
    // The signed bytes were another document's.
    if (asName(context, entry(own, 'FT')) === 'Sig')
      for (const key of ['V', 'Lock', 'SV']) setEntry(own, key, undefined);
    roots.add(rootOf(context, value instanceof PDFRef ? value : context.register(own)));
  }
  if (roots.size === 0) return;
  setEntry(dict, 'Fields', arrayOf(context, roots));
  if (entry(dict, 'DA') === undefined) setEntry(dict, 'DA', PDFString.of('/Helv 0 Tf 0 g'));
  setEntry(catalog, 'AcroForm', context.register(dict));
}

function rootOf(context: PDFContext, field: PDFRef): PDFObject {
  let root = field;
  const seen = new Set<PDFRef>([field]);
  for (let above = 0; above < MAX_PARENTS; above++) {
    const parent = entry(asDict(context, root)!, 'Parent');
    if (!(parent instanceof PDFRef) || seen.has(parent) || asDict(context, parent) === undefined) break;
    seen.add(parent);
    root = parent;
  }
  return root;
}

/** A field of its members alone: text, or a choice out of a list. */
function madeField(context: PDFContext, field: JsonField, pages: readonly PageEntry[]): PDFRef | undefined {
  const page = pages[(field.pageNumber ?? 0) - 1];
  const { rect, fieldType = 'Tx' } = field;
  const name = field.partialName ?? field.name?.split('.').at(-1);
  if (page === undefined || rect === undefined || name === undefined || (fieldType !== 'Tx' && fieldType !== 'Ch'))
    return undefined;
  const { user } = pageSpace(context, page);
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const corners = [...applyTo(user, left, bottom), ...applyTo(user, right, top)];
  const options = field.options ?? [];
  const ref = context.register(
    dictOf(context, {
      Type: PDFName.of('Annot'),
      Subtype: PDFName.of('Widget'),
      FT: PDFName.of(fieldType),
      T: PDFHexString.fromText(name),
      P: page.ref,
      F: PDFNumber.of(4),
      Rect: arrayOf(
        context,
        corners.map((side) => PDFNumber.of(side)),
      ),
      Ff: PDFNumber.of(field.flags ?? 0),
      DA: PDFString.of(`/Helv ${Math.max(0, field.fontSize ?? 0)} Tf 0 g`),
      ...(fieldType === 'Ch' && options.length > 0
        ? {
            Opt: arrayOf(
              context,
              options.map((option) => PDFHexString.fromText(option)),
            ),
          }
        : {}),
    }),
  );
  setEntry(page.dict, 'Annots', arrayOf(context, [...elements(context, entry(page.dict, 'Annots')), ref]));
  return ref;
}

/**
 * Sets fields to the values of the JSON that differ from the document's, and redraws them. Fields are found by their
 * full names; entries without a name or with another type are skipped. Throws INPUT_INVALID for characters that no font
 * has.
 */
export async function editFields(
  document: PDFDocument,
  pages: readonly PageEntry[],
  fields: readonly JsonField[],
): Promise<void> {
  if (fields.length === 0 || acroFormOf(document.context) === undefined) return;
  const { context } = document;
  // Fields with the same name are matched by their order.
  const nodes = formNodes(context, pages);
  const known = inOrder(valuedNodes(context, nodes), ({ node }) => fullName(context, node));
  const tell = fieldTeller(context, pages, nodes.pageOf);
  const asked = inOrder(fields, ({ name = '' }) => name);
  const fonts = new FieldFonts(document, 'replace');
  for (const [key, now] of asked) {
    const field = known.get(key);
    if (field === undefined) continue;
    const [{ node, widgets }, was] = [field, tell(field)];
    const { dict } = node;
    if (now.alternateFieldName !== undefined && now.alternateFieldName !== was.alternateFieldName)
      setEntry(dict, 'TU', PDFHexString.fromText(now.alternateFieldName));
    if (now.mappingName !== undefined && now.mappingName !== was.mappingName)
      setEntry(dict, 'TM', PDFHexString.fromText(now.mappingName));
    if (now.flags !== undefined && now.flags !== (was.flags ?? 0)) setEntry(dict, 'Ff', PDFNumber.of(now.flags));
    if (now.defaultValue !== undefined && now.defaultValue !== was.defaultValue)
      setEntry(dict, 'DV', valueOf(context, node, now.defaultValue));
    const value = newValue(context, field, was, now);
    if (value === undefined) continue;
    setEntry(dict, 'V', value);
    setEntry(dict, 'RV', undefined);
    if (now.selectedIndices !== undefined)
      setEntry(
        dict,
        'I',
        arrayOf(
          context,
          now.selectedIndices.map((index) => PDFNumber.of(index)),
        ),
      );
    for (const widget of widgets) await renew(context, widget, fonts);
    addUnlistedFields(context, [field]);
  }
  fonts.embed();
}

/** Things by their names, the second of one name after the first. */
function inOrder<T>(things: Iterable<T>, nameOf: (thing: T) => string): Map<string, T> {
  const named = new Map<string, T>();
  const counts = new Map<string, number>();
  for (const thing of things) {
    const name = nameOf(thing);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    named.set(`${count} ${name}`, thing);
  }
  return named;
}

async function renew(context: PDFContext, widget: FieldNode, fonts: FieldFonts): Promise<void> {
  if (asName(context, entry(widget.dict, 'Subtype')) !== 'Widget') return;
  if (asName(context, fieldAttribute(widget, 'FT')) !== 'Btn') return refreshAppearance(context, widget, fonts);
  // A button has a picture of each state; the value names one of them.
  const states = asDict(context, entry(asDict(context, entry(widget.dict, 'AP')) ?? PDFDict.withContext(context), 'N'));
  const value = valueText(context, resolve(context, fieldAttribute(widget, 'V'))) ?? 'Off';
  setEntry(widget.dict, 'AS', PDFName.of(states?.has(keyName(value)) === true ? value : 'Off'));
}

/** The value that a field gets; undefined where it stays. */
function newValue(
  context: PDFContext,
  { node, widgets }: ValuedNode,
  was: JsonField,
  now: JsonField,
): PDFObject | undefined {
  if (asName(context, fieldAttribute(node, 'FT')) === 'Sig') return undefined;
  if (now.value !== undefined && now.value !== was.value) return valueOf(context, node, now.value);
  if (now.checked === undefined || was.checked === undefined || now.checked === was.checked) return undefined;
  return stateName(now.checked ? (widgets.flatMap(({ dict }) => onStateOf(context, dict) ?? [])[0] ?? 'Yes') : 'Off');
}

function valueOf(context: PDFContext, node: FieldNode, value: string): PDFObject {
  const kind = asName(context, fieldAttribute(node, 'FT'));
  if (kind === 'Btn') return PDFName.of(value.replaceAll('#', '#23'));
  const lines = value.split('\n');
  if (kind !== 'Ch' || lines.length === 1)
    return PDFHexString.fromText(kind === 'Ch' ? exported(context, node, value) : value);
  return arrayOf(
    context,
    lines.map((line) => PDFHexString.fromText(exported(context, node, line))),
  );
}

/** The value of an option by what is shown of it. */
function exported(context: PDFContext, node: FieldNode, shown: string): string {
  for (const option of elements(context, fieldAttribute(node, 'Opt'))) {
    const [value, text] = elements(context, option);
    if (text !== undefined && asText(context, text) === shown) return asText(context, value) ?? shown;
  }
  return shown;
}
