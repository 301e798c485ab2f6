import type { ShownField } from '@quire/registry';

/** Values of other properties with which a property is shown. */
export type Shown = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/** The members of a property of an n8n node (`INodeProperties` of n8n-workflow) that are used here. */
export interface NodeProperty {
  readonly displayName: string;
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'options' | 'multiOptions' | 'collection' | 'json' | 'color';
  readonly default: unknown;
  readonly description?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly noDataExpression?: boolean;
  readonly typeOptions?: Readonly<Record<string, unknown>>;
  readonly displayOptions?: { readonly show: Shown };
  readonly options?: readonly (NodeProperty | NodeOption)[];
}

interface NodeOption {
  readonly name: string;
  readonly value: string | number | boolean;
  readonly description?: string;
  readonly action?: string;
}

/** Words that are not capitalised within a title. */
const SMALL = /^(?:a|an|and|as|at|but|by|for|in|of|off|on|or|over|per|the|to|up|via|vs|with)$/;

/** Returns a text in title case, as n8n's linter wants names: `Page numbers of a PDF` is `Page Numbers of a PDF`. */
export function titleCase(text: string): string {
  const words = text.split(' ');
  return words
    .map((word, at) => (at > 0 && at < words.length - 1 && SMALL.test(word) ? word : capital(word)))
    .join(' ');
}

/** Capitalises a word, and each of its parts: `E-Book`, `(Grey`. */
function capital(word: string): string {
  return word.replaceAll(/(?<=^|[(-])\p{Ll}/gu, (letter) => letter.toUpperCase());
}

/** Returns a description as n8n's linter wants it: one sentence without a full stop, several with. */
export function sentence(text: string): string {
  const bare = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\bIds\b/g, 'IDs')
    .replace(/\.$/, '');
  return /[.?!] \S/.test(bare) ? `${bare}.` : bare;
}

/** Sorts options as n8n's linter wants them. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name.localeCompare(b.name, 'en');
}

/** Returns the property for a field of an operation, without the condition that shows it. */
export function fieldProperty(field: ShownField): NodeProperty {
  const { name, label, required, requiredWhen, example } = field;
  const hint = example === undefined || typeof example === 'object' ? undefined : String(example);
  const { type, ...input } = inputOf(field);
  return {
    displayName: titleCase(label),
    name,
    type,
    ...input,
    ...(required || requiredWhen !== undefined ? { required: true } : {}),
    ...(hint !== undefined && type === 'string' ? { placeholder: `e.g. ${hint}` } : {}),
    ...descriptionOf(field),
  };
}

type Input = Pick<NodeProperty, 'type' | 'default'> & Partial<NodeProperty>;

function inputOf(field: ShownField): Input {
  const { type, values, default: value } = field;
  if (type === 'boolean') return { type: 'boolean', default: value === true };
  if (values !== undefined && values.length > 0 && type !== 'map' && type !== 'json') return choiceOf(field, values);
  if (type === 'number' || type === 'integer') return numberOf(field);
  if (type === 'json' || type === 'map') return { type: 'json', default: jsonText(value, type === 'map' ? '{}' : '') };
  if (type === 'list') return { type: 'string', default: Array.isArray(value) ? value.join(',') : '' };
  return textOf(field);
}

function choiceOf({ type, default: value, required }: ShownField, values: NonNullable<ShownField['values']>): Input {
  const options = values.map((each) => ({ name: titleCase(each.label), value: each.value })).sort(byName);
  if (type === 'list') return { type: 'multiOptions', options, default: Array.isArray(value) ? value : [] };
  if (value !== undefined || required) return { type: 'options', options, default: value ?? values[0]?.value ?? '' };
  return { type: 'options', options, default: values[0]?.value ?? '' };
}

function numberOf({ type, minimum, maximum, default: value }: ShownField): Input {
  const limits = {
    ...(minimum === undefined ? {} : { minValue: minimum }),
    ...(maximum === undefined ? {} : { maxValue: maximum }),
    ...(type === 'integer' ? {} : { numberPrecision: 3 }),
  };
  return {
    type: 'number',
    default: typeof value === 'number' ? value : Math.max(0, minimum ?? 0),
    ...(Object.keys(limits).length === 0 ? {} : { typeOptions: limits }),
  };
}

function textOf({ widget, default: value }: ShownField): Input {
  const text = value === undefined ? '' : String(value);
  if (widget === 'secret') return { type: 'string', typeOptions: { password: true }, default: text };
  if (widget === 'multiline') return { type: 'string', typeOptions: { rows: 4 }, default: text };
  return widget === 'colour' ? { type: 'color', default: text } : { type: 'string', default: text };
}

function jsonText(value: unknown, usual: string): string {
  if (value === undefined) return usual;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Nothing where the name says it all. */
function descriptionOf(field: ShownField): Pick<NodeProperty, 'description'> {
  const { label, help = '', type, unit, values = [] } = field;
  const list = type === 'list' && values.length === 0 ? 'Several values are separated by commas.' : '';
  const measure = unit === undefined ? '' : `In ${unit}.`;
  const texts = [help, measure, list].filter((text) => text !== '').join(' ');
  if (type !== 'boolean' || /^whether\b/i.test(texts)) return texts === '' ? {} : { description: sentence(texts) };
  return { description: sentence(help === '' ? `Whether to use this: ${label}` : `Whether this is on. ${help}`) };
}
