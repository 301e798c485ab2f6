// npm run check:reader -- <corpus folder> [--out table.csv] [--match text] [--class good,warn,bad]
// Reads every file of a corpus: of a good one each object and each stream (length, SHA-256) must be what `qpdf --json` says; a damaged one
// must end within five seconds in a result or a refusal of the error table. Ends with 1 when one does not.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PDFRawStream } from 'pdf-lib';
import { errorTable } from '@quire/registry';
import { DocumentError, isTooComplex } from '../core/document/errors.js';
import { type LazyDocument, countPages, openLazily } from '../core/document/reader/index.js';
import { compareWithQpdf } from '../core/document/test/reader/compare-qpdf.js';
import { csvCell, parseCsv } from './corpus/corpus-files.js';
import { differenceReason } from './corpus/reader-differences.js';

interface Row {
  readonly file: string;
  readonly class: string;
  /** `read`, `refused` with the code, or `fault`. */
  readonly outcome: string;
  readonly objects: number;
  readonly streams: number;
  readonly bytes: number;
  readonly differences: number;
  /** Why an honest difference is none of ours, or what is wrong. */
  readonly note: string;
  readonly milliseconds: number;
}

const DEADLINE = 5000;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' }, match: { type: 'string', default: '' }, class: { type: 'string', default: 'good,warn,bad' } } });
const [folder] = positionals;
if (folder === undefined) throw new Error('which folder? npm run check:reader -- <corpus folder>');
const classes = values.class.split(',');
const rows: Row[] = [];
for (const entry of parseCsv(readFileSync(join(folder, 'manifest.csv'), 'utf8'))) {
  if (!classes.includes(entry['class'] ?? '') || !entry['file']?.includes(values.match)) continue;
  const row = check(entry['file'], entry['class'] ?? '', (entry['password'] ?? '').replace('(unknown)', ''));
  rows.push(row);
  if (row.outcome === 'fault') process.stdout.write(`  ${row.file} (${row.class}): ${row.note}\n`);
}
if (values.out !== undefined) writeFileSync(values.out, csv(rows));
for (const name of classes) summarise(name, rows.filter((row) => row.class === name));
process.exitCode = rows.some(({ outcome }) => outcome === 'fault') ? 1 : 0;

function check(file: string, fileClass: string, password: string): Row {
  const path = resolve(folder ?? '', file);
  const blank = { file, class: fileClass, objects: 0, streams: 0, bytes: 0, differences: 0 };
  const started = performance.now();
  const spent = (): number => Math.round(performance.now() - started);
  try {
    const document = openLazily(readFileSync(path), { password });
    const counts = readAll(document);
    const milliseconds = spent();
    if (milliseconds > DEADLINE) return { ...blank, ...counts, outcome: 'fault', note: 'too slow', milliseconds };
    if (fileClass !== 'good') return { ...blank, ...counts, outcome: 'read', note: document.warnings.join(' '), milliseconds };
    return { ...blank, ...compared(document, file, path, password), milliseconds };
  } catch (error) {
    const milliseconds = spent();
    if (!(error instanceof DocumentError) || !(error.code in errorTable)) return { ...blank, outcome: 'fault', note: String(error), milliseconds };
    // A password that nobody knows is no fault of the reader.
    const allowed = fileClass !== 'good' || (error.code === 'PDF_ENCRYPTED' && password === '') || error.code === 'PDF_ENCRYPTION_PUBLIC_KEY';
    return { ...blank, outcome: allowed ? `refused ${error.code}` : 'fault', note: allowed ? '' : error.message, milliseconds };
  }
}

function compared(document: LazyDocument, file: string, path: string, password: string): Pick<Row, 'outcome' | 'objects' | 'streams' | 'bytes' | 'differences' | 'note'> {
  const { objects, streams, bytes, differences } = compareWithQpdf(document, path, password);
  const reason = differences.length === 0 ? '' : differenceReason(file);
  const outcome = differences.length > 0 && reason === undefined ? 'fault' : 'read';
  return { outcome, objects, streams, bytes, differences: differences.length, note: reason ?? differences.slice(0, 3).join('; ') };
}

/** Counts pages, reads every object and decodes every stream. */
function readAll(document: LazyDocument): Pick<Row, 'objects' | 'streams' | 'bytes'> {
  let [objects, streams, bytes] = [0, 0, 0];
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
      // An honest picture may be emptier than the bound on inflating allows; that it is refused is right, and the rest can be compared.
      if (!isTooComplex(error)) throw error;
    }
  }
  return { objects, streams, bytes };
}

function csv(all: readonly Row[]): string {
  const columns = ['file', 'class', 'outcome', 'objects', 'streams', 'bytes', 'differences', 'note', 'milliseconds'] as const;
  return [columns.join(','), ...all.map((row) => columns.map((column) => csvCell(row[column])).join(','))].join('\n') + '\n';
}

function summarise(name: string, all: readonly Row[]): void {
  const sum = (column: 'objects' | 'streams' | 'bytes' | 'differences'): number => all.reduce((total, row) => total + row[column], 0);
  const outcomes = new Map<string, number>();
  for (const { outcome } of all) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const slowest = all.reduce((most, { milliseconds }) => Math.max(most, milliseconds), 0);
  process.stdout.write(`${name}: ${all.length} files (${[...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}), ${sum('objects')} objects, ${sum('streams')} streams of ${sum('bytes')} bytes, ${sum('differences')} objects differ for a reason, slowest ${slowest} ms\n`);
  for (const { file, differences, note, outcome } of all) if (differences > 0 && outcome === 'read') process.stdout.write(`  ${file}: ${differences}: ${note}\n`);
}
