import type { JsonSchema } from './json-schema.js';

const COLUMNS = 118;
/** Characters of a union on one line. */
const LONGEST_UNION = 80;

/** Returns a documentation comment, wrapped. `text` is Markdown with paragraphs between empty lines. */
export function comment(text: string, indent: number): string {
  const space = ' '.repeat(indent);
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line) => wrapped(line, COLUMNS - indent - 3));
  if (lines.length === 1 && `${space}/** ${lines[0]} */`.length <= 120) return `${space}/** ${lines[0]} */`;
  return [`${space}/**`, ...lines.map((line) => `${space} * ${line}`.trimEnd()), `${space} */`].join('\n');
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Returns the TypeScript type of what a schema describes. */
export function typeOf(schema: JsonSchema, indent: number): string {
  const { enum: values, type, properties, items, additionalProperties } = schema;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined)
    return union(
      alternatives.map((each) => typeOf(each, indent)),
      isNullable(schema),
    );
  if (values !== undefined)
    return union(
      values.map((value) => JSON.stringify(value).replaceAll('"', "'")),
      isNullable(schema),
    );
  if (Array.isArray(type))
    return union(
      type.map((each: string) => typeOf({ ...schema, type: each }, indent)),
      false,
    );
  const plain =
    properties !== undefined
      ? objectType(schema, indent)
      : items !== undefined
        ? `readonly ${parenthesised(typeOf(items, indent))}[]`
        : typeof additionalProperties === 'object'
          ? `Readonly<Record<string, ${typeOf(additionalProperties, indent)}>>`
          : usualType(type);
  return union([plain], isNullable(schema));
}

/** OpenAPI 3.0 says it by a member of its own. */
function isNullable(schema: JsonSchema): boolean {
  return schema.nullable === true;
}

function usualType(type: JsonSchema['type']): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return 'readonly unknown[]';
    case 'object':
      return 'Readonly<Record<string, unknown>>';
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [] }: JsonSchema, indent: number): string {
  const space = ' '.repeat(indent + 2);
  const members = Object.entries(properties).flatMap(([name, member]) => [
    ...(member.description === undefined ? [] : [comment(member.description, indent + 2)]),
    `${space}readonly ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name).replaceAll('"', "'")}` +
      `${required.includes(name) ? '' : '?'}: ${typeOf(member, indent + 2)};`,
  ]);
  return members.length === 0
    ? 'Readonly<Record<string, unknown>>'
    : `{\n${members.join('\n')}\n${' '.repeat(indent)}}`;
}

function union(types: readonly string[], nullable: boolean): string {
  const members = [...new Set([...types, ...(nullable ? ['null'] : [])])];
  const line = members.join(' | ');
  return line.length <= LONGEST_UNION || line.includes('\n') ? line : `\n    | ${members.join('\n    | ')}`;
}

function parenthesised(type: string): string {
  return /[|&]|^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type;
}
