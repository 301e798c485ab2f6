// npm run check:merge -- <corpus> [--pairs n|all] [--files n] [--match name] [--out table.csv]
//
// Merges pairs of the corpus files with the most features and compares each result with both inputs: features,
// references, qpdf, and the rendering of every page. An existing --out table is continued: its pairs without a fault
// are not run again.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  checkPair,
  mutoolHashes,
  pairSource,
  type PairSource,
  qpdfComplaint,
} from '../../document/test/checks/check-pair.js';
import { pairsOf, richFiles } from '../../document/test/checks/choose.js';

/** MuPDF renders one pair in this many. */
const MUTOOL_EACH = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: 'all' },
    files: { type: 'string', default: '100' },
    match: { type: 'string' },
    out: { type: 'string' },
  },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:merge -- <corpus>');

const HEAD = 'first,second,faults';
const done = new Set<string>();
if (values.out !== undefined && existsSync(values.out)) {
  const good = readFileSync(values.out, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith(',""'));
  for (const line of good) done.add(line.split(',', 2).join());
  writeFileSync(values.out, [HEAD, ...good, ''].join('\n'));
} else if (values.out !== undefined) {
  writeFileSync(values.out, `${HEAD}\n`);
}

const files = richFiles(resolve(corpus), Number(values.files));
const all = pairsOf(files).slice(0, values.pairs === 'all' ? undefined : Number(values.pairs));
const pairs = all.filter(
  ([a, b]) =>
    !done.has(`${a.file},${b.file}`) &&
    (values.match === undefined || a.file.includes(values.match) || b.file.includes(values.match)),
);
const sources = new Map<string, Promise<PairSource>>();
const drawn = new Map<string, readonly string[]>();
const started = performance.now();
let faulty = 0;
for (const [i, [a, b]] of pairs.entries()) {
  const [first, second] = [await source(a), await source(b)];
  const faults: string[] = [];
  try {
    const { bytes, faults: found } = await checkPair(first, second);
    faults.push(...found);
    const complaint = qpdfComplaint(bytes);
    if (complaint !== undefined) faults.push(`qpdf: ${complaint}`);
    if (i % MUTOOL_EACH === 0 && !same([...pageHashes(first), ...pageHashes(second)], mutoolHashes(bytes)))
      faults.push('pages render differently in MuPDF');
  } catch (error) {
    faults.push(`threw ${String(error)}`);
  }
  if (faults.length > 0) {
    faulty++;
    process.stdout.write(`${a.file} + ${b.file}\n${faults.map((fault) => `    ${fault}\n`).join('')}`);
  }
  if (values.out !== undefined)
    appendFileSync(values.out, `${a.file},${b.file},"${faults.join(' / ').replaceAll('"', "'")}"\n`);
  if (i % 500 === 499) process.stdout.write(`${i + 1} of ${pairs.length} pairs, ${seconds()} s\n`);
}
process.stdout.write(
  `${files.length} files, ${pairs.length} pairs merged (${done.size} were done), ${faulty} with faults, ` +
    `${seconds()} s\n`,
);
process.exitCode = faulty > 0 ? 1 : 0;

function source({ file, path }: { readonly file: string; readonly path: string }): Promise<PairSource> {
  const known = sources.get(file) ?? pairSource(file, path);
  sources.set(file, known);
  return known;
}

function pageHashes({ file, bytes }: PairSource): readonly string[] {
  const known = drawn.get(file) ?? mutoolHashes(bytes);
  drawn.set(file, known);
  return known;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.join() === b.join();
}

function seconds(): string {
  return ((performance.now() - started) / 1000).toFixed(0);
}
