import { showOperation, type OperationPresentation } from '@quire/catalog';
import Joi from 'joi';
import type { OperationSources } from './operation-sources.js';
import {
  type AnyOperation,
  type Example,
  type When,
  effectsOf,
  errorRow,
  kindInfo,
  rewriteConditions,
  type ConcreteKind,
} from '@quire/registry';
import { type FieldShape, describeFields } from '../test/kit/operation-shape.js';

/** An operation with its package. */
export interface DocumentedOperation {
  readonly operation: AnyOperation;
  readonly packageName: string;
  /** Files that declare and implement the operation, relative to the repository. */
  readonly sources: OperationSources;
}

/** Returns the file name of an operation's page: `general-rotate-pdf.md`. */
export function pageName(path: string): string {
  return `${path.replaceAll('/', '-')}.md`;
}

/** Returns the page of one operation: inputs, outputs, errors, and examples that the tests run. */
export function operationPage({ operation, packageName, sources }: DocumentedOperation): string {
  const schema = operation.params(Joi) as Joi.ObjectSchema;
  const shown = showOperation({ operation, schema }, () => undefined);
  const lines = [
    `# ${operation.summary}`,
    '',
    `${shown.title} · \`POST /api/v1/${operation.path}\` · since ${operation.since} · \`${packageName}\``,
    '',
    ...(operation.deprecated === undefined
      ? []
      : [
          `**Deprecated** since ${operation.deprecated.since}, removed in ${operation.deprecated.removeIn}` +
            `${operation.deprecated.use === undefined ? '' : `; use \`/api/v1/${operation.deprecated.use}\``}.`,
          '',
        ]),
    ...(operation.notes === undefined ? [] : [operation.notes, '']),
    ...((operation.keywords ?? []).length === 0 ? [] : [`Also known as: ${operation.keywords?.join(', ')}.`, '']),
    '## Input',
    '',
    operation.accepts.length === 0
      ? 'No file.'
      : 'Files in ' +
        `\`fileInput\`${(operation.fileAliases ?? []).map((name) => ` (also sent as \`${name}\`)`).join('')}: ` +
        `${operation.accepts.map(kindName).join(', ')}${operation.files === 'all' ? '; all files in one call' : ''}.`,
    '',
    ...partLines(operation, shown),
    ...fieldLines(operation, shown),
    '## Output',
    '',
    returnsText(operation),
    '',
    ...effectLines(operation),
    ...needLines(operation),
    '## Errors',
    '',
    'In addition to the codes of every operation ([errors](../errors.md)):',
    '',
    ...(operation.errors.length === 0
      ? ['none.']
      : operation.errors.map((code) => `- \`${code}\` (${errorRow(code).status}): ${errorRow(code).title}`)),
    '',
    '## Examples',
    '',
    ...(operation.examples as readonly Example<unknown>[]).flatMap((example) => exampleLines(operation, example)),
    '## Source',
    '',
    `Declared in ${sourceLink(sources.declaration)}.${
      sources.work.length === 0 ? '' : ` The work is done in ${sources.work.map(sourceLink).join(', ')}.`
    }`,
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Returns a link from an operation's page to a source file. */
function sourceLink(path: string): string {
  return `[\`${path}\`](../../../${path})`;
}

function kindName(kind: string): string {
  return kind === 'any'
    ? 'any file'
    : kindInfo(kind as ConcreteKind)
        .extensions.map((extension) => `\`.${extension}\``)
        .join(' ');
}

function partLines(operation: AnyOperation, shown: OperationPresentation): string[] {
  if ((operation.parts ?? []).length === 0) return [];
  return [
    '| File field | Label | Kinds | Required | Meaning |',
    '|---|---|---|---|---|',
    ...(operation.parts ?? []).map(
      ({ field, kinds, requiredWhen, description, many }) =>
        `| \`${field}\` | ${shown.parts.find((part) => part.field === field)?.label ?? ''} | ${kinds.map(kindName).join(', ')} | ${whenText(requiredWhen)} | ` +
        `${cell(description)}${many === true ? ' May be repeated.' : ''} |`,
    ),
    '',
  ];
}

function whenText(when: When | undefined): string {
  if (when === undefined) return 'no';
  if (when === 'always') return 'yes';
  return `when ${Object.entries(when)
    .map(
      ([field, value]) =>
        `\`${field}\` is ${[value]
          .flat()
          .map((one) => (one === '' ? 'empty' : `\`${String(one)}\``))
          .join(' or ')}`,
    )
    .join(' and ')}`;
}

function fieldLines(operation: AnyOperation, shown: OperationPresentation): string[] {
  const fields = Object.entries(describeFields(operation));
  if (fields.length === 0) return ['No parameters.', ''];
  const aliases = Object.entries(operation.aliases ?? {});
  const aliasOf = (name: string): string =>
    aliases
      .filter(([, field]) => field === name)
      .map(([alias]) => ` Also sent as \`${alias}\`.`)
      .join('');
  const labelOf = (name: string): string => {
    const field = shown.fields.find((each) => each.name === name);
    return field === undefined ? '' : `${field.label}${field.unit === undefined ? '' : ` (${field.unit})`}`;
  };
  return [
    '| Field | Label | Type | Default | Meaning |',
    '|---|---|---|---|---|',
    ...fields.map(
      ([name, field]) =>
        `| \`${name}\` | ${labelOf(name)} | ${typeText(field)} | ${defaultText(field)} | ` +
        `${cell(field.description ?? '')}${aliasOf(name)} |`,
    ),
    '',
  ];
}

function typeText({ type, allowed, min, max }: FieldShape): string {
  if (allowed !== undefined)
    return allowed
      .filter((value) => value !== '')
      .map((value) => `\`${String(value)}\``)
      .join(', ');
  const range = [min === undefined ? '' : `from ${min}`, max === undefined ? '' : `to ${max}`]
    .filter((text) => text !== '')
    .join(' ');
  const unit = type === 'string' ? ' (length)' : type.startsWith('list') ? ' (count)' : '';
  return range === '' ? type : `${type} ${range}${unit}`;
}

function defaultText(field: FieldShape): string {
  if (field.required) return '**required**';
  return field.default === undefined
    ? ''
    : `\`${typeof field.default === 'string' ? field.default : JSON.stringify(field.default)}\``;
}

function returnsText(operation: AnyOperation): string {
  const { returns } = operation;
  if ('json' in returns) return 'JSON.';
  const { kind } = returns;
  const what =
    typeof kind === 'string'
      ? kind === 'same'
        ? 'a file of the type that was sent'
        : kind === 'any'
          ? 'files of any type'
          : kindName(kind)
      : `the type in \`${kind.by}\``;
  const many =
    returns.many === undefined ? '' : `; several files are returned as a zip, \`${returns.many.archive}.zip\``;
  const drop =
    returns.mayDrop === true ? '; 204 without a file if the file does not match (in a pipeline it is dropped)' : '';
  const pages = returns.pages === 'same' ? ' The page count does not change.' : '';
  return (
    `${what}, named \`${returns.name}\`` +
    `${returns.nameWhen === undefined ? '' : ` (\`${returns.nameWhen.name}\` ${whenText(returns.nameWhen.when)})`}` +
    `${many}${drop}.${pages}`
  );
}

function effectLines(operation: AnyOperation): string[] {
  const effects = effectsOf(operation);
  const writes =
    operation.writes === undefined
      ? []
      : [
          [
            `Write mode: \`${operation.writes}\` ([explained](../../internals/adr/0012-write-modes.md))`,
            ...rewriteConditions(operation).map((when, i) => `${i === 0 ? '; `rewrite`' : ' or'} ${whenText(when)}`),
            ...(operation.signedInput === 'allowed' ? ['; accepts signed PDFs'] : []),
            '.',
          ].join(''),
          '',
        ];
  return effects.length === 0
    ? writes
    : [...writes, `Effects on the document: ${effects.map((effect) => `\`${effect}\``).join(', ')}.`, ''];
}

function needLines(operation: AnyOperation): string[] {
  const { programs = [], settings = [] } = operation.needs ?? {};
  const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  return [
    ...(programs.length === 0 ? [] : [`Needs ${listed(programs)} on the server; without it the answer is 503.`, '']),
    ...(settings.length === 0 ? [] : [`Needs settings of the server: ${listed(settings)}.`, '']),
  ];
}

function exampleLines(operation: AnyOperation, example: Example<unknown>): string[] {
  const form = [
    ...example.files.map((file) => `fileInput=@${file}`),
    ...Object.entries(example.parts ?? {}).map(([field, file]) => `${field}=@${file}`),
    ...Object.entries(example.params as Record<string, unknown>).flatMap(([field, value]) =>
      [value].flat().map((one) => `${field}=${typeof one === 'object' ? JSON.stringify(one) : String(one)}`),
    ),
  ];
  return [
    `### ${example.title[0]?.toUpperCase() ?? ''}${example.title.slice(1)}`,
    '',
    '```sh',
    `curl ${form.map((part) => `-F '${part.replaceAll("'", "'\\''")}'`).join(' ')} -OJ ` +
      `http://localhost:8080/api/v1/${operation.path}`,
    '```',
    '',
    ...expectLines(example),
  ];
}

function expectLines({ expect }: Example<unknown>): string[] {
  if (expect.refused !== undefined) return [`Answer: ${errorRow(expect.refused).status} \`${expect.refused}\`.`, ''];
  if (expect.dropped === true) return ['Answer: 204, no file.', ''];
  const parts = [
    ...(expect.names === undefined ? [] : [expect.names.map((name) => `\`${name}\``).join(', ')]),
    ...(expect.pages === undefined
      ? []
      : [`${expect.pages.join(', ')} page${expect.pages.length === 1 && expect.pages[0] === 1 ? '' : 's'}`]),
    ...(expect.json === undefined ? [] : [`\`${JSON.stringify(expect.json)}\``]),
  ];
  return parts.length === 0 ? [] : [`Answer: ${parts.join(', ')}.`, ''];
}

/** Escapes text for a table cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
