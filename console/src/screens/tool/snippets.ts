import type { ShownOperation } from '@quire/registry';
import { apiAddress, config } from '../../api/index.ts';
import type { Draft } from './draft.ts';
import { formTexts, parametersOf } from '../../form/values.ts';

export interface Snippet {
  readonly id: string;
  readonly label: string;
  readonly text: string;
}

/** The call of the form, as a program makes it. */
export function snippetsOf(draft: Draft): readonly Snippet[] {
  const call = callOf(draft);
  return [
    ...callSnippets(call),
    ...(draft.operation.pipeline ? [{ id: 'step', label: 'Pipeline', text: step(call) }] : []),
  ];
}

/** A call in several programming languages. */
export function callSnippets(call: FormCall): readonly Snippet[] {
  return [
    { id: 'curl', label: 'curl', text: curl(call) },
    { id: 'fetch', label: 'JavaScript', text: javascript(call) },
    { id: 'python', label: 'Python', text: python(call) },
  ];
}

/** A form that is sent: texts and files by field. */
export interface FormCall {
  readonly address: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly files: readonly (readonly [string, string])[];
  readonly output: string;
  readonly needsKey: boolean;
}

interface Call extends FormCall {
  readonly operation: ShownOperation;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function callOf(draft: Draft): Call {
  const { operation } = draft;
  const parameters = parametersOf(operation, draft.values.value, true);
  const kind = operation.returns.kinds[0];
  return {
    operation,
    parameters,
    address: apiAddress(operation.path),
    fields: Object.entries(parameters).flatMap(([name, value]) =>
      formTexts(value).map((text) => [name, text] as const),
    ),
    files: draft.shownParts.flatMap(({ field, extensions, required }) => {
      const chosen = (draft.files.value[field] ?? []).map(({ file }) => file.name);
      const shown = chosen.length > 0 ? chosen : required ? [`document${extensions[0] ?? ''}`] : [];
      return shown.map((name) => [field, name] as const);
    }),
    output:
      operation.returns.type === 'json'
        ? 'result.json'
        : `result.${operation.returns.many ? 'zip' : kind === undefined || ['same', 'any'].includes(kind) ? 'pdf' : kind}`,
    needsKey: config.value?.enableLogin === true,
  };
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function curl({ address, fields, files, output, needsKey }: FormCall): string {
  const lines = [
    `curl --fail-with-body -o ${quoted(output)} ${quoted(address)}`,
    ...(needsKey ? [`-H "X-API-KEY: $QUIRE_KEY"`] : []),
    ...files.map(([name, file]) => `-F ${quoted(`${name}=@${fileArgument(file)}`)}`),
    // A text that begins with @ or < would be read as the name of a file.
    ...fields.map(
      ([name, text]) => `${/^[@<]/.test(text) ? '--form-string' : '-F'} ${quoted(`${name}=${formArgument(text)}`)}`,
    ),
  ];
  return lines.join(' \\\n  ');
}

/** curl ends a name at `;` and `,` unless it is in double quotes. */
function fileArgument(name: string): string {
  return /[;,"]/.test(name) ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"` : name;
}

/** curl ends the text of a field at `;type=` and the like. */
function formArgument(text: string): string {
  return /;/.test(text) || text.startsWith('"') ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : text;
}

function javascript({ address, fields, files, needsKey }: FormCall): string {
  const single = files.length === 1;
  return [
    'const form = new FormData();',
    ...files.map(
      ([name, file], i) => `form.append(${text(name)}, file${single ? '' : i + 1}, ${text(file)}); // a File or Blob`,
    ),
    ...fields.map(([name, value]) => `form.append(${text(name)}, ${text(value)});`),
    `const response = await fetch(${text(address)}, {`,
    `  method: 'POST',`,
    ...(needsKey ? [`  headers: { 'X-API-KEY': key },`] : []),
    '  body: form,',
    '});',
    'if (!response.ok) throw new Error((await response.json()).detail);',
    'const result = await response.blob();',
  ].join('\n');
}

function text(value: string): string {
  return `'${value
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\n', String.raw`\n`)}'`;
}

function python({ address, fields, files, output, needsKey }: FormCall): string {
  return [
    'import requests',
    '',
    'response = requests.post(',
    `    ${text(address)},`,
    ...(needsKey ? [`    headers={'X-API-KEY': key},`] : []),
    ...(files.length === 0
      ? []
      : [
          '    files=[',
          ...files.map(([name, file]) => `        (${text(name)}, open(${text(file)}, 'rb')),`),
          '    ],',
        ]),
    ...(fields.length === 0
      ? []
      : ['    data=[', ...fields.map(([name, value]) => `        (${text(name)}, ${text(value)}),`), '    ],']),
    ')',
    'if not response.ok:',
    `    raise RuntimeError(response.json()['detail'])`,
    `with open(${text(output)}, 'wb') as file:`,
    '    file.write(response.content)',
  ].join('\n');
}

function step({ operation, parameters }: Call): string {
  return JSON.stringify({ operation: `/api/v1/${operation.path}`, parameters }, undefined, 2);
}
