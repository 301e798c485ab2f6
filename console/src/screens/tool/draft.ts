import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { ShownOperation, ShownPart } from '@quire/registry';
import { localFaults } from '../../form/checks.ts';
import { checkFiles, repeatedPart, type PickedFile } from './file-checks.ts';
import { forgetDraft, keepDraft, keptDraft } from './kept-draft.ts';
import type { Run } from './run/run.ts';
import { t } from './texts.ts';
import { initialValue, isRequired, isShown, typedValues, type FormValue, type FormValues } from '../../form/values.ts';

let lastFile = 0;

/**
 * What somebody has entered for a tool: kept while the page is open, so that going away and back loses nothing. Values
 * and names of files survive that the page is loaded again.
 */
export class Draft {
  operation: ShownOperation;
  readonly values = signal<FormValues>({});
  readonly files = signal<Readonly<Record<string, readonly PickedFile[]>>>({});
  /** Names of files that were chosen before the page was loaded again, by part; until files are chosen for it. */
  readonly lostFiles = signal<Readonly<Record<string, readonly string[]>>>({});
  /** Fields that somebody changed: only their faults are shown before the first attempt. */
  readonly touched = signal<ReadonlySet<string>>(new Set());
  readonly attempted = signal(false);
  /** What the server says about the values as they are (`pipeline/validate`). */
  readonly checked = signal<Readonly<Record<string, string>>>({});
  /** Faults of the last call, until the field is changed. */
  readonly refused = signal<Readonly<Record<string, string>>>({});
  readonly run = signal<Run | undefined>(undefined);
  readonly typed: ReadonlySignal<Readonly<Record<string, unknown>>>;
  readonly #local: ReadonlySignal<Readonly<Record<string, string>>>;

  /** `keptAs`: under which name it survives a reload, where several drafts have the same operation. */
  constructor(
    operation: ShownOperation,
    private readonly keptAs = operation.path,
  ) {
    this.operation = operation;
    const empty = initialValues(operation);
    const keeper = { ...operation, path: keptAs };
    const kept = keptDraft(keeper, empty);
    this.values.value = { ...empty, ...kept.values };
    this.touched.value = new Set(Object.keys(kept.values));
    this.lostFiles.value = kept.files;
    effect(() => keepDraft(keeper, { values: this.values.value, files: this.#fileNames() }, empty));
    this.typed = computed(() => typedValues(operation, this.values.value));
    this.#local = computed(() => localFaults(operation, this.values.value));
  }

  set(name: string, value: FormValue): void {
    batch(() => {
      this.values.value = { ...this.values.value, [name]: value };
      this.touched.value = new Set([...this.touched.value, name]);
      this.#forgive(name);
    });
  }

  addFiles(part: ShownPart, added: readonly File[], many: boolean): void {
    const picked = added.map((file) => ({ id: ++lastFile, file }));
    const before = many ? (this.files.value[part.field] ?? []) : [];
    this.setFiles(part.field, many ? [...before, ...picked] : picked.slice(-1));
  }

  setFiles(field: string, files: readonly PickedFile[]): void {
    batch(() => {
      this.#forgetFailure(field, files);
      this.files.value = { ...this.files.value, [field]: files };
      this.forgetLost(field);
      this.#forgive(field);
    });
  }

  /** Nobody wants to choose the files of this part again. */
  forgetLost(field: string): void {
    const { [field]: _, ...rest } = this.lostFiles.value;
    this.lostFiles.value = rest;
  }

  /** The tool has run: loading the page again starts with an empty form, unless something is changed before. */
  succeeded(): void {
    forgetDraft(this.keptAs);
  }

  /** Empties the form. */
  reset(values: FormValues = {}): void {
    batch(() => {
      this.values.value = { ...initialValues(this.operation), ...values };
      this.files.value = {};
      this.lostFiles.value = {};
      this.touched.value = new Set();
      this.attempted.value = false;
      this.checked.value = {};
      this.refused.value = {};
    });
  }

  /** The fault to show at a field; undefined while there is none, or nobody has been there yet. */
  faultOf(name: string): string | undefined {
    const refused = this.refused.value[name];
    if (refused !== undefined) return refused;
    if (!this.touched.value.has(name) && !this.attempted.value) return undefined;
    return this.#local.value[name] ?? this.checked.value[name];
  }

  /** The fault to show at a file part. */
  fileFault(part: ShownPart): string | undefined {
    const fault = this.refused.value[part.field] ?? this.#filesFault(part);
    if (fault !== undefined) return fault;
    const isMissing = (this.files.value[part.field] ?? []).length === 0 && isRequired(part, this.typed.value);
    return isMissing && this.attempted.value ? t('Choose a file.') : undefined;
  }

  /** Names of fields and file parts that keep the tool from running. */
  get faulty(): readonly string[] {
    const parts = this.shownParts.filter((part) => {
      const files = this.files.value[part.field] ?? [];
      return (files.length === 0 && isRequired(part, this.typed.value)) || this.#filesFault(part) !== undefined;
    });
    return [...parts.map(({ field }) => field), ...Object.keys(this.#local.value)];
  }

  get localFaults(): Readonly<Record<string, string>> {
    return this.#local.value;
  }

  /** The file parts that the values ask for. */
  get shownParts(): readonly ShownPart[] {
    return this.operation.parts.filter((part) => isShown(part, this.typed.value));
  }

  #fileNames(): Readonly<Record<string, readonly string[]>> {
    const chosen = Object.entries(this.files.value).map(([field, files]) => [
      field,
      files.map(({ file }) => file.name),
    ]);
    return { ...this.lostFiles.value, ...Object.fromEntries(chosen) };
  }

  /** Why the files of a part keep the tool from running: where it runs once for each, bad ones are left out. */
  #filesFault(part: ShownPart): string | undefined {
    const { good, fault } = checkFiles(part, this.files.value[part.field] ?? []);
    return part.field === repeatedPart(this.operation) && good.length > 0 ? undefined : fault;
  }

  /** What was wrong with other files says nothing about these. */
  #forgetFailure(field: string, files: readonly PickedFile[]): void {
    const run = this.run.peek();
    const before = new Set((this.files.peek()[field] ?? []).map(({ id }) => id));
    const same = files.length === before.size && files.every(({ id }) => before.has(id));
    if (same || run === undefined || !run.failed) return;
    this.run.value = undefined;
    this.refused.value = {};
  }

  #forgive(name: string): void {
    if (!(name in this.refused.value)) return;
    const { [name]: _, ...rest } = this.refused.value;
    this.refused.value = rest;
  }
}

function initialValues({ fields }: ShownOperation): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, initialValue(field)]));
}

/** What a draft depends on. */
function shapeOf({ fields, parts, files }: ShownOperation): string {
  return JSON.stringify([fields, parts, files]);
}

const drafts = new Map<string, Draft>();

/** The draft of a tool; a new one after the catalog was loaded again. */
export function draftOf(operation: ShownOperation): Draft {
  const known = drafts.get(operation.path);
  if (known !== undefined && shapeOf(known.operation) === shapeOf(operation)) {
    // After a login the catalog is another object; what was entered and what runs stays.
    known.operation = operation;
    return known;
  }
  const draft = new Draft(operation);
  drafts.set(operation.path, draft);
  return draft;
}
