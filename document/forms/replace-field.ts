import { type PDFContext, type PDFDict, PDFHexString, PDFNumber, PDFString } from 'pdf-lib';
import { arrayOf, asDict, asText, elements, entry, setEntry } from '../file/objects/index.js';
import type { PageEntry } from '../structure/pages/index.js';
import { acroFormOf, fieldAttribute, type FieldNode } from './fields/index.js';
import { dropAnnotationsWhole } from '../structure/annotations/index.js';
import { dropPermissions } from '../signatures/fields/index.js';
import { dropFromForm } from '../structure/annotations/drop-annotations.js';
import { adoptLoose } from './adopt-loose.js';
import { parseDefaultAppearance } from './appearance/default-appearance.js';
import { fieldFlags } from './field-flags.js';
import type { FormField } from './form-model.js';
import { completeFormStyle, optionList } from './put-value.js';

/** Kinds that a field can become. */
export type PlainKind = 'text' | 'checkbox' | 'combobox' | 'listbox';

/** What belongs to the kind of field that a widget was of; its place, its frame and its tags stay. */
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
 * Makes a field of another kind out of the first widget of one, in place: at its rectangle, with its frame, tags and
 * place in the form; other widgets go. Name, label, and whether it must be filled in stay; options where it had any,
 * and export values of radio buttons as such. It has no value and shows nothing yet; scripts of the old kind go. Gives
 * the dictionary's node; undefined for a widget that is no object of its own.
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
  // The font of marks has no letters.
  const isMarked = ['checkbox', 'radio', 'button'].includes(field.kind) && kind !== 'checkbox';
  if (style !== undefined)
    setEntry(dict, 'DA', PDFString.of(isMarked ? `/Helv 0 Tf ${parseDefaultAppearance(style).colour}` : style));
  if (alignment !== undefined) setEntry(dict, 'Q', alignment);
  if (others.length > 0) {
    const gone = new Set(others.map((widget) => widget.node.dict));
    dropAnnotationsWhole(context, pages, (annotation) => gone.has(annotation.dict));
    dropFromForm(context, gone);
  }
  const order = elements(context, entry(form, 'CO'));
  const calculated = order.filter((value) => ![dict, node.dict].includes(asDict(context, value) ?? form));
  if (calculated.length < order.length)
    setEntry(form, 'CO', calculated.length > 0 ? arrayOf(context, calculated) : undefined);
  if (signed) dropPermissions(context);
  const replaced: FieldNode = { ref, dict, parent: node.parent, children: [] };
  if (field.loose) adoptLoose(context, [{ ...field, node: replaced }]);
  completeFormStyle(context, [{ ...field, node: replaced, widgets: [] }], isMarked);
  return replaced;
}

/** Puts a widget where its field was in the tree. */
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
