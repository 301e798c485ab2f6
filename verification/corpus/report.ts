import { cpus, totalmem, type } from 'node:os';
import { csvCell, parseCsv } from './corpus-files.js';
import type { CorpusRow } from './judge.js';

/** Facts about the run for the page. */
export interface RunFacts {
  readonly commands: readonly string[];
  readonly date: string;
  readonly files: number;
  /** Duration and number of calls of this run; all other rows come from earlier runs. */
  readonly seconds: number;
  readonly calls: number;
  readonly leftovers: readonly string[];
  readonly workers: number;
}

/** Describes the machine. */
export function machine(): string {
  const [first] = cpus();
  return (
    `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 1024 ** 3)} GB, ` +
    `${type()}, Node ${process.versions.node}`
  );
}

/** The full table as comma-separated values. */
export function csvTable(rows: readonly CorpusRow[]): string {
  const head = ['file', 'class', 'operation', 'status', 'code', 'ms', 'pages_in', 'pages_out', 'qpdf', 'fault', 'note'];
  const lines = rows.map((row) =>
    [
      row.file,
      row.fileClass,
      row.operation,
      row.status,
      row.code,
      row.ms,
      row.pagesIn ?? '',
      row.pagesOut ?? '',
      row.qpdf,
      row.fault,
      row.note,
    ]
      .map(csvCell)
      .join(','),
  );
  return `${[head.join(','), ...lines].join('\n')}\n`;
}

/** Reads the rows of a table that an earlier run wrote. */
export function rowsOfTable(text: string): CorpusRow[] {
  const count = (value: string | undefined): number | undefined =>
    value === undefined || value === '' ? undefined : Number(value);
  return parseCsv(text).map((row) => ({
    file: row['file'] ?? '',
    fileClass: row['class'] ?? '',
    operation: row['operation'] ?? '',
    status: Number(row['status']),
    code: row['code'] ?? '',
    ms: Number(row['ms']),
    pagesIn: count(row['pages_in']),
    pagesOut: count(row['pages_out']),
    qpdf: row['qpdf'] ?? '',
    fault: row['fault'] ?? '',
    note: row['note'] ?? '',
  }));
}

/** The page docs/reports/corpus.md. */
export function corpusPage(rows: readonly CorpusRow[], facts: RunFacts): string {
  const faults = rows.filter(({ fault }) => fault !== '');
  return [
    '# Real files',
    '',
    'Every operation below was called over HTTP with every file of a folder of real PDFs that nobody in this ' +
      'project created. Two other programs classify the files: *good* (both open it and count the same pages), ' +
      '*warn* (damaged, unusual or empty; at least one finds a page), *bad* (neither does).',
    '',
    'Rules: a good file answers 200 with the right page count, 400 `PDF_ENCRYPTED` when it needs a password, ' +
      'or 409 `PDF_SIGNED` when it is signed and the operation would break that; a warn file answers 200 or a ' +
      '4xx with a code; a bad file answers a 4xx with a code or a repaired document. Never acceptable: a 5xx, an ' +
      'answer after more than 30 s, a compressed file that is larger, an output that `qpdf --check` cannot ' +
      'read, or a temporary file left behind.',
    '',
    ...facts.commands.map((command) => `- Command: \`${command}\``),
    `- Date: ${facts.date}. Machine: ${machine()}. ${facts.workers} calls at once.`,
    `- ${facts.files} files, ${rows.length} ` +
      `calls${facts.calls === rows.length ? '' : `, of them ${facts.calls} in the last run`}, ` +
      `${Math.round(facts.seconds / 60)} minutes. Temporary files left: ${facts.leftovers.length}.`,
    '',
    '`clean`, `warnings`: result of `qpdf --check` for the outputs (most warnings come from the input). ' +
      '`refused`: a 4xx with a code.',
    '',
    '| Operation | Class | Calls | 200 | 204 | refused | 5xx | slowest ms | median ms | clean | warnings | ' +
      'broken | faults |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...summary(rows),
    '',
    '## Refusals of good files',
    '',
    ...refusals(rows),
    '',
    '## Remaining faults',
    '',
    ...(faults.length === 0
      ? ['None.']
      : [
          '| File | Class | Operation | Reason | Note |',
          '|---|---|---|---|---|',
          ...faults.map(
            (row) =>
              `| ${cell(row.file)} | ${row.fileClass} | ${row.operation} | ${cell(row.fault)} | ${cell(row.note)} |`,
          ),
        ]),
    '',
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').slice(0, 160);

function summary(rows: readonly CorpusRow[]): string[] {
  const groups = groupRows(rows);
  return [...groups].map(([key, group]: [string, CorpusRow[]]) => {
    const count = (test: (row: CorpusRow) => boolean): number => group.filter(test).length;
    const times = group.map(({ ms }) => ms).sort((a, b) => a - b);
    return (
      `| ${key} | ${group.length} | ${count(({ status }) => status === 200)} | ` +
      `${count(({ status }) => status === 204)} | ${count(({ status }) => status >= 400 && status < 500)} | ` +
      `${count(({ status }) => status >= 500 || status === 0)} | ${times.at(-1) ?? 0} | ` +
      `${times[times.length >> 1] ?? 0} | ${count(({ qpdf }) => qpdf === 'clean')} | ` +
      `${count(({ qpdf }) => qpdf === 'warnings')} | ` +
      `${count(({ qpdf }) => qpdf === 'broken' || qpdf === 'time limit')} | ` +
      `${count(({ fault }) => fault !== '')} |`
    );
  });
}

const groupKey = ({ operation, fileClass }: CorpusRow): string => `${operation} | ${fileClass}`;

function groupRows(rows: readonly CorpusRow[]): Map<string, CorpusRow[]> {
  const groups = new Map<string, CorpusRow[]>();
  for (const row of rows) {
    const group = groups.get(groupKey(row));
    if (group === undefined) groups.set(groupKey(row), [row]);
    else group.push(row);
  }
  return groups;
}

function refusals(rows: readonly CorpusRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { fileClass, operation, status, code } of rows) {
    if (fileClass === 'good' && status >= 400)
      counts.set(`${operation} | ${code}`, (counts.get(`${operation} | ${code}`) ?? 0) + 1);
  }
  return counts.size === 0
    ? ['None.']
    : ['| Operation | Code | Calls |', '|---|---|--:|', ...[...counts].map(([key, count]) => `| ${key} | ${count} |`)];
}

const NOTES = '<!-- what other commands found, by hand -->';

/** Returns the new page with the hand-written part after the mark of the previous page: findings of other commands. */
export function withNotes(page: string, before: string): string {
  const at = before.indexOf(NOTES);
  return at < 0 ? page : `${page.trimEnd()}\n\n${before.slice(at)}`;
}
