import type { ClientField, ClientOperation, ClientPart } from './client-model.js';
import { argumentName, snakeCase } from './python-names.js';

const WIDTH = 120;

/** Returns the docstring of a method, line by line; those of steps leave out notes and result. */
export function pythonDocstring(declared: ClientOperation, isCall: boolean): string[] {
  const operation = renamed(declared);
  const { summary, notes, deprecated } = operation;
  const head = wrapped(sentence(summary), 8, 8, '"""'.length + 1);
  const sections = [
    ...(deprecated === undefined ? [] : [wrapped(deprecation(deprecated), 8, 8)]),
    ...(notes === undefined || !isCall ? [] : notes.split(/\n{2,}/).map((text) => wrapped(plain(text), 8, 8))),
    ...argumentSection(operation, isCall),
    ...(isCall ? [['        Returns:', ...wrapped(returnsText(operation), 12, 16)]] : []),
  ];
  const [first = '', ...rest] = head;
  const lines = [first.replace(/^ {8}/, '        """'), ...rest, ...sections.flatMap((section) => ['', ...section])];
  const closed = lines.length === 1 ? [`${lines[0]}"""`] : [...lines, '        """'];
  return closed.some((line) => line.includes('\\'))
    ? closed.map((line, i) => (i === 0 ? line.replace('"""', 'r"""') : line))
    : closed;
}

function deprecation(use: string): string {
  return use === '' ? 'Deprecated.' : `Deprecated: use /api/v1/${use}.`;
}

function argumentSection({ input, extensions, fields, parts }: ClientOperation, isCall: boolean): string[][] {
  const documents =
    !isCall || input === 'none'
      ? []
      : [`${input === 'many' ? 'files: The documents' : 'file: The document'}${typesText(extensions)}.`];
  const lines = [...documents, ...fields.map(fieldText), ...parts.map(partText)];
  return lines.length === 0 ? [] : [['        Args:', ...lines.flatMap((line) => wrapped(line, 12, 16))]];
}

function fieldText(field: ClientField): string {
  const { name, type, description, minimum, maximum, above, below, unit } = field;
  const range = [
    minimum === undefined ? '' : `${above === true ? 'more than' : 'from'} ${minimum}`,
    maximum === undefined ? '' : `${below === true ? 'less than' : 'to'} ${maximum}`,
  ].filter((text) => text !== '');
  const facts = [
    ...(range.length === 0 ? [] : [`${capital(range.join(' '))}${unit === undefined ? '' : ` ${unit}`}.`]),
    ...(type === 'json' ? ['Sent as JSON.'] : []),
    ...(field.default === undefined || field.default === '' ? [] : [`Default: ${pythonValue(field.default)}.`]),
  ];
  return `${argumentName(name)}: ${[plain(description), ...facts].join(' ')}`;
}

function partText({ name, description, many, extensions }: ClientPart): string {
  return `${argumentName(name)}: ${many ? 'Files' : 'A file'}${typesText(extensions)}. ${plain(description)}`;
}

function typesText(extensions: readonly string[]): string {
  return extensions.length === 0 ? '' : ` (${extensions.join(', ')})`;
}

function returnsText({ returns: { type, kinds, many, mayDrop } }: ClientOperation): string {
  if (type === 'json') return 'The JSON answer, as a dictionary or a list.';
  const kind = kinds.every((each) => each === 'same' || each === 'any') ? '' : ` (${kinds.join(', ')})`;
  return (
    `The document${kind}.` +
    `${many ? ' Several files come as a zip; see `Document.files`.' : ''}` +
    `${mayDrop ? ' `None` if the document does not match.' : ''}`
  );
}

function pythonValue(value: unknown): string {
  return value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);
}

/** Markdown as one line of plain text. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('"""', "'''").trim();
}

/** Gives the fields of an operation that its texts mention the names that they have in Python. */
function renamed(operation: ClientOperation): ClientOperation {
  const names = [...operation.fields, ...operation.parts].map(({ name }) => name).filter((name) => /[A-Z]/.test(name));
  if (names.length === 0) return operation;
  const mention = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');
  const rename = (text: string): string => text.replaceAll(mention, snakeCase);
  const described = <T extends { readonly description: string }>(each: T): T => ({
    ...each,
    description: rename(each.description),
  });
  return {
    ...operation,
    ...(operation.notes === undefined ? {} : { notes: rename(operation.notes) }),
    fields: operation.fields.map(described),
    parts: operation.parts.map(described),
  };
}

function sentence(text: string): string {
  return plain(text).replace(/(?<![.!?:])$/, '.');
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Breaks a text into lines of at most 120 columns; `reserved` columns of the first line are taken. */
export function wrapped(text: string, indent: number, hanging: number, reserved = 0): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(indent);
  let empty = true;
  for (const word of text.split(' ')) {
    const taken = lines.length === 0 ? reserved : 0;
    if (!empty && line.length + 1 + word.length + taken > WIDTH) {
      lines.push(line);
      line = ' '.repeat(hanging);
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line];
}
