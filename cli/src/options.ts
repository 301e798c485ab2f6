import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { ShownField, ShownOperation, ShownPart } from '@quire/registry';
import { kebab, searchOperations } from './command-names.js';
import { EXIT, Failure } from './failure.js';

type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** Options of every command. */
export const GLOBAL_OPTIONS = {
  url: { type: 'string' },
  local: { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

/** Options of commands with results. */
export const RESULT_OPTIONS = {
  output: { type: 'string', short: 'o' },
  force: { type: 'boolean', short: 'f' },
  job: { type: 'boolean' },
} as const satisfies OptionTable;

export interface GlobalValues {
  readonly url?: string | undefined;
  readonly local?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly help?: boolean | undefined;
}

export interface ResultValues extends GlobalValues {
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
  readonly job?: boolean | undefined;
}

/** What a command needs to know of the tool that it runs: an operation of the catalog, or a saved pipeline. */
export type Tool = Pick<
  ShownOperation,
  'name' | 'path' | 'summary' | 'notes' | 'files' | 'parts' | 'fields' | 'returns' | 'job'
>;

/** The name of a field's option: `--page-numbers`; `--field-json` for one that every command has as well. */
export function optionName({ name }: Pick<ShownField, 'name'>): string {
  const option = kebab(name);
  return option in GLOBAL_OPTIONS || option in RESULT_OPTIONS ? `field-${option}` : option;
}

/** File fields besides the documents. */
export function secondFiles({ parts }: Pick<ShownOperation, 'parts'>): readonly ShownPart[] {
  return parts.filter(({ field }) => field !== 'fileInput');
}

/** The call that a command line asks for. */
export interface ParsedCall {
  readonly global: ResultValues;
  readonly inputs: readonly string[];
  /** Fields, with files as `{ path }`. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Reads the arguments of an operation's command. Throws a Failure for unknown or incomplete options. */
export function parseOperation(operation: Tool, args: readonly string[]): ParsedCall {
  const table: OptionTable = { ...GLOBAL_OPTIONS, ...RESULT_OPTIONS };
  const fieldOf = new Map<string, { readonly field: string; readonly isFile: boolean }>();
  for (const field of operation.fields) {
    table[optionName(field)] =
      field.type === 'boolean' ? { type: 'boolean' } : { type: 'string', multiple: field.type === 'list' };
    fieldOf.set(optionName(field), { field: field.name, isFile: false });
  }
  for (const part of secondFiles(operation)) {
    const name = optionName({ name: part.field });
    table[name] = { type: 'string', multiple: part.many };
    fieldOf.set(name, { field: part.field, isFile: true });
  }
  const { values, positionals } = parse(table, args, kebab(operation.name));
  const options: Record<string, unknown> = {};
  for (const [name, { field, isFile }] of fieldOf) {
    const value = values[name];
    if (value === undefined) continue;
    options[field] = !isFile ? value : Array.isArray(value) ? value.map((path) => ({ path })) : { path: value };
  }
  return { global: values as ResultValues, inputs: positionals, options };
}

/** Reads arguments. Throws a Failure that names the wrong option and similar ones. */
export function parse(
  table: OptionTable,
  args: readonly string[],
  command: string,
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: withPlainBooleans(table, joinedNegatives(table, args)),
      options: table,
      allowPositionals: true,
      allowNegative: true,
    });
    return { values, positionals };
  } catch (error) {
    const unknown = /^Unknown option '--?([^']+)'/.exec((error as Error).message)?.[1];
    if (unknown === undefined) throw new Failure(EXIT.usage, (error as Error).message, `Help: quire ${command} --help`);
    const names = Object.keys(table).map((name) => ({ name, title: name, path: name, keywords: [] }));
    const near = searchOperations(names, kebab(unknown)).map(({ name }) => `--${name}`);
    const hint = near.length === 0 ? `Help: quire ${command} --help` : `Did you mean ${near.join(' or ')}?`;
    throw new Failure(EXIT.usage, `${command} has no option --${unknown}.`, hint);
  }
}

/** `--angle -90` is the value -90, which parseArgs would take for options. */
function joinedNegatives(table: OptionTable, args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = /^--([^=]+)$/.exec(joined.at(-1) ?? '')?.[1];
    if (before !== undefined && table[before]?.type === 'string' && /^-\d/.test(arg))
      joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** `--dashed=true` and `--dashed=false`, as the fields are sent. */
function withPlainBooleans(table: OptionTable, args: readonly string[]): string[] {
  return args.map((arg) => {
    const [, name = '', value] = /^--([^=]+)=(true|false)$/.exec(arg) ?? [];
    if (table[name]?.type !== 'boolean') return arg;
    return value === 'true' ? `--${name}` : `--no-${name}`;
  });
}
