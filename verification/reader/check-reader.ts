// npm run check:reader -- <corpus folder> [--out table.csv] [--match text] [--class good,warn,bad]
//
// Reads every file of a corpus. In a good file each object and each stream (length, SHA-256) must equal the output of
// `qpdf --json`; a damaged one must produce a result or an error of the error table within five seconds. Exits with 1
// on any fault.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PDFRawStream } from 'pdf-lib';
import { errorTable } from '@quire/registry';
import { DocumentError, isTooComplex } from '../../document/errors.js';
import { type LazyDocument, countPages, openLazily } from '../../document/file/reader/index.js';
import { type Difference, compareWithQpdf } from '../../document/test/file/reader/compare-qpdf.js';
import { csvCell, parseCsv } from '../corpus/corpus-files.js';
import { differenceReason, knownDifferences } from '../corpus/reader-differences.js';

interface Row {
  readonly file: string;
  readonly class: string;
  /** `read`, `refused` with the code, or `fault`. */
  readonly outcome: string;
  readonly objects: number;
  readonly streams: number;
  readonly bytes: number;
  /** Streams that were not decoded because they exceed a decompression limit. */
  readonly emptier: number;
  readonly differences: number;
  /** Reason of a known difference, or the fault. */
  readonly note: string;
  readonly milliseconds: number;
}

const DEADLINE = 5000;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    match: { type: 'string', default: '' },
    class: { type: 'string', default: 'good,warn,bad' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('no folder given: npm run check:reader -- <corpus folder>');
const classes = values.class.split(',');
const rows: Row[] = [];
for (const entry of parseCsv(readFileSync(join(folder, 'manifest.csv'), 'utf8'))) {
  if (!classes.includes(entry['class'] ?? '') || !entry['file']?.includes(values.match)) continue;
  const row = check(entry['file'], entry['class'] ?? '', (entry['password'] ?? '').replace('(unknown)', ''));
  rows.push(row);
  if (row.outcome === 'fault') process.stdout.write(`  ${row.file} (${row.class}): ${row.note}\n`);
}
if (values.out !== undefined) writeFileSync(values.out, csv(rows));
process.stdout.write(
  '| Class | Files | Outcome | Objects | Streams | Bytes packed | Not decoded | Objects read differently | ' +
    'Slowest ms |\n|---|--:|---|--:|--:|--:|--:|--:|--:|\n',
);
for (const name of classes)
  summarise(
    name,
    rows.filter((row) => row.class === name),
  );
for (const { file, emptier, differences, note } of rows) {
  if (differences > 0) process.stdout.write(`- ${file} ${note}\n`);
  if (emptier > 0)
    process.stdout.write(
      `- ${file}: ${emptier} not decoded: beyond 10 MiB and 1:200, or another decompression limit\n`,
    );
}
process.exitCode = rows.some(({ outcome }) => outcome === 'fault') ? 1 : 0;

function check(file: string, fileClass: string, password: string): Row {
  const path = resolve(folder ?? '', file);
  const blank = { file, class: fileClass, objects: 0, streams: 0, bytes: 0, emptier: 0, differences: 0 };
  const started = performance.now();
  const spent = (): number => Math.round(performance.now() - started);
  try {
    const document = openLazily(readFileSync(path), { password });
    const counts = readAll(document);
    const milliseconds = spent();
    if (milliseconds > DEADLINE) return { ...blank, ...counts, outcome: 'fault', note: 'too slow', milliseconds };
    if (fileClass !== 'good')
      return { ...blank, ...counts, outcome: 'read', note: document.warnings.join(' '), milliseconds };
    return { ...blank, ...counts, ...compared(document, file, path, password), milliseconds };
  } catch (error) {
    const milliseconds = spent();
    if (!(error instanceof DocumentError) || !(error.code in errorTable))
      return { ...blank, outcome: 'fault', note: String(error), milliseconds };
    // An unknown password is not a fault of the reader.
    const allowed =
      fileClass !== 'good' ||
      (error.code === 'PDF_ENCRYPTED' && password === '') ||
      error.code === 'PDF_ENCRYPTION_PUBLIC_KEY';
    return {
      ...blank,
      outcome: allowed ? `refused ${error.code}` : 'fault',
      note: allowed ? '' : error.message,
      milliseconds,
    };
  }
}

function compared(
  document: LazyDocument,
  file: string,
  path: string,
  password: string,
): Pick<Row, 'outcome' | 'objects' | 'streams' | 'bytes' | 'differences' | 'note'> {
  const { objects, streams, bytes, differences } = compareWithQpdf(document, path, password);
  const unknown = differences.filter(({ object }) => differenceReason(file, object) === undefined);
  const known = differences.map(({ object }) => object);
  // An exception for an object that no longer differs would hide its next difference.
  const idle = knownDifferences(file)
    .filter((object) => !known.includes(object))
    .map((object) => `${object} is listed as a known difference but is equal now`);
  const faults = [...unknown.map(described), ...idle];
  const reasons = differences.map(({ object }) => `${object}: ${differenceReason(file, object) ?? ''}`);
  return {
    outcome: faults.length > 0 ? 'fault' : 'read',
    objects,
    streams,
    bytes,
    differences: differences.length,
    note: (faults.length > 0 ? faults.slice(0, 3) : reasons).join('; '),
  };
}

function described({ object, what }: Difference): string {
  return `${object} ${what}`;
}

/** Counts pages, reads every object and decodes every stream. */
function readAll(document: LazyDocument): Pick<Row, 'objects' | 'streams' | 'bytes' | 'emptier'> {
  let [objects, streams, bytes, emptier] = [0, 0, 0, 0];
  countPages(document);
  for (const ref of document.references()) {
    const object = document.lookup(ref);
    if (object !== undefined) objects++;
    if (!(object instanceof PDFRawStream)) continue;
    streams++;
    bytes += object.contents.length;
    try {
      document.decode(object);
    } catch (error) {
      // A legitimate image may exceed the decompression limit; it is rejected as intended, and the rest is still
      // compared.
      if (!isTooComplex(error)) throw error;
      emptier++;
    }
  }
  return { objects, streams, bytes, emptier };
}

function csv(all: readonly Row[]): string {
  const columns = [
    'file',
    'class',
    'outcome',
    'objects',
    'streams',
    'bytes',
    'emptier',
    'differences',
    'note',
    'milliseconds',
  ] as const;
  return (
    [columns.join(','), ...all.map((row) => columns.map((column) => csvCell(row[column])).join(','))].join('\n') + '\n'
  );
}

/** Prints a row of the table in docs/reports/corpus.md, and below it the objects that are read differently. */
function summarise(name: string, all: readonly Row[]): void {
  const sum = (column: 'objects' | 'streams' | 'bytes' | 'emptier' | 'differences'): number =>
    all.reduce((total, row) => total + row[column], 0);
  const outcomes = new Map<string, number>();
  for (const { outcome } of all) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const slowest = all.reduce((most, { milliseconds }) => Math.max(most, milliseconds), 0);
  const ended = [...outcomes]
    .sort(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
  const sums = (['objects', 'streams', 'bytes', 'emptier', 'differences'] as const).map(sum);
  process.stdout.write(`| ${[name, all.length, ended, ...sums, slowest].join(' | ')} |\n`);
}
