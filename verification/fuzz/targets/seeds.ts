import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv } from '../../corpus/corpus-files.js';
import { generatedSeeds } from './generated-seeds.js';

/** Corpus files above this size (bytes) cost more time than they are worth. */
const MAX_SIZE = 200_000;
const SMALL = 20_000;

/**
 * Loads the files to mutate: our own, and those of a corpus (listed in its `manifest.csv`) if there is one. Small files
 * and our own are listed several times so that they are picked more often: this gives more mutations per second, and
 * each changes a larger share of the file.
 */
export function loadSeeds(folder: string): Buffer[] {
  const own = [...generatedSeeds().values()];
  const manifest = join(folder, 'manifest.csv');
  if (folder === '' || !existsSync(manifest)) return own;
  const paths = parseCsv(readFileSync(manifest, 'utf8'))
    .map((row) => join(folder, row['file'] ?? ''))
    .filter((path) => path.toLowerCase().endsWith('.pdf') && existsSync(path))
    .sort();
  const files = paths.filter((path) => statSync(path).size <= MAX_SIZE).map((path) => readFileSync(path));
  const small = files.filter(({ length }) => length <= SMALL);
  const weight = Math.max(1, Math.round((3 * files.length) / own.length));
  return [
    ...files,
    ...Array.from({ length: 5 }, () => small).flat(),
    ...Array.from({ length: weight }, () => own).flat(),
  ];
}
