import { signal, type Signal } from '@preact/signals';
import type { FieldFault } from '../../../api/index.ts';
import { faultsByField } from '../../../form/faults.ts';
import type { SavedPipeline } from '../../pipelines/saved/saved.ts';
import type { Automation, Defaults, Destination, Input, Kind, Kinds, SentAutomation, SourceRow } from './automation.ts';
import { FieldsDraft } from './fields-draft.ts';
import { advancedFields, advancedOf, advancedValues, filterFields, filtersOf, filterValues } from './more-fields.ts';
import { triggerFields, triggerOf, triggerValues } from './trigger-fields.ts';

const NEW: Omit<SentAutomation, keyof Defaults> = {
  name: '',
  enabled: true,
  description: '',
  work: { pipeline: '', values: {} },
  inputs: [{ source: null, trigger: { type: 'manual' } }],
  destinations: [],
};

let lastKey = 0;

/** What an editor knows beside the automation. */
export interface Known {
  readonly kinds: Kinds;
  readonly sources: readonly SourceRow[];
  readonly saved: readonly SavedPipeline[];
}

/** An input of the automation that is edited. */
export class InputDraft {
  readonly key = ++lastKey;
  readonly source = signal<string | null>(null);
  readonly days = signal<ReadonlySet<string>>(new Set());
  readonly trigger: FieldsDraft;
  readonly fault = signal<string | undefined>(undefined);
  readonly daysFault = signal<string | undefined>(undefined);

  constructor(
    { source, trigger }: Input,
    private readonly kindOf: (source: string) => Kind | undefined,
  ) {
    this.source.value = source;
    const values = triggerValues(trigger);
    this.days.value = new Set(values['days'] as readonly string[]);
    this.trigger = new FieldsDraft(() => triggerFields(this.#announces, this.source.value !== null), values);
  }

  get #announces(): boolean {
    return this.source.value !== null && this.kindOf(this.source.value)?.announces === true;
  }

  /** Takes another source, and the trigger that is usual for it. */
  choose(source: string | null): void {
    this.source.value = source;
    this.fault.value = undefined;
    this.trigger.set('type', source === null ? 'manual' : this.#announces ? 'arrival' : 'schedule');
  }

  get sent(): Input {
    return { source: this.source.value, trigger: triggerOf(this.trigger.typed.value, this.days.value) };
  }
}

/** A destination of the automation that is edited. */
export class DestinationDraft {
  readonly key = ++lastKey;
  readonly options: FieldsDraft;
  readonly fault = signal<string | undefined>(undefined);

  constructor(
    readonly kind: Kind,
    private readonly stored?: Destination,
  ) {
    this.options = new FieldsDraft(() => kind.fields, stored?.options);
  }

  get sent(): Destination {
    const { id, options = {} } = this.stored ?? {};
    // Options of a kind without a form stay as they are.
    const entered = this.kind.fields.length === 0 ? options : this.options.options;
    return { ...(id === undefined ? {} : { id }), type: this.kind.type, options: entered };
  }
}

/** An automation while somebody edits it. */
export class AutomationDraft {
  readonly name = signal('');
  readonly description = signal('');
  readonly enabled = signal(true);
  /** Name of a saved pipeline; steps of the automation's own stay as they are. */
  readonly pipeline = signal<string | readonly object[]>('');
  readonly values = signal<FieldsDraft | undefined>(undefined);
  readonly inputs = signal<readonly InputDraft[]>([]);
  readonly destinations = signal<readonly DestinationDraft[]>([]);
  readonly filters: FieldsDraft;
  readonly advanced: FieldsDraft;
  readonly known: Signal<Known>;
  /** Faults of single fields: `name`, `pipeline`. */
  readonly refused = signal<Readonly<Record<string, string>>>({});
  /** Faults that belong to no field of the form. */
  readonly others = signal<readonly FieldFault[]>([]);
  readonly #before: Automation | undefined;

  constructor(known: Known, before?: Automation) {
    const { defaults } = known.kinds;
    const from: SentAutomation = before ?? { ...NEW, ...defaults };
    this.#before = before;
    this.known = signal(known);
    this.name.value = from.name;
    this.description.value = from.description;
    this.enabled.value = from.enabled;
    this.filters = new FieldsDraft(filterFields, filterValues(from.filters));
    this.advanced = new FieldsDraft(() => advancedFields(defaults), advancedValues(from));
    this.choosePipeline(from.work.pipeline, from.work.values);
    this.inputs.value = from.inputs.map((input) => this.#input(input));
    this.destinations.value = from.destinations.map((destination) => {
      const kind = known.kinds.destinations.find(({ type }) => type === destination.type);
      return new DestinationDraft(kind ?? unknownKind(destination.type), destination);
    });
  }

  get before(): Automation | undefined {
    return this.#before;
  }

  /** The kind of a source by its id. */
  readonly kindOf = (source: string): Kind | undefined => {
    const { sources, kinds } = this.known.value;
    const type = sources.find(({ id }) => id === source)?.type;
    return kinds.sources.find((kind) => kind.type === type);
  };

  choosePipeline(pipeline: string | readonly object[], values: SentAutomation['work']['values'] = {}): void {
    this.pipeline.value = pipeline;
    const name = typeof pipeline === 'string' ? pipeline.replace(/@\d+$/, '') : '';
    const saved = this.known.value.saved.find((one) => one.name === name);
    this.values.value =
      saved === undefined || saved.fields.length === 0 ? undefined : new FieldsDraft(() => saved.fields, values);
    this.#forgive('pipeline');
  }

  rename(name: string): void {
    this.name.value = name;
    this.#forgive('name');
  }

  addInput(): void {
    this.inputs.value = [...this.inputs.value, this.#input(NEW.inputs[0]!)];
  }

  removeInput(input: InputDraft): void {
    this.inputs.value = this.inputs.value.filter((one) => one !== input);
  }

  addDestination(kind: Kind): void {
    this.destinations.value = [...this.destinations.value, new DestinationDraft(kind)];
  }

  removeDestination(destination: DestinationDraft): void {
    this.destinations.value = this.destinations.value.filter((one) => one !== destination);
  }

  /** Shows all faults that the console can see; returns whether there are none. */
  check(): boolean {
    return this.#forms.map((form) => form.check()).every((isGood) => isGood);
  }

  get sent(): SentAutomation {
    const stays = typeof this.pipeline.value !== 'string' ? this.#before?.work.values : undefined;
    return {
      name: this.name.value.trim(),
      enabled: this.enabled.value,
      description: this.description.value.trim(),
      work: { pipeline: this.pipeline.value, values: this.values.value?.options ?? stays ?? {} },
      inputs: this.inputs.value.map(({ sent }) => sent),
      destinations: this.destinations.value.map(({ sent }) => sent),
      filters: filtersOf(this.filters.typed.value),
      ...advancedOf(this.advanced.typed.value),
    };
  }

  /** Shows what the server says at the fields that its pointers name. */
  refuse(faults: readonly FieldFault[]): void {
    const shown = new Set<string>();
    const take = (base: string, names: readonly string[]): Record<string, string> => {
      const found = Object.entries(faultsByField(faults, base)).filter(([name]) => names.includes(name));
      for (const [name] of found) shown.add(`${base}${name}`);
      return Object.fromEntries(found);
    };
    const form = (draft: FieldsDraft, base: string): void => {
      draft.refused.value = take(base, namesOf(draft));
    };
    const work = take('/work/', ['pipeline']);
    this.refused.value = { ...take('/', ['name', 'description']), ...work };
    if (this.values.value !== undefined) form(this.values.value, '/work/values/');
    form(this.filters, '/filters/');
    this.advanced.refused.value = { ...take('/', namesOf(this.advanced)), ...take('/retry/', ['times', 'firstMs']) };
    for (const [at, input] of this.inputs.value.entries()) {
      const base = `/inputs/${at}/trigger/`;
      const { days, ...timed } = take(`${base}schedule/`, [...namesOf(input.trigger), 'days']);
      input.trigger.refused.value = { ...timed, ...take(base, namesOf(input.trigger)) };
      input.daysFault.value = days;
      input.fault.value = take(`/inputs/${at}/`, ['source'])['source'];
    }
    for (const [at, destination] of this.destinations.value.entries()) {
      form(destination.options, `/destinations/${at}/options/`);
      destination.fault.value = faults.find(({ pointer }) =>
        [`/destinations/${at}`, `/destinations/${at}/type`, `/destinations/${at}/options`].includes(pointer),
      )?.detail;
      if (destination.fault.value !== undefined) shown.add(`/destinations/${at}`);
    }
    this.others.value = faults.filter(
      ({ pointer }) => ![...shown].some((place) => pointer === place || pointer.startsWith(`${place}/`)),
    );
  }

  get #forms(): readonly FieldsDraft[] {
    return [
      ...(this.values.value === undefined ? [] : [this.values.value]),
      ...this.inputs.value.map(({ trigger }) => trigger),
      ...this.destinations.value.map(({ options }) => options),
      this.filters,
      this.advanced,
    ];
  }

  #input(input: Input): InputDraft {
    return new InputDraft(input, this.kindOf);
  }

  #forgive(name: string): void {
    const { [name]: _, ...rest } = this.refused.value;
    this.refused.value = rest;
  }
}

/** A kind that this server does not have any more. */
function unknownKind(type: string): Kind {
  return { type, title: type, help: '', icon: 'circle-alert', announces: false, fields: [] };
}

function namesOf({ operation }: FieldsDraft): string[] {
  return operation.fields.map(({ name }) => name);
}
