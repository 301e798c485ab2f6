import { type PDFContext, PDFHexString, PDFNumber } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { asNumber, asText, elements, entry, setEntry } from '../file/objects/index.js';
import type { OpenedPdf } from '../file/open/index.js';
import { dropXfa, fieldAttribute, fullName, partialName } from './fields/index.js';
import { fieldFlags } from './field-flags.js';
import { FieldFonts } from './appearance/field-fonts.js';
import { renameReferences } from './field-references.js';
import { type FieldInput, planValue } from './field-values.js';
import { FieldFinder } from './find-fields.js';
import type { FieldKind, FormField, FormModel } from './form-model.js';
import { readForm } from './read-form.js';
import { withFieldName, optionList, putValue, showValue } from './put-value.js';
import { valuedNode } from './form-nodes.js';
import { FieldReader, OFF } from './read-field.js';
import { refreshAppearances } from './refresh-appearances.js';
import { type PlainKind, replaceField } from './replace-field.js';

/** Changes to a field; absent members stay as they are. */
export interface FieldUpdate {
  /** Full or partial name in the document. */
  readonly target: string;
  /** New partial name, without periods. */
  readonly name?: string;
  /** Alternate name; a blank one removes it. */
  readonly label?: string;
  /** New type of the field. Fields with an unknown type are skipped. */
  readonly type?: string;
  readonly required?: boolean;
  /** For list boxes. */
  readonly multiSelect?: boolean;
  /** For choice fields: the stored values equal the labels. */
  readonly options?: readonly string[];
  /** New value of the field; a blank one clears it. */
  readonly defaultValue?: string;
  /** Text shown on hover; a blank one removes it. */
  readonly tooltip?: string;
  /** JSON pointer to the update in the caller's input, for errors. */
  readonly pointer: string;
}

export interface ModificationReport {
  /** Number of changed fields. */
  readonly changed: number;
  /** Names that no field has. */
  readonly unknown: readonly string[];
  /** Names of unchanged fields: they are on no page, or the new type is unknown. */
  readonly skipped: readonly string[];
  /** New full names that differ from the requested ones because another field has that name. */
  readonly renamed: readonly string[];
  readonly xfaRemoved: boolean;
}

const plain: Readonly<Record<string, PlainKind>> = {
  text: 'text',
  checkbox: 'checkbox',
  combobox: 'combobox',
  listbox: 'listbox',
  radio: 'text',
  button: 'text',
  signature: 'text',
};

/**
 * Changes fields in place (`docs/interface/form.yml`, form/modify-fields): name, label, tooltip, options, value and
 * flags. A field that changes its type is replaced at its first widget. Changed fields are drawn again; references by
 * name in actions, scripts and locks are updated. A document without a form is left unchanged. Throws INPUT_INVALID for
 * a name with a period and for a value that the field does not accept; the error names the field and the update.
 */
export async function modifyFields(
  opened: OpenedPdf,
  updates: readonly FieldUpdate[],
  signal?: AbortSignal,
): Promise<ModificationReport> {
  const work = new Modification(opened);
  for (const update of updates) {
    signal?.throwIfAborted();
    await work.apply(update);
  }
  return work.finish();
}

class Modification {
  readonly #form: FormModel | undefined;
  readonly #finder: FieldFinder;
  readonly #names = new Map<string, number>();
  /** The current fields, by the original ones, and the original fields by their new names. */
  readonly #now = new Map<FormField, FormField>();
  readonly #given = new Map<string, FormField>();
  readonly #paths = new Map<string, string>();
  readonly #unknown = new Set<string>();
  readonly #skipped = new Set<string>();
  readonly #renamed = new Set<string>();
  readonly #changed = new Set<FormField>();
  readonly #fonts: FieldFonts;
  readonly #context: PDFContext;

  constructor(private readonly opened: OpenedPdf) {
    this.#context = opened.document.context;
    this.#fonts = new FieldFonts(opened.document, 'replace');
    this.#form = readForm(opened);
    const fields = this.#form?.fields ?? [];
    this.#finder = new FieldFinder(fields);
    for (const { name } of fields) this.#count(name, 1);
  }

  async apply(update: FieldUpdate): Promise<void> {
    const found = this.#finder.find(update.target);
    const given = this.#given.get(update.target);
    const fields = found.length > 0 ? found : given === undefined ? [] : [given];
    if (fields.length === 0) this.#unknown.add(update.target);
    for (const original of fields) await this.#change(original, update);
  }

  async finish(): Promise<ModificationReport> {
    const done = new Set([...this.#changed].map((field) => this.#now.get(field)?.node.dict));
    if (this.#form !== undefined && done.size > 0)
      await refreshAppearances(
        this.#context,
        this.#form.fields.filter(({ node }) => !done.has(node.dict)),
        this.#fonts,
        {},
      );
    this.#fonts.embed();
    renameReferences(this.#context, this.#paths);
    return {
      changed: this.#changed.size,
      unknown: [...this.#unknown],
      skipped: [...this.#skipped],
      renamed: [...this.#renamed],
      xfaRemoved: this.#changed.size > 0 && dropXfa(this.#context),
    };
  }

  async #change(original: FormField, update: FieldUpdate): Promise<void> {
    const before = this.#now.get(original) ?? original;
    const kind = update.type === undefined ? before.kind : kindOf(update.type, before.kind);
    if (kind === undefined || before.widgets.length === 0) return void this.#skipped.add(before.name);
    const field = kind === before.kind ? before : this.#replaced(before, kind as PlainKind);
    if (field === undefined) return void this.#skipped.add(before.name);
    this.#changed.add(original);
    this.#rename(original, field, update);
    setTexts(field, update);
    if (update.required !== undefined) setFlag(this.#context, field, 'required', update.required);
    if (update.multiSelect !== undefined && kind === 'listbox')
      setFlag(this.#context, field, 'multiSelect', update.multiSelect);
    if (update.options !== undefined && (kind === 'listbox' || kind === 'combobox'))
      setOptions(this.#context, field, update.options);
    const now = this.#read(field);
    this.#now.set(original, now);
    await this.#putValue(now, before, update, field !== before);
    this.#now.set(original, this.#read(now));
  }

  #replaced(field: FormField, kind: PlainKind): FormField | undefined {
    const node = replaceField(this.#context, this.opened.pages, field, kind);
    return node === undefined ? undefined : this.#read({ ...field, node });
  }

  /** Reads the field again from its dictionary. */
  #read(field: FormField): FormField {
    const { node } = field;
    return (
      new FieldReader(this.#context, () => -1).read(
        valuedNode(this.#context, node),
        fullName(this.#context, node),
        partialName(this.#context, node.dict),
      ) ?? field
    );
  }

  #rename(original: FormField, field: FormField, { name, pointer }: FieldUpdate): void {
    const wanted = name?.trim() ?? '';
    if (wanted === '' || wanted === field.partialName) return;
    if (wanted.includes('.'))
      throw refused(
        `${pointer}/name`,
        `the name "${wanted.slice(0, 60)}" contains a period, which would separate a field from its group; use ` +
          'a name without periods (ISO 32000-1, 12.7.3.2)',
      );
    const path = field.name.slice(0, field.name.length - field.partialName.length);
    this.#count(field.name, -1);
    let free = wanted;
    for (let n = 1; this.#names.has(path + free); n++) free = `${wanted}_${n}`;
    if (free !== wanted) this.#renamed.add(path + free);
    this.#count(path + free, 1);
    setEntry(field.node.dict, 'T', PDFHexString.fromText(free));
    // If several fields share the old name, references keep it for the others.
    if (!this.#names.has(field.name)) this.#paths.set(original.name, path + free);
    this.#given.set(path + free, original);
  }

  #count(name: string, by: 1 | -1): void {
    const count = (this.#names.get(name) ?? 0) + by;
    if (count > 0) this.#names.set(name, count);
    else this.#names.delete(name);
  }

  /**
   * Sets the requested value, or the previous one if it is still valid. A field whose value cannot have changed keeps
   * its appearance.
   */
  async #putValue(
    field: FormField,
    before: FormField,
    { defaultValue, options, multiSelect, pointer }: FieldUpdate,
    replaced: boolean,
  ): Promise<void> {
    if (
      defaultValue === undefined &&
      !replaced &&
      (field.kind !== 'listbox' || multiSelect === undefined) &&
      (options === undefined || (field.kind !== 'listbox' && field.kind !== 'combobox'))
    )
      return;
    const kept: FieldInput =
      replaced && before.kind === 'checkbox' && field.kind !== 'checkbox' ? null : (before.values ?? null);
    const blank = defaultValue?.trim() === '';
    let plan = planValue(this.#context, field, defaultValue === undefined ? kept : blank ? null : defaultValue.trim());
    if (plan.kind === 'fault') {
      if (defaultValue !== undefined)
        throw refused(`${pointer}/defaultValue`, `the field "${field.name}" ${plan.fault}`);
      plan = planValue(this.#context, field, null);
    }
    // In form/fill a blank value keeps the choice; here it clears it.
    if (plan.kind === 'keep' && blank && field.kind === 'radio')
      plan = { kind: 'state', state: OFF, chosen: new Set(), stateOf: ({ onState }) => onState ?? OFF };
    putValue(field, plan);
    // Existing text of the document may have characters that no font has; the caller cannot fix that.
    this.#fonts.missing = defaultValue === undefined && options === undefined ? 'replace' : 'refuse';
    await withFieldName(field, pointer, () => showValue(this.#context, field, plan, this.#fonts));
  }
}

/** Returns the new type of a field; undefined for an unknown type. */
function kindOf(type: string, own: FieldKind): FieldKind | undefined {
  const name = type.trim().toLowerCase();
  return name === own ? own : plain[name];
}

/**
 * Label and tooltip are the same entry if a field and its widget are one dictionary. The tooltip then wins, unless only
 * the tooltip is to be cleared.
 */
function setTexts({ node, widgets: [first] }: FormField, { label, tooltip }: FieldUpdate): void {
  const text = (value: string): PDFHexString | undefined =>
    value.trim() === '' ? undefined : PDFHexString.fromText(value.trim());
  const shared = first === undefined || first.node.dict === node.dict;
  if (tooltip !== undefined) setEntry((first?.node ?? node).dict, 'TU', text(tooltip));
  if (label !== undefined && !(shared && tooltip !== undefined && tooltip.trim() !== ''))
    setEntry(node.dict, 'TU', text(label));
}

function setFlag(context: PDFContext, { node }: FormField, flag: keyof typeof fieldFlags, on: boolean): void {
  // Read again because an update may set several flags.
  const flags = Math.trunc(asNumber(context, fieldAttribute(node, 'Ff')) ?? 0);
  const now = on ? flags | fieldFlags[flag] : flags & ~fieldFlags[flag];
  if (now !== flags) setEntry(node.dict, 'Ff', PDFNumber.of(now));
}

/** Sets the options; a default value that is not among them any more is removed. */
function setOptions(context: PDFContext, { node, widgets }: FormField, options: readonly string[]): void {
  const kept = options.map((option) => option.trim()).filter((option) => option !== '');
  setEntry(node.dict, 'Opt', optionList(context, kept));
  for (const key of ['I', 'TI']) setEntry(node.dict, key, undefined);
  for (const { node: widget } of widgets)
    if (widget !== node) for (const key of ['Opt', 'V', 'DV', 'I', 'TI']) setEntry(widget.dict, key, undefined);
  const value = entry(node.dict, 'DV');
  const values = elements(context, value).length > 0 ? elements(context, value) : [value];
  if (value !== undefined && !values.every((one) => kept.includes(asText(context, one) ?? '')))
    setEntry(node.dict, 'DV', undefined);
}

function refused(pointer: string, detail: string): DocumentError {
  return new DocumentError('INPUT_INVALID', { detail }, [{ pointer, detail }]);
}
