import type { When } from '@quire/registry';

/** The part of Joi's description of a schema (`describe`) that presentation is derived from. */
export interface FieldDescription {
  readonly type?: string;
  readonly flags?: {
    readonly presence?: string;
    readonly only?: boolean;
    readonly default?: unknown;
    readonly description?: string;
  };
  readonly allow?: readonly unknown[];
  readonly rules?: readonly {
    readonly name: string;
    readonly args?: { readonly limit?: unknown; readonly regex?: unknown; readonly options?: { invert?: boolean } };
  }[];
  readonly metas?: readonly Readonly<Record<string, unknown>>[];
  readonly examples?: readonly unknown[];
  readonly keys?: Readonly<Record<string, FieldDescription>>;
  readonly patterns?: readonly unknown[];
  readonly items?: readonly FieldDescription[];
  readonly whens?: readonly {
    readonly ref?: { readonly path?: readonly string[] };
    readonly is?: FieldDescription;
    readonly then?: FieldDescription;
    readonly otherwise?: FieldDescription;
  }[];
}

type Value = string | number | boolean;

/** The only values that a schema allows; undefined when it allows others. Empty texts are left out. */
export function valuesOf({ flags, allow = [] }: FieldDescription): Value[] | undefined {
  if (flags?.only !== true) return undefined;
  return allow.filter(
    (value): value is Value =>
      (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean',
  );
}

/** What a condition of a schema adds to a field. */
export interface ConditionalRules {
  readonly requiredWhen?: When;
  readonly when?: When;
  /** The rules of the field while it is required. */
  readonly then?: FieldDescription;
}

/**
 * Returns the conditions of a form by field, as far as they are equalities: of a field (`joi.when('a', { is: 'x' })`)
 * or of the whole form (`joi.object({…}).when(joi.object({ a: 'x' }), {…})`).
 */
export function conditionsOf(form: FieldDescription): Readonly<Record<string, ConditionalRules>> {
  const found: Record<string, ConditionalRules> = {};
  const fields = form.keys ?? {};
  const add = (name: string, rules: ConditionalRules): void => void (found[name] = { ...found[name], ...rules });
  for (const { is, then, otherwise } of form.whens ?? []) {
    const holding = conditionOf(is?.keys ?? {});
    for (const [name, rules] of Object.entries(then?.keys ?? {})) add(name, rulesOf(rules, holding));
    const failing = negated(holding, fields);
    for (const [name, rules] of Object.entries(otherwise?.keys ?? {})) add(name, rulesOf(rules, failing));
  }
  for (const [name, field] of Object.entries(fields)) {
    for (const { ref, is, then, otherwise } of field.whens ?? []) {
      const [other] = ref?.path ?? [];
      if (other === undefined || is === undefined) continue;
      const holding = conditionOf({ [other]: is });
      const failing = negated(holding, fields);
      if (then !== undefined) add(name, rulesOf(then, holding, failing));
      if (otherwise !== undefined) add(name, rulesOf(otherwise, failing, holding));
    }
  }
  return found;
}

/** What the rules of a branch mean: required while its condition holds, or forbidden, so shown while it fails. */
function rulesOf(rules: FieldDescription, holding: When | undefined, failing?: When): ConditionalRules {
  if (rules.flags?.presence === 'required' && holding !== undefined) return { requiredWhen: holding, then: rules };
  return rules.flags?.presence === 'forbidden' && failing !== undefined ? { when: failing } : {};
}

/** A condition as data; undefined when it is more than a list of allowed values for each field. */
function conditionOf(keys: Readonly<Record<string, FieldDescription>>): When | undefined {
  const entries = Object.entries(keys).map(([name, is]) => [name, valuesOf(is) ?? []] as const);
  if (entries.length === 0 || entries.some(([, values]) => values.length === 0)) return undefined;
  return Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]));
}

/** The opposite of a condition on one field whose other values are known; else undefined. */
function negated(when: When | undefined, fields: Readonly<Record<string, FieldDescription>>): When | undefined {
  const [only, ...more] = typeof when === 'object' ? Object.entries(when) : [];
  if (only === undefined || more.length > 0) return undefined;
  const [name, wanted] = only;
  const field = fields[name];
  const all = field?.type === 'boolean' ? [true, false] : field === undefined ? undefined : valuesOf(field);
  const rest = all?.filter((value) => ![wanted].flat().includes(value)) ?? [];
  return rest.length === 0 ? undefined : { [name]: rest.length === 1 ? (rest[0] ?? '') : rest };
}
