import { batch, computed, type ReadonlySignal, signal, type Signal } from '@preact/signals';
import type { FieldFault } from '../../../api/index.ts';
import {
  documentValue,
  type FieldWidget,
  type FormField,
  isEmpty,
  isOpen,
  joinNames,
  sameValue,
  type Value,
  valueOfButton,
} from './fields.ts';

/** A widget that a page shows. */
export interface Placed {
  readonly field: FormField;
  readonly widget: FieldWidget;
  /** Identifies the widget within the form. */
  readonly key: string;
}

/** Characters of a name in the JSON pointer of a fault (`plugins/form`, pointerStep). */
const POINTER_NAME = 100;

/** The form of one version of a document, and what people entered. */
export class FilledForm {
  readonly fields: readonly FormField[];
  /** Shown widgets by page, in tab order. */
  readonly onPages: ReadonlyMap<number, readonly Placed[]>;
  /** Names with other values than the document has. */
  readonly changed: ReadonlySignal<readonly string[]>;
  /** Required fields that are empty. */
  readonly missing: ReadonlySignal<readonly FormField[]>;
  /** Why the server refused values, by name. */
  readonly faults = signal<ReadonlyMap<string, string>>(new Map());
  /** The name of the field that people are at. */
  readonly current = signal<string | undefined>(undefined);
  /** The widget that gets the focus once its page is there. */
  readonly wanted = signal<string | undefined>(undefined);
  /** The field that gets the focus in the list. */
  readonly wantedRow = signal<string | undefined>(undefined);
  readonly #firstPlaces: ReadonlyMap<string, Placed>;
  readonly #values: ReadonlyMap<string, Signal<Value>>;
  readonly #saved = signal<ReadonlyMap<string, Value>>(new Map());

  constructor(fields: readonly FormField[]) {
    this.fields = joinNames(fields);
    const open = this.fields.filter(isOpen);
    this.#values = new Map(this.fields.map((field) => [field.name, signal(documentValue(field))]));
    this.#saved.value = new Map(this.fields.map((field) => [field.name, documentValue(field)]));
    this.onPages = placedWidgets(this.fields);
    const inOrder = [...this.onPages].sort(([a], [b]) => b - a).flatMap(([, placed]) => placed.toReversed());
    this.#firstPlaces = new Map(inOrder.map((placed) => [placed.field.name, placed]));
    this.changed = computed(() =>
      open.flatMap(({ name }) => (sameValue(this.value(name), this.#saved.value.get(name) ?? '') ? [] : [name])),
    );
    this.missing = computed(() => open.filter(({ name, required }) => required && isEmpty(this.value(name))));
  }

  get hasOpenFields(): boolean {
    return this.fields.some(isOpen);
  }

  value(name: string): Value {
    return this.#values.get(name)?.value ?? '';
  }

  set(name: string, value: Value): void {
    batch(() => {
      const known = this.#values.get(name);
      if (known !== undefined) known.value = value;
      if (this.faults.value.has(name))
        this.faults.value = new Map([...this.faults.value].filter(([other]) => other !== name));
    });
  }

  /** Back to the values of the document. */
  reset(): void {
    batch(() => {
      for (const [name, value] of this.#saved.value) this.set(name, value);
      this.faults.value = new Map();
    });
  }

  /** Values for `form/fill`: those that are not the document's. */
  toSend(): Readonly<Record<string, Value>> {
    return Object.fromEntries(this.changed.value.map((name) => [name, this.value(name)]));
  }

  /** The document has these values; others may have been entered meanwhile. */
  markSaved(sent: Readonly<Record<string, Value>>): void {
    batch(() => {
      this.#saved.value = new Map([...this.#saved.value, ...Object.entries(sent)]);
      this.faults.value = new Map();
    });
  }

  /** Takes over what was entered into the version before and is not saved. */
  adopt(other: FilledForm): void {
    for (const name of other.changed.value) {
      const field = this.fields.find((one) => one.name === name);
      if (field !== undefined && isOpen(field)) this.set(name, other.value(name));
    }
  }

  /** Assigns the faults of a call of `form/fill` to fields; returns the first field with one. */
  refuse(faults: readonly FieldFault[]): FormField | undefined {
    const byPointer = new Map(this.fields.map((field) => [pointerOf(field.name), field]));
    const found = faults.flatMap(({ pointer, detail }) => {
      const field = byPointer.get(pointer);
      return field === undefined ? [] : [{ field, detail }];
    });
    this.faults.value = new Map(found.map(({ field, detail }) => [field.name, detail]));
    return found[0]?.field;
  }

  /**
   * The places where the tab key stops, in order. Of radio buttons one for each group: the widget `at`, else the
   * selected one, else the first.
   */
  stops(at: string): readonly Placed[] {
    const all = [...this.onPages].sort(([a], [b]) => a - b).flatMap(([, placed]) => placed);
    const groups = new Map<string, string>();
    for (const { field, widget, key } of all) {
      if (field.type !== 'radio') continue;
      const chosen = this.value(field.name) === valueOfButton(widget);
      if (key === at || (chosen && groups.get(field.name) !== at) || !groups.has(field.name))
        groups.set(field.name, key);
    }
    return all.filter(({ field, key }) => isStop(field) && (field.type !== 'radio' || groups.get(field.name) === key));
  }

  /** The first shown widget of a field. */
  firstPlace(name: string): Placed | undefined {
    return this.#firstPlaces.get(name);
  }
}

function isStop(field: FormField): boolean {
  return isOpen(field) || (field.type === 'signature' && field.signed !== true);
}

function placedWidgets(fields: readonly FormField[]): ReadonlyMap<number, readonly Placed[]> {
  const pages = new Map<number, Placed[]>();
  for (const [i, field] of fields.entries())
    for (const [j, widget] of (field.widgets ?? []).entries()) {
      if (widget.hidden === true) continue;
      const placed = { field, widget, key: `${i}-${j}` };
      const page = pages.get(widget.pageIndex);
      if (page === undefined) pages.set(widget.pageIndex, [placed]);
      else page.push(placed);
    }
  for (const placed of pages.values()) placed.sort((a, b) => a.widget.tabOrder - b.widget.tabOrder);
  return pages;
}

function pointerOf(name: string): string {
  return `/data/${name.slice(0, POINTER_NAME).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
