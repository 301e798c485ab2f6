import type { ShownField, ShownPart } from '@quire/registry';
import { kebab, shortForm } from './command-names.js';
import { optionName, secondFiles, type Tool } from './options.js';

const COLUMN = 30;
const WIDTH = 100;

export const GENERAL_HELP = `Usage: quire <command> [files] [options]

  quire rotate in.pdf --angle 90 -o out.pdf    run a tool; every tool of the server is a command
  quire merge a.pdf b.pdf -o both.pdf
  quire stamp-invoices in.pdf --year 2026      run a pipeline that was saved on the server
  quire tools [search]                         list the tools and the saved pipelines
  quire <tool> --help                          options of a tool
  quire pipeline run flow.json *.pdf -o out/   run a pipeline; "pipeline check" only checks it
  quire jobs [show|wait|result|cancel <id>]    work in the background (start it with --job)
  quire import-automations exported.json       make automations of exports and of pipelines of watched folders;
                                               --dry-run only reports what differs
  quire login, quire logout                    keep the address and the key of a server
  quire doctor                                 what is set up, and what is missing
  quire serve                                  start a server (the same as quire without arguments)
  quire completion bash|zsh|fish|powershell    script that completes commands and options

Options of every command:
  -o, --output <path>     file or folder of the result; "-" is standard output
  -f, --force             overwrite existing files
      --job               start a job and print its id
      --json              print results and errors as JSON
      --url <address>     server to call (QUIRE_URL); without one, a local server is started
      --local             use the local server although an address is set
  -q, --quiet             no notes and no progress
  -h, --help              this text
      --version

Files are paths, folders, patterns, or "-" for standard input. The key of a server is read from QUIRE_API_KEY.`;

/** The help of a tool's command. */
export function operationHelp(operation: Tool): string {
  const { name, summary, notes, fields, parts, files } = operation;
  const command = kebab(name);
  const document = parts.find(({ field }) => field === 'fileInput');
  const usage = document === undefined ? '' : files === 'all' ? ' <files>' : ' <file> …';
  const also = shortForm(command);
  const lines = [
    `${summary}.`,
    '',
    `Usage: quire ${command}${usage} [options]`,
    ...(also === command ? [] : [`Also:  quire ${also}`]),
    ...(document === undefined || document.extensions.length === 0 ? [] : [`Files: ${document.extensions.join(' ')}`]),
  ];
  const options = [...fields.map(fieldLines), ...secondFiles(operation).map(partLines)];
  if (options.length > 0) lines.push('', 'Options:', ...options.flat());
  if (notes !== undefined) lines.push('', ...notes.split('\n').flatMap((line) => wrapped(line, WIDTH)));
  return [...lines, '', 'Options of every command: quire --help'].join('\n');
}

function fieldLines(field: ShownField): string[] {
  const { type, help, label, required, default: usual, values, minimum, maximum, unit } = field;
  const value = type === 'boolean' ? '' : ` <${type === 'text' ? 'text' : type}>`;
  const range =
    minimum === undefined && maximum === undefined
      ? ''
      : `From ${minimum ?? '…'} to ${maximum ?? '…'}${unit === undefined ? '' : ` ${unit}`}.`;
  const facts = [
    help ?? `${label}.`,
    values === undefined || type === 'boolean' ? '' : `One of: ${values.map((each) => String(each.value)).join(', ')}.`,
    range,
    usual === undefined || usual === '' ? '' : `Default: ${typeof usual === 'string' ? usual : JSON.stringify(usual)}.`,
    required ? 'Required.' : '',
  ];
  return optionLines(`--${optionName(field)}${value}`, facts.filter((fact) => fact !== '').join(' '));
}

function partLines({ field, help, label, required, extensions, many }: ShownPart): string[] {
  const kinds = extensions.length === 0 ? '' : ` (${extensions.join(' ')})`;
  const text = `${help ?? label}${kinds}.${many ? ' May be repeated.' : ''}${required ? ' Required.' : ''}`;
  return optionLines(`--${optionName({ name: field })} <file>`, text);
}

function optionLines(option: string, text: string): string[] {
  const [first = '', ...rest] = wrapped(text, WIDTH - COLUMN);
  const indent = ' '.repeat(COLUMN);
  const head = `  ${option}`;
  return [
    ...(head.length < COLUMN - 1 ? [`${head.padEnd(COLUMN)}${first}`] : [head, `${indent}${first}`]),
    ...rest.map((line) => `${indent}${line}`),
  ];
}

function wrapped(text: string, columns: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
