import { readFileSync, writeFileSync } from 'node:fs';
import type { CallerName } from './attack.js';
import type { Row } from './campaign.js';

const BEGIN = '<!-- attacks: written by npm run check:attacks -- --report -->';
const END = '<!-- end of attacks -->';

/** What each family tries, in the words of the report. */
const TRIED: Readonly<Record<string, string>> = {
  HTTP: 'broken heads, lengths and methods, requests hidden in others, bodies of another type',
  credentials: 'every documented call without, with forged and with insufficient credentials',
  "other users' things": "ids of another user's jobs, files, folders, keys, sessions and connections in every call",
  paths: 'ways out of folders, encoded and doubled, in every address with a parameter',
  'JSON bodies': 'deep, huge, wrong and polluting JSON in every call that takes it',
  'form structure': 'repeated, missing, huge and mistaken parts in every form',
  'file names': 'uploads whose names lead elsewhere or mean something to a shell or a header',
  pipelines: 'definitions that name other addresses, repeat themselves or are too large',
  addresses: 'this machine and inner networks, in every spelling, wherever the server calls an address',
  fields: 'paths, commands, markup, odd numbers, inner addresses and slow texts in every field of every form',
  documents: 'bombs, loops, scripts, entities and links to secrets in documents of every kind',
};

/** Returns a Markdown table of the families: what was tried, how often, as whom, how it was answered, what held. */
export function attackTable(rows: readonly Row[]): string {
  const line = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;
  const families = [...Map.groupBy(rows, ({ attack }) => attack.family)];
  return [
    line(['Family', 'Tried', 'Callers', 'Attacks', 'Refused', 'Answered', 'Closed', 'Held']),
    line(['---', '---', '---', '---', '---', '---', '---', '---']),
    ...families.map(([family, list]) => line([family, TRIED[family] ?? '', callersOf(list).size, ...numbersOf(list)])),
    line(['all', '', callersOf(rows).size, ...numbersOf(rows)]),
  ].join('\n');
}

function callersOf(rows: readonly Row[]): ReadonlySet<CallerName> {
  return new Set(rows.map(({ attack }) => attack.caller));
}

/** Attacks, refusals, answers, closed connections, and how many of them held. */
function numbersOf(rows: readonly Row[]): string[] {
  const count = (holds: (row: Row) => boolean): number => rows.filter(holds).length;
  return [
    rows.length,
    count(({ status }) => status >= 400),
    count(({ status }) => status > 0 && status < 400),
    count(({ status }) => status === 0),
    count(({ faults }) => faults.length === 0),
  ].map((number) => number.toLocaleString('en'));
}

/** Replaces the table of a report. Throws if the report has no place for it. */
export function writeAttackTable(file: string, rows: readonly Row[], others: number): void {
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} has no lines "${BEGIN}" and "${END}"`);
  const day = new Date().toISOString().slice(0, 10);
  const summary = `Run on ${day}; findings that belong to no single attack: ${others}.`;
  const before = text.slice(0, from + BEGIN.length);
  writeFileSync(file, `${before}\n\n${attackTable(rows)}\n\n${summary}\n\n${text.slice(to)}`);
}
