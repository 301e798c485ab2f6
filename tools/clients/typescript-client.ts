import type { ClientField, ClientOperation, ClientPart } from './client-model.js';
import { comment, typeOf } from './typescript-types.js';

/** Members of the client and of a pipeline, which no operation may be named after. */
const RESERVED = ['jobs', 'asJob', 'url', 'call', 'start', 'request', 'pipeline', 'step', 'check', 'run', 'definition'];
/** One file for each operation. */
export const OPERATIONS = 'src/generated/operations';
const HEADER = '// Generated from the declarations of the operations by `npm run docs`.\n';

/** Returns the generated files of `clients/typescript` by their names in its folder. */
export function typescriptClient(model: readonly ClientOperation[]): Readonly<Record<string, string>> {
  const taken = model.filter(({ name }) => RESERVED.includes(name)).map(({ name }) => name);
  if (taken.length > 0) throw new Error(`The TypeScript client has members of these names: ${taken.join(', ')}`);
  const sorted = [...model].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    'src/generated/rows.ts': rows(sorted),
    'src/generated/all.ts': allFile(sorted),
    'src/generated/operations.ts': operationsFile(sorted),
    'src/generated/step-name.ts': stepsFile(sorted),
    ...Object.fromEntries(sorted.map((each) => [`${OPERATIONS}/${fileName(each)}.ts`, operationFile(each)])),
  };
}

/** One line for each operation, as `operation-table.ts` reads it. */
function rows(model: readonly ClientOperation[]): string {
  const lines = model.map(({ name, path, input, returns, parts, fields }) => {
    const flags = `${input === 'none' ? 'n' : ''}${returns.type === 'json' ? 'j' : ''}`;
    const documents = fields.filter(({ type }) => type === 'json').map((field) => field.name);
    return [name, path, flags, parts.map((part) => part.name).join(), documents.join()].join(' ').trimEnd();
  });
  return `${HEADER}export const rows = \`${lines.join('\n')}\`;\n`;
}

/** The types of one operation: its options, its JSON answer, and its method. */
function operationFile(operation: ClientOperation): string {
  const text = [
    ...block(optionsOf(operation)),
    ...block(answerOf(operation)),
    `export interface ${typeName(operation, '')} {\n${methodOf(operation)}\n}`,
    '',
  ].join('\n');
  const uses = (name: string): boolean => new RegExp(`[:<(|] ?(?:readonly )?${name}\\b`).test(text);
  const inputs = ['Input', 'Json'].filter(uses);
  const imports = [
    ...(uses('FileResult') ? ["import type { FileResult } from '../../file-result.js';"] : []),
    ...(inputs.length > 0 ? [`import type { ${inputs.join(', ')} } from '../../inputs.js';`] : []),
    "import type { CallOptions } from '../../transport.js';",
  ];
  return [HEADER, ...imports, '', text].join('\n');
}

function allFile(model: readonly ClientOperation[]): string {
  return `${HEADER}\n${model.map((each) => `export type * from './operations/${fileName(each)}.js';\n`).join('')}`;
}

function operationsFile(model: readonly ClientOperation[]): string {
  const all = model.map((each) => `    each.${typeName(each, '')}`);
  return [
    HEADER,
    "import type * as each from './all.js';",
    '',
    '/** A method for each operation. */',
    `export interface Operations\n  extends\n${all.join(',\n')} {}`,
    '',
  ].join('\n');
}

function stepsFile(model: readonly ClientOperation[]): string {
  const steps = model.filter(({ pipeline }) => pipeline).map(({ name }) => `  | '${name}'`);
  return `${HEADER}\n/** Operations that can be a step of a pipeline. */\nexport type StepName =\n${steps.join('\n')};\n`;
}

/** `rotatePdf` → `rotate-pdf`. */
function fileName({ name }: ClientOperation): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function block(text: string | undefined): string[] {
  return text === undefined ? [] : [text, ''];
}

function typeName(operation: Pick<ClientOperation, 'name'>, suffix: string): string {
  return `${operation.name.charAt(0).toUpperCase()}${operation.name.slice(1)}${suffix}`;
}

/** The interface of an operation's options; undefined if it has none. */
function optionsOf(operation: ClientOperation): string | undefined {
  if (!hasOptions(operation)) return undefined;
  const members = [...operation.fields.map(fieldMember), ...operation.parts.map(partMember)];
  return `export interface ${typeName(operation, 'Options')} {\n${members.join('\n')}\n}`;
}

function hasOptions({ fields, parts }: ClientOperation): boolean {
  return fields.length + parts.length > 0;
}

function fieldMember(field: ClientField): string {
  const facts = [field.description, limitsOf(field), defaultOf(field)].filter((text) => text !== '');
  const type = `${memberName(field.name)}${field.required ? '' : '?'}: ${fieldType(field)}`;
  return `${comment(facts.join(' '), 2)}\n  readonly ${type};`;
}

function partMember({ name, description, required, many, extensions }: ClientPart): string {
  const kinds = extensions.length === 0 ? '' : ` (${extensions.join(' ')})`;
  const type = many ? 'Input | readonly Input[]' : 'Input';
  return (
    `${comment(`${description.replace(/\.$/, '')}${kinds}.`, 2)}\n` +
    `  readonly ${memberName(name)}${required ? '' : '?'}: ${type};`
  );
}

function memberName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}

function fieldType({ type, values }: ClientField): string {
  if (values !== undefined && values.length > 0) {
    const all = [...new Set(values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))))];
    return type === 'list' ? `readonly (${all.join(' | ')})[]` : broken(all);
  }
  const plain = { text: 'string', number: 'number', integer: 'number', boolean: 'boolean', json: 'Json' } as const;
  if (type === 'list') return 'string | readonly (string | number)[]';
  return type === 'map' ? 'Readonly<Record<string, string | number | boolean>>' : plain[type];
}

/** A union, one member on a line where they do not fit. */
function broken(members: readonly string[]): string {
  const line = members.join(' | ');
  return line.length <= 80 ? line : `\n${members.map((member) => `    | ${member}`).join('\n')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function limitsOf({ type, minimum, maximum, above, below, unit }: ClientField): string {
  const from = minimum === undefined ? '' : above === true ? `more than ${minimum}` : `from ${minimum}`;
  const to = maximum === undefined ? '' : below === true ? `less than ${maximum}` : `to ${maximum}`;
  const range = [from, to].filter((text) => text !== '').join(' ');
  const words = [type === 'integer' ? 'whole number' : '', range, range === '' ? '' : (unit ?? '')];
  const text = words.filter((word) => word !== '').join(' ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function defaultOf({ default: value }: ClientField): string {
  if (value === undefined || value === '') return '';
  return `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}.`;
}

/** The type of an operation's JSON answer; undefined for a file. */
function answerOf(operation: ClientOperation): string | undefined {
  const { schema, type } = operation.returns;
  if (type !== 'json') return undefined;
  return `/** Answer of \`${operation.name}\`. */\nexport type ${typeName(operation, 'Answer')} = ${typeOf(schema ?? {}, 0)};`;
}

function methodOf(operation: ClientOperation): string {
  const { name, summary, notes, input, returns, fields, parts, path, deprecated } = operation;
  const required = [...fields, ...parts].some((each) => each.required);
  const file = returns.mayDrop ? 'FileResult | undefined' : 'FileResult';
  const parameters = [
    ...(input === 'none' ? [] : [input === 'many' ? 'files: Input | readonly Input[]' : 'file: Input']),
    `options${required ? '' : '?'}: ${hasOptions(operation) ? typeName(operation, 'Options') : 'Record<never, never>'}`,
    'call?: CallOptions',
  ];
  const texts = [`${summary}.`, ...(notes === undefined ? [] : [notes]), `POST /api/v1/${path}`];
  if (deprecated !== undefined) texts.push(`@deprecated${deprecated === '' ? '' : ` Use ${deprecated}.`}`);
  const result = returns.type === 'json' ? typeName(operation, 'Answer') : file;
  const line = `  ${name}(${parameters.join(', ')}): Promise<${result}>;`;
  const signature =
    line.length <= 120
      ? line
      : `  ${name}(\n${parameters.map((each) => `    ${each},`).join('\n')}\n  ): Promise<${result}>;`;
  return `${comment(texts.join('\n\n'), 2)}\n${signature}`;
}
