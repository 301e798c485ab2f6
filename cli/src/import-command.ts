import { openAsBlob, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { EXIT, Failure } from './failure.js';
import { openInputs } from './inputs.js';
import { GLOBAL_OPTIONS, parse, type GlobalValues } from './options.js';
import { print, printJson } from './output.js';
import { connectTo } from './server.js';

/** What `POST /api/v1/automations/import` answers. */
interface ImportReport {
  readonly created: number;
  readonly refused: number;
  readonly entries: readonly ImportEntry[];
}

interface ImportEntry {
  readonly file: string;
  readonly pointer: string;
  readonly name: string | null;
  readonly outcome: 'created' | 'ready' | 'refused';
  readonly automationId: string | null;
  readonly findings: readonly { readonly kind: string; readonly pointer: string; readonly detail: string }[];
  readonly sources: readonly { readonly name: string; readonly made: Readonly<Record<string, unknown>> }[];
  readonly error: { readonly detail: string } | null;
}

const ENDINGS = ['.json', '.zip'];
const USAGE = 'quire import-automations exported.json folders/ [--dry-run]';
const LABELS: Readonly<Record<string, string>> = { todo: 'to do', differs: 'differs', translated: 'translated' };

/** `quire import-automations <files or folders> [--dry-run]`. */
export async function importCommand(args: readonly string[], signal: AbortSignal): Promise<void> {
  const table = { ...GLOBAL_OPTIONS, 'dry-run': { type: 'boolean' } } as const;
  const { values, positionals } = parse(table, args, 'import-automations');
  const { json, ...choice } = values as GlobalValues;
  const dryRun = values['dry-run'] === true;
  if (positionals.length === 0) throw new Failure(EXIT.usage, 'Name the files of the automations.', USAGE);
  const form = await formOf(positionals);
  form.append('dryRun', String(dryRun));
  const { quire } = await connectTo(choice, signal);
  const answer = await quire.request('/api/v1/automations/import', { method: 'POST', form, signal });
  const report = (await answer.json()) as ImportReport;
  if (json === true) printJson(report);
  else print(textOf(report, dryRun));
  if (report.refused > 0) process.exitCode = EXIT.refused;
}

/** Files, and of folders all that are exports by their names, also in folders within. */
async function formOf(args: readonly string[]): Promise<FormData> {
  const form = new FormData();
  for (const arg of args) {
    if (statSync(arg, { throwIfNoEntry: false })?.isDirectory() === true) {
      for (const path of exportsIn(arg))
        form.append('fileInput', await openAsBlob(path), relative(arg, path).split(sep).join(' - '));
      continue;
    }
    for (const input of await openInputs([arg], ENDINGS)) {
      const blob = 'path' in input ? await openAsBlob(input.path) : new Blob([new Uint8Array(input.data)]);
      form.append('fileInput', blob, 'path' in input ? (input.path.split(sep).at(-1) ?? input.path) : 'input.json');
    }
  }
  return form;
}

function exportsIn(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ENDINGS.some((ending) => entry.name.toLowerCase().endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !relative(folder, path)
          .split(sep)
          .some((part) => part.startsWith('.')),
    )
    .sort();
  if (files.length === 0) throw new Failure(EXIT.file, `${folder}: the folder has no ${ENDINGS.join(' or ')} file.`);
  return files;
}

function textOf({ entries, created, refused }: ImportReport, dryRun: boolean): string {
  const count = dryRun ? entries.length - refused : created;
  const verb = dryRun ? 'can be imported' : 'imported, switched off';
  return [...entries.flatMap(entryLines), '', `${count} ${verb}; ${refused} refused.`].join('\n');
}

function entryLines({ file, pointer, name, outcome, automationId, findings, sources, error }: ImportEntry): string[] {
  const place = pointer === '' ? file : `${file}#${pointer}`;
  if (error !== null) return [`${place}: refused: ${error.detail}`];
  const head = `${place}: ${outcome === 'created' ? `"${name}" (${automationId})` : `would become "${name}"`}`;
  const order = Object.keys(LABELS);
  const sorted = [...findings].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return [
    head,
    ...sorted.map(({ kind, pointer: at, detail }) =>
      `  ${(LABELS[kind] ?? kind).padEnd(10)}  ${at} ${detail}`.trimEnd(),
    ),
    ...sources.flatMap((source) =>
      Object.entries(source.made).map(([option, value]) => `  ${source.name}: ${option} is ${String(value)}`),
    ),
  ];
}
