import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A corpus file with many features that a merge must keep. */
export interface RichFile {
  readonly file: string;
  readonly path: string;
  readonly pages: number;
  readonly size: number;
  readonly features: readonly string[];
}

const WANTED = [
  'outlines',
  'page-labels',
  'acroform',
  'embedded-files',
  'tagged',
  'ocg',
  'names-dests',
  'af',
  'javascript',
  'threads',
];
/** Most of these files have one page and one purpose; more of them would crowd out the rest. */
const PER_SOURCE = 30;
const MAX_BYTES = 600_000;
const MAX_PAGES = 20;

/** Returns the files of class good that open without a password. */
export function goodFiles(corpus: string): RichFile[] {
  const [head = [], ...rows] = readFileSync(join(corpus, 'manifest.csv'), 'utf8').trim().split('\n').map(cells);
  const at = (row: readonly string[], name: string): string => row[head.indexOf(name)] ?? '';
  return rows
    .filter((row) => at(row, 'class') === 'good' && at(row, 'needs_password') === 'no')
    .map((row) => ({
      file: at(row, 'file'),
      path: join(corpus, at(row, 'file')),
      pages: Number(at(row, 'pages')),
      size: Number(at(row, 'size')),
      features: at(row, 'features')
        .split(' ')
        .filter((name) => WANTED.includes(name)),
    }));
}

/** Chooses the `count` files of class good with the most relevant features, the rarest first; always the same ones. */
export function richFiles(corpus: string, count: number): RichFile[] {
  const all = goodFiles(corpus).filter(
    ({ pages, size, features, path }) =>
      pages > 0 && pages <= MAX_PAGES && size <= MAX_BYTES && features.length > 0 && existsSync(path),
  );
  const has = new Map(
    WANTED.map((name) => [
      name,
      all
        .filter(({ features }) => features.includes(name))
        .sort((a, b) => b.features.length - a.features.length || b.pages - a.pages || (a.file < b.file ? -1 : 1)),
    ]),
  );
  const rarest = [...has].sort(([, a], [, b]) => a.length - b.length);
  const chosen = new Map<string, RichFile>();
  const sources = new Map<string, number>();
  for (let before = -1; chosen.size < count && before !== chosen.size;) {
    before = chosen.size;
    for (const [, files] of rarest) {
      const next = files.find(({ file }) => !chosen.has(file) && (sources.get(sourceOf(file)) ?? 0) < PER_SOURCE);
      if (next === undefined || chosen.size === count) continue;
      chosen.set(next.file, next);
      sources.set(sourceOf(next.file), (sources.get(sourceOf(next.file)) ?? 0) + 1);
    }
  }
  return [...chosen.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/**
 * Returns every unordered pair once, in an order that spreads early pairs over all files; the order within pairs
 * alternates.
 */
export function pairsOf<T>(files: readonly T[]): (readonly [T, T])[] {
  const pairs: (readonly [T, T])[] = [];
  for (let distance = 1; distance < files.length; distance++) {
    for (const [i, a] of files.entries()) {
      const b = files[i + distance];
      if (b !== undefined) pairs.push((i + distance) % 2 === 0 ? [a, b] : [b, a]);
    }
  }
  return pairs;
}

const sourceOf = (file: string): string => file.split('/', 1)[0] ?? '';

function cells(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
}
