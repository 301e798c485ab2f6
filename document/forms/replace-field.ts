import { type PDFContext, type PDFDict, PDFHexString, PDFNumber, PDFString } from 'pdf-lib';
import { arrayOf, asDict, asText, elements, entry, setEntry } from '../file/objects/index.js';
import type { PageEntry } from '../structure/pages/index.js';
import { acroFormOf, fieldAttribute, type FieldNode } from './fields/index.js';
import { dropAnnotationsAndReferences } from '../structure/annotations/index.js';
import { dropPermissions } from '../signatures/fields/index.js';
import { dropFromForm } from '../structure/annotations/drop-annotations.js';
import { addUnlistedFields } from './add-unlisted-fields.js';
import { parseDefaultAppearance } from './appearance/default-appearance.js';
import { fieldFlags } from './field-flags.js';
import type { FormField } from './form-model.js';
import { completeFormStyle, optionList } from './put-value.js';

/** Types that a field can be changed to. */
export type PlainKind = 'text' | 'checkbox' | 'combobox' | 'listbox';

/** Entries that belong to the old type of field; the rectangle, frame and tags of the widget are kept. */
const OF_KIND = [
  'FT',
  'Ff',
  'V',
  'DV',
  'RV',
  'DS',
  'Opt',
  'I',
  'TI',
  'MaxLen',
  'AA',
  'A',
  'AP',
  'AS',
  'H',
  'Lock',
  'SV',
  'T',
  'TU',
  'TM',
  'Kids',
  'Parent',
] as const;
const types: Readonly<Record<PlainKind, 'Tx' | 'Btn' | 'Ch'>> = {
  text: 'Tx',
  checkbox: 'Btn',
  combobox: 'Ch',
  listbox: 'Ch',
};

/**
 * Replaces a field with one of another type, in place, which reuses its first widget: the rectangle, frame, tags and
 * position in the form stay; other widgets are removed. It keeps the name, the label, the required flag and any options
 * (for radio buttons their export values), but has no value and no appearance yet; scripts of the old field are
 * removed. Returns the node of the new field; undefined if the widget is not an indirect object.
 */
export function replaceField(
  context: PDFContext,
  pages: readonly PageEntry[],
  field: FormField,
  kind: PlainKind,
): FieldNode | undefined {
  const {
    node,
    widgets: [first, ...others],
  } = field;
  const form = acroFormOf(context);
  if (first === undefined || form === undefined || first.node.ref === undefined) return undefined;
  const { dict, ref } = first.node;
  const attribute = (key: string): ReturnType<typeof fieldAttribute> => fieldAttribute(first.node, key);
  const [label, mapping, style, alignment] = [
    entry(node.dict, 'TU') ?? entry(dict, 'TU'),
    entry(node.dict, 'TM'),
    asText(context, attribute('DA')),
    attribute('Q'),
  ];
  const signed = field.kind === 'signature' && asDict(context, attribute('V')) !== undefined;
  const options =
    field.options.length > 0
      ? (entry(node.dict, 'Opt') ?? attribute('Opt'))
      : optionList(context, [
          ...new Set(field.kind === 'radio' ? field.widgets.flatMap(({ exportValue }) => exportValue ?? []) : []),
        ]);
  if (node.dict !== dict) putInPlace(context, form, node, first.node);
  for (const key of OF_KIND) setEntry(dict, key, undefined);
  const caption = asDict(context, entry(dict, 'MK'));
  if (caption !== undefined) for (const key of ['CA', 'RC', 'AC']) setEntry(caption, key, undefined);
  setEntry(dict, 'FT', context.obj(types[kind]));
  setEntry(dict, 'T', PDFHexString.fromText(field.partialName));
  setEntry(
    dict,
    'Ff',
    PDFNumber.of(
      (field.flags & (fieldFlags.readOnly | fieldFlags.required | fieldFlags.noExport)) |
        (kind === 'combobox' ? fieldFlags.combo : 0),
    ),
  );
  setEntry(dict, 'TU', label);
  setEntry(dict, 'TM', mapping);
  if (node.parent?.ref !== undefined) setEntry(dict, 'Parent', node.parent.ref);
  if (kind === 'combobox' || kind === 'listbox') setEntry(dict, 'Opt', options);
  // The font of check marks has no letters.
  const isMarked = ['checkbox', 'radio', 'button'].includes(field.kind) && kind !== 'checkbox';
  if (style !== undefined)
    setEntry(dict, 'DA', PDFString.of(isMarked ? `/Helv 0 Tf ${parseDefaultAppearance(style).colour}` : style));
  if (alignment !== undefined) setEntry(dict, 'Q', alignment);
  if (others.length > 0) {
    const gone = new Set(others.map((widget) => widget.node.dict));
    dropAnnotationsAndReferences(context, pages, (annotation) => gone.has(annotation.dict));
    dropFromForm(context, gone);
  }
  const order = elements(context, entry(form, 'CO'));
  const calculated = order.filter((value) => ![dict, node.dict].includes(asDict(context, value) ?? form));
  if (calculated.length < order.length)
    setEntry(form, 'CO', calculated.length > 0 ? arrayOf(context, calculated) : undefined);
  if (signed) dropPermissions(context);
  const replaced: FieldNode = { ref, dict, parent: node.parent, children: [] };
  if (field.unlisted) addUnlistedFields(context, [{ ...field, node: replaced }]);
  completeFormStyle(context, [{ ...field, node: replaced, widgets: [] }], isMarked);
  return replaced;
}

/** Puts a widget at its field's position in the tree. */
function putInPlace(context: PDFContext, form: PDFDict, field: FieldNode, widget: FieldNode): void {
  const [owner, key] = field.parent === undefined ? [form, 'Fields'] : [field.parent.dict, 'Kids'];
  const ref = widget.ref;
  if (ref === undefined) return;
  setEntry(
    owner,
    key,
    arrayOf(
      context,
      elements(context, entry(owner, key)).map((value) => (asDict(context, value) === field.dict ? ref : value)),
    ),
  );
}
