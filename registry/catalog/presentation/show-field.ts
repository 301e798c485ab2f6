import type { FieldPresentation, Offered, ShownField, Widget } from '@quire/registry';
import { valuesOf, type ConditionalRules, type FieldDescription } from './field-description.js';
import { wordsOf } from './words.js';

/** What a field declares for people: the members of every `shown` in its schema, later ones first. */
export function presentationOf({ metas = [] }: Pick<FieldDescription, 'metas'>): FieldPresentation {
  const declared = metas.flatMap(({ shown }) => (typeof shown === 'object' && shown !== null ? [shown] : []));
  return Object.assign({}, ...declared) as FieldPresentation;
}

/** What a field offers where its own rules do not say so (`offering`). */
function offeredOf({ metas = [] }: FieldDescription): Offered {
  const offered = metas.flatMap((meta) => (typeof meta['offered'] === 'object' ? [meta['offered']] : []));
  return Object.assign({}, ...offered) as Offered;
}

/** Returns a field as people see it, from Joi's description of its schema and what it declares. */
export function showField(name: string, field: FieldDescription, conditional: ConditionalRules = {}): ShownField {
  const presentation = presentationOf(field);
  const type = typeOf(field);
  const values = shownValues(field, presentation);
  const required = field.flags?.presence === 'required';
  const { when = conditional.when } = presentation;
  return defined({
    name,
    label: presentation.label ?? wordsOf(name),
    help: helpOf(field, presentation),
    widget: presentation.widget ?? widgetOf(name, field, values !== undefined),
    type,
    required,
    requiredWhen: required ? undefined : (presentation.requiredWhen ?? conditional.requiredWhen),
    default: required ? undefined : plainValue(field.flags?.default),
    example: plainValue(field.examples?.[0]),
    ...rangeOf(type, field, conditional.then),
    pattern: patternOf(field),
    values,
    unit: presentation.unit,
    group: presentation.group,
    when,
    advanced: presentation.advanced,
    element: presentation.element,
  });
}

/** The object without members that are undefined. */
export function defined<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/** What is declared, or the description, as a sentence. */
function helpOf({ flags }: FieldDescription, { help }: FieldPresentation): string | undefined {
  const text = help ?? flags?.description ?? '';
  return text === '' ? undefined : text.replace(/(?<![.!?:])$/, '.');
}

function typeOf(field: FieldDescription): ShownField['type'] {
  if (field.metas?.some((meta) => meta['json'] === true) === true) return 'json';
  switch (field.type) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return field.rules?.some(({ name }) => name === 'integer') === true ? 'integer' : 'number';
    case 'array':
      return 'list';
    case 'object':
      return field.patterns === undefined ? 'json' : 'map';
    default:
      return 'text';
  }
}

function widgetOf(name: string, field: FieldDescription, hasValues: boolean): Widget {
  const type = typeOf(field);
  if (type === 'list' || type === 'json' || type === 'map') return type;
  if (hasValues) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'number' || type === 'integer') return 'number';
  if (/password$/i.test(name)) return 'secret';
  return field.type === 'date' ? 'date' : 'text';
}

function shownValues(field: FieldDescription, { options = {} }: FieldPresentation): ShownField['values'] | undefined {
  if (field.type === 'boolean') return undefined;
  const values = offeredOf(field).values ?? valuesOf(field) ?? valuesOf(field.items?.[0] ?? {});
  return values?.map((value) => ({ value, label: options[String(value)] ?? wordsOf(String(value)) }));
}

/** Limits of numbers, or of the length of texts and lists; `then` has those that hold while it is required. */
function rangeOf(type: ShownField['type'], field: FieldDescription, then: FieldDescription = {}): Partial<ShownField> {
  if (type === 'number' || type === 'integer') {
    const offered = offeredOf(field);
    const above = limitOf(field, 'greater') ?? limitOf(then, 'greater');
    const below = limitOf(field, 'less') ?? limitOf(then, 'less');
    return defined({
      minimum: above ?? limitOf(field, 'min') ?? limitOf(then, 'min') ?? offered.minimum,
      maximum: below ?? limitOf(field, 'max') ?? limitOf(then, 'max') ?? offered.maximum,
      above: above === undefined ? undefined : true,
      below: below === undefined ? undefined : true,
    });
  }
  if (type !== 'text' && type !== 'json' && type !== 'list') return {};
  const exact = limitOf(field, 'length');
  return defined({ shortest: exact ?? limitOf(field, 'min'), longest: exact ?? limitOf(field, 'max') });
}

function limitOf(field: FieldDescription, rule: string): number | undefined {
  const limit = field.rules?.find(({ name }) => name === rule)?.args?.limit;
  return typeof limit === 'number' ? limit : undefined;
}

/** The first pattern that a browser can check too: without flags other than `u`, and not inverted. */
function patternOf(field: FieldDescription): string | undefined {
  for (const { name, args } of field.rules ?? []) {
    const [, source] = name === 'pattern' ? (/^\/(.*)\/u?$/s.exec(String(args?.regex)) ?? []) : [];
    if (source !== undefined && args?.options?.invert !== true) return source;
  }
  return undefined;
}

/** A default or an example as JSON; undefined for one that is computed. */
function plainValue(value: unknown): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value))
    return value ?? undefined;
  if (typeof value !== 'object') return undefined;
  return 'ref' in value || 'special' in value ? undefined : value;
}
