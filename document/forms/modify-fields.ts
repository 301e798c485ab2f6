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
import { type FieldKind, type FormField, type FormModel, readForm } from './form-model.js';
import { namingField, optionList, putValue, showValue } from './put-value.js';
import { valuedNode } from './form-nodes.js';
import { FieldReader, OFF } from './read-field.js';
import { renewForm } from './renew-form.js';
import { type PlainKind, replaceField } from './replace-field.js';

/** What is to change of a field; what is absent stays. */
export interface FieldUpdate {
  /** Full or partial name, as the document has it. */
  readonly target: string;
  /** New partial name; without periods. */
  readonly name?: string;
  /** Alternate name; blank takes it away. */
  readonly label?: string;
  /** What the field becomes; `undefined` behind a name that is none of a kind. */
  readonly type?: string;
  readonly required?: boolean;
  /** Of list boxes. */
  readonly multiSelect?: boolean;
  /** Of choices: stored as they are shown. */
  readonly options?: readonly string[];
  /** The value that it has from now on; blank clears it. */
  readonly defaultValue?: string;
  /** What is shown when pointed at; blank takes it away. */
  readonly tooltip?: string;
  /** JSON pointer of the update in what the caller sent, for errors. */
  readonly pointer: string;
}

/** What became of updates. */
export interface ModificationReport {
  /** How many fields changed. */
  readonly changed: number;
  /** Names that no field has. */
  readonly unknown: readonly string[];
  /** Targets that stay as they are: shown nowhere, or to become of no known type. */
  readonly skipped: readonly string[];
  /** New full names that are not those asked for, since another field has them. */
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
 * Changes fields, in place (`docs/interface/form.yml`, form/modify-fields): name, label, tooltip, options, value and
 * flags; one of another type replaces the field at its first widget. What changed is drawn anew; names of fields in
 * actions, scripts and locks follow. A document without a form stays as it is. Errors: INPUT_INVALID for a name with a
 * period, and for a value that the field does not take, naming both and the update.
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
  /** What fields are now, by what they were, and by names that they got. */
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
      await renewForm(
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

  /** The field as its dictionary has it now. */
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
        `the name "${wanted.slice(0, 60)}" has a period in it; periods stand between the names of fields ` +
          'within each other (ISO 32000-1, 12.7.3.2)',
      );
    const path = field.name.slice(0, field.name.length - field.partialName.length);
    this.#count(field.name, -1);
    let free = wanted;
    for (let n = 1; this.#names.has(path + free); n++) free = `${wanted}_${n}`;
    if (free !== wanted) this.#renamed.add(path + free);
    this.#count(path + free, 1);
    setEntry(field.node.dict, 'T', PDFHexString.fromText(free));
    // Of several fields of one name, the others go on being called so.
    if (!this.#names.has(field.name)) this.#paths.set(original.name, path + free);
    this.#given.set(path + free, original);
  }

  #count(name: string, by: 1 | -1): void {
    const count = (this.#names.get(name) ?? 0) + by;
    if (count > 0) this.#names.set(name, count);
    else this.#names.delete(name);
  }

  /**
   * The value asked for, or the one that was there where it still can be. Whose value cannot have changed looks as it
   * did.
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
    // What is not chosen in form/fill keeps the choice; here it takes it away.
    if (plan.kind === 'keep' && blank && field.kind === 'radio')
      plan = { kind: 'state', state: OFF, chosen: new Set(), stateOf: ({ onState }) => onState ?? OFF };
    putValue(field, plan);
    // The document's own texts may have characters that no font has; the caller could not help it.
    this.#fonts.missing = defaultValue === undefined && options === undefined ? 'replace' : 'refuse';
    await namingField(field, pointer, () => showValue(this.#context, field, plan, this.#fonts));
  }
}

/** The kind that a field of this one becomes; undefined for a name that is none. */
function kindOf(type: string, own: FieldKind): FieldKind | undefined {
  const name = type.trim().toLowerCase();
  return name === own ? own : plain[name];
}

/**
 * Label and tooltip are one entry where a field and its widget are one dictionary; the tooltip wins, unless it is to go
 * and the label to be.
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
  // Read anew: an update may set several.
  const flags = Math.trunc(asNumber(context, fieldAttribute(node, 'Ff')) ?? 0);
  const now = on ? flags | fieldFlags[flag] : flags & ~fieldFlags[flag];
  if (now !== flags) setEntry(node.dict, 'Ff', PDFNumber.of(now));
}

/** What is no option any more goes as a value to come back to. */
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
