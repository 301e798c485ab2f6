import Joi from 'joi';
import type { AnyOperation, Plugin } from '@quire/registry';

/** One field of a form, as plain data that survives JSON. */
export interface FieldShape {
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  readonly default?: unknown;
  /** The only values allowed, where the schema lists them. */
  readonly allowed?: readonly unknown[];
  readonly min?: number;
  readonly max?: number;
}

/** The properties of an operation that callers rely on. */
export interface OperationShape {
  readonly accepts: readonly string[];
  readonly files: 'each' | 'all';
  readonly returns: string;
  readonly fields: Readonly<Record<string, FieldShape>>;
  readonly aliases: Readonly<Record<string, string>>;
  readonly parts: readonly string[];
}

/** The contract of a plugin at one version; written to `operations.json` at each release. */
export interface PluginShape {
  readonly version: string;
  readonly operations: Readonly<Record<string, OperationShape>>;
}

/** The part of Joi's own description that is read here. */
interface JoiDescription {
  readonly type?: string;
  readonly flags?: {
    readonly presence?: string;
    readonly only?: boolean;
    readonly default?: unknown;
    readonly description?: string;
  };
  readonly allow?: readonly unknown[];
  readonly rules?: readonly { readonly name: string; readonly args?: { readonly limit?: unknown } }[];
  readonly keys?: Readonly<Record<string, JoiDescription>>;
  readonly items?: readonly JoiDescription[];
}

/** Describes the fields of an operation's form from its schema. */
export function describeFields(operation: AnyOperation): Readonly<Record<string, FieldShape>> {
  const description = operation.params(Joi).describe() as JoiDescription;
  return Object.fromEntries(
    Object.entries(description.keys ?? {}).map(([name, field]) => [name, describeField(field)]),
  );
}

function describeField(field: JoiDescription): FieldShape {
  const limit = (rule: string): number | undefined => {
    const found = field.rules?.find(({ name }) => name === rule)?.args?.limit;
    return typeof found === 'number' ? found : undefined;
  };
  const values = (field.allow ?? []).filter((value) => value === null || typeof value !== 'object');
  const fallback = field.flags?.default;
  const shape: Record<keyof FieldShape, unknown> = {
    type: field.type === 'array' ? `list of ${field.items?.[0]?.type ?? 'any'}` : (field.type ?? 'any'),
    required: field.flags?.presence === 'required',
    description: field.flags?.description,
    default: typeof fallback === 'function' || fallback === undefined ? undefined : fallback,
    allowed: field.flags?.only === true ? values : undefined,
    min: limit('min'),
    max: limit('max'),
  };
  return Object.fromEntries(
    Object.entries(shape).filter(([, member]) => member !== undefined),
  ) as unknown as FieldShape;
}

/** Describes the properties of an operation that callers rely on. */
export function describeOperation(operation: AnyOperation): OperationShape {
  return {
    accepts: operation.accepts,
    files: operation.files,
    returns: returnsOf(operation),
    fields: describeFields(operation),
    aliases: operation.aliases ?? {},
    parts: (operation.parts ?? []).map(({ field }) => field),
  };
}

function returnsOf({ returns }: AnyOperation): string {
  if ('json' in returns) return 'json';
  const { kind } = returns;
  return typeof kind === 'string'
    ? kind
    : Object.entries(kind.map)
        .map(([value, result]) => `${kind.by}=${value}:${result}`)
        .join(' ');
}

/** Describes the contract of a plugin, sorted by path. */
export function describePluginShape(plugin: Plugin, version: string): PluginShape {
  const operations = [...plugin.operations]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((operation) => [operation.path, describeOperation(operation)] as const);
  return JSON.parse(JSON.stringify({ version, operations: Object.fromEntries(operations) })) as PluginShape;
}

/**
 * Lists every way in which a call that was valid before would now be refused, ignored or answered differently. Empty
 * when there is none.
 */
export function narrowings(before: PluginShape, now: PluginShape): string[] {
  return Object.entries(before.operations).flatMap(([path, old]) => {
    const current = now.operations[path];
    if (current === undefined) return [`${path}: the operation was removed`];
    return operationNarrowings(old, current).map((problem) => `${path}: ${problem}`);
  });
}

function operationNarrowings(old: OperationShape, now: OperationShape): string[] {
  const problems: string[] = [];
  const lost = (what: string, before: readonly string[], after: readonly string[]): void => {
    if (after.includes('any')) return;
    for (const value of before) if (!after.includes(value)) problems.push(`${what} ${value} is no longer accepted`);
  };
  lost('file type', old.accepts, now.accepts);
  lost('file part', old.parts, now.parts);
  lost('alias', Object.keys(old.aliases), [...Object.keys(now.aliases), ...Object.keys(now.fields)]);
  if (old.returns !== now.returns) problems.push(`it returned ${old.returns} and now returns ${now.returns}`);
  if (old.files !== now.files)
    problems.push(`it accepted files as "${old.files}" and now accepts them as "${now.files}"`);
  for (const [name, field] of Object.entries(old.fields)) {
    const current = now.fields[name];
    if (current === undefined && !(name in now.aliases)) problems.push(`field ${name} was removed`);
    else if (current !== undefined)
      problems.push(...fieldNarrowings(field, current).map((problem) => `field ${name} ${problem}`));
  }
  for (const [name, field] of Object.entries(now.fields)) {
    if (field.required && old.fields[name]?.required !== true) problems.push(`field ${name} is now required`);
  }
  return problems;
}

function fieldNarrowings(old: FieldShape, now: FieldShape): string[] {
  const problems: string[] = [];
  if (old.type !== now.type) problems.push(`was ${old.type} and is now ${now.type}`);
  if (now.allowed !== undefined) {
    const gone =
      old.allowed === undefined
        ? ['values outside a list']
        : old.allowed.filter((value) => !now.allowed?.includes(value)).map(String);
    if (gone.length > 0) problems.push(`no longer accepts ${gone.join(', ')}`);
  }
  if (now.min !== undefined && (old.min === undefined || now.min > old.min))
    problems.push(`minimum is now ${now.min}, before ${old.min ?? 'any value'}`);
  if (now.max !== undefined && (old.max === undefined || now.max < old.max))
    problems.push(`maximum is now ${now.max}, before ${old.max ?? 'any value'}`);
  if (JSON.stringify(old.default) !== JSON.stringify(now.default))
    problems.push(`had the default ${JSON.stringify(old.default)}, now ${JSON.stringify(now.default)}`);
  return problems;
}
