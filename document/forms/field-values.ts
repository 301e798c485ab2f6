import { type PDFContext, PDFHexString, PDFNumber, type PDFObject } from 'pdf-lib';
import { arrayOf, asNumber } from '../file/objects/index.js';
import { fieldAttribute } from './fields/index.js';
import { hasFlag } from './field-flags.js';
import type { FieldOption, FormField, FormWidget } from './form-model.js';
import { OFF } from './read-field.js';
import { segmentsOf } from './appearance/text-segments.js';

/** A new value of a field: text, several choices, or null to clear it. */
export type FieldInput = string | readonly string[] | null;

/** The change that an input causes in a certain field. `fault` continues a sentence that starts with the field. */
export type ValuePlan =
  | { readonly kind: 'text'; readonly value: PDFObject | undefined }
  | {
      readonly kind: 'choice';
      readonly value: PDFObject | undefined;
      readonly indices: PDFObject | undefined;
      readonly dropped: readonly string[];
    }
  | {
      readonly kind: 'state';
      readonly state: string;
      readonly chosen: ReadonlySet<FormWidget>;
      readonly stateOf: (widget: FormWidget) => string;
    }
  | { readonly kind: 'keep' }
  | { readonly kind: 'fault'; readonly fault: string };

/** Inputs that check a box, whatever its state is called (`docs/interface/form.yml`, fill). */
const TRUE_WORDS: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on', 'checked']);
/** State of a check box that defines none; viewers use the same name. */
const YES = 'Yes';
/** Most choices that an error message lists. */
const NAMED = 20;
/** Most commas within one choice that are considered. */
const MAX_COMMAS = 8;
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Determines what an input means for a field by the rules of its type (`docs/interface/form.yml`, fill; ISO 32000-1,
 * 12.7.4). Text is used as it is; choices match by value or label, ignoring case; states of buttons match by export
 * value. Push buttons and signatures keep their value. Changes nothing.
 */
export function planValue(context: PDFContext, field: FormField, input: FieldInput): ValuePlan {
  switch (field.kind) {
    case 'text':
      return planText(context, field, input);
    case 'combobox':
    case 'listbox':
      return planChoice(context, field, input);
    case 'checkbox':
      return planCheckBox(field, input);
    case 'radio':
      return planRadio(field, input);
    default:
      return { kind: 'keep' };
  }
}

/** Creates a text string object. */
function textString(text: string): PDFHexString {
  return PDFHexString.fromText(text);
}

function planText(context: PDFContext, field: FormField, input: FieldInput): ValuePlan {
  if (input === null) return { kind: 'text', value: undefined };
  const text = typeof input === 'string' ? input : input.join();
  const most = asNumber(context, fieldAttribute(field.node, 'MaxLen')) ?? 0;
  if (most > 0 && text.length > most) {
    // Counts graphemes: a combining accent is not a letter by itself.
    const found = segmentsOf(letters, text.slice(0, most * 20)).length;
    if (found > most)
      return {
        kind: 'fault',
        fault: `accepts at most ${most} characters; found ${text.length > most * 20 ? 'many more' : found}`,
      };
  }
  return { kind: 'text', value: textString(text) };
}

function planChoice(context: PDFContext, field: FormField, input: FieldInput): ValuePlan {
  const free = field.kind === 'combobox' && hasFlag(field, 'edit');
  const several = field.kind === 'listbox' && hasFlag(field, 'multiSelect');
  const whole = typeof input === 'string' ? [input] : (input ?? []);
  const wanted = whole.filter((text) => text.trim() !== '');
  if (wanted.length > 0 && field.options.length === 0 && !free)
    return { kind: 'fault', fault: 'has no options to choose from' };
  const find = optionFinder(field.options);
  // An option may contain commas, so the whole text is tried first.
  const parts =
    typeof input === 'string' && wanted.length > 0 && find(input) === undefined && !free
      ? splitChoices(input, field.options, find)
      : wanted;
  const found = new Set<number>();
  const dropped: string[] = [];
  for (const part of parts) {
    const index = find(part);
    if (index === undefined || (!several && found.size > 0)) dropped.push(part);
    else found.add(index);
  }
  if (found.size === 0 && free && wanted[0] !== undefined)
    return { kind: 'choice', value: textString(wanted[0]), indices: undefined, dropped: wanted.slice(1) };
  const indices = [...found].sort((a, b) => a - b);
  const values = indices.map((index) => textString(field.options[index]?.value ?? ''));
  return {
    kind: 'choice',
    value: values.length > 1 ? arrayOf(context, values) : values[0],
    dropped,
    // ISO 32000-1, table 231: only for fields that allow several choices; it distinguishes options with equal values.
    indices:
      field.kind === 'listbox' && indices.length > 0
        ? arrayOf(
            context,
            indices.map((index) => PDFNumber.of(field.options[index]?.place ?? index)),
          )
        : undefined,
  };
}

/** Splits a comma-separated list of choices. Since choices may contain commas, the longest match wins. */
function splitChoices(
  text: string,
  options: readonly FieldOption[],
  find: (text: string) => number | undefined,
): string[] {
  const commas = (one: string): number => one.split(',').length - 1;
  const most = Math.min(
    MAX_COMMAS,
    options.reduce((count, { value, shown }) => Math.max(count, commas(value), commas(shown)), 0),
  );
  const parts = text.split(',');
  const choices: string[] = [];
  for (let i = 0; i < parts.length;) {
    let taken = Math.min(most + 1, parts.length - i);
    while (taken > 1 && find(parts.slice(i, i + taken).join()) === undefined) taken--;
    choices.push(
      parts
        .slice(i, i + taken)
        .join()
        .trim(),
    );
    i += taken;
  }
  return choices.filter((choice) => choice !== '');
}

/** Finds options by value, then by label; first exactly, then ignoring case. */
function optionFinder(options: readonly FieldOption[]): (text: string) => number | undefined {
  const maps = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ] as const;
  for (const [index, { value, shown }] of options.entries()) {
    for (const [map, key] of [
      [maps[0], value],
      [maps[1], shown],
      [maps[2], folded(value)],
      [maps[3], folded(shown)],
    ] as const)
      if (!map.has(key)) map.set(key, index);
  }
  return (text) => maps[0].get(text) ?? maps[1].get(text) ?? maps[2].get(folded(text)) ?? maps[3].get(folded(text));
}

/**
 * Returns the names of a button's state: its export value, its name, and its name decoded as UTF-8, which many writers
 * use.
 */
function namesOf(state: string | undefined, exported: string | undefined): string[] {
  return [exported, state, state === undefined ? undefined : utf8(state)].flatMap((name) =>
    name === undefined ? [] : [name],
  );
}

function planCheckBox({ widgets }: FormField, input: FieldInput): ValuePlan {
  const text = (typeof input === 'string' ? input : (input?.[0] ?? '')).trim();
  const first = widgets.find(({ onState }) => onState !== undefined)?.onState ?? YES;
  const stateOf = ({ onState }: FormWidget): string => onState ?? first;
  const named = widgets.find((widget) =>
    namesOf(stateOf(widget), widget.exportValue).some((name) => folded(name) === folded(text)),
  );
  const state = text === '' ? OFF : named !== undefined ? stateOf(named) : TRUE_WORDS.has(folded(text)) ? first : OFF;
  return {
    kind: 'state',
    state,
    chosen: new Set(state === OFF ? [] : widgets.filter((widget) => stateOf(widget) === state)),
    stateOf,
  };
}

function planRadio(field: FormField, input: FieldInput): ValuePlan {
  const { widgets } = field;
  const text = (typeof input === 'string' ? input : (input?.[0] ?? '')).trim();
  if (text === '') return { kind: 'keep' };
  // A button without appearances uses the index of its /Opt entry as its state (ISO 32000-1, 12.7.4.2.4).
  const states = new Map(
    widgets.map((widget, i) => [widget, widget.onState ?? (widget.exportValue === undefined ? undefined : String(i))]),
  );
  const called = (widget: FormWidget): string[] =>
    states.get(widget) === undefined ? [] : namesOf(states.get(widget), widget.exportValue);
  const several = typeof input !== 'string' && (input?.length ?? 0) > 1;
  const chosen = several
    ? undefined
    : (widgets.find((widget) => called(widget)[0] === text) ??
      widgets.find((widget) => called(widget).includes(text)) ??
      widgets.find((widget) => called(widget).some((name) => folded(name) === folded(text))));
  const state = chosen === undefined ? undefined : states.get(chosen);
  if (chosen === undefined || state === undefined) {
    const allowed = [...new Set(widgets.flatMap((widget) => called(widget)[0] ?? []))];
    const others = allowed.length > NAMED ? ` and ${allowed.length - NAMED} more` : '';
    const list =
      allowed.length === 0
        ? 'it has no choices'
        : `allowed ${allowed.length === 1 ? 'is' : 'are'} ` +
          `${allowed.slice(0, NAMED).map(quoted).join(', ')}${others}`;
    return {
      kind: 'fault',
      fault: `has no choice ${quoted(several ? (input as readonly string[]).join() : text)}; ${list}`,
    };
  }
  // Without this flag only one button can be selected, even among those with equal values (ISO 32000-1, table 226,
  // RadiosInUnison).
  const unison = hasFlag(field, 'radiosInUnison');
  const same = widgets.filter((widget) => widget === chosen || (unison && called(widget)[0] === called(chosen)[0]));
  return { kind: 'state', state, chosen: new Set(same), stateOf: (widget) => states.get(widget) ?? state };
}

function folded(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

function utf8(name: string): string | undefined {
  const text = Buffer.from(name, 'latin1').toString('utf8');
  return text === name || text.includes('\ufffd') ? undefined : text;
}

function quoted(text: string): string {
  return `"${text.slice(0, 60)}"`;
}
