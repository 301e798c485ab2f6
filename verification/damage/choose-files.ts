import type { CorpusFile } from '../corpus/corpus-files.js';
import { cutFiles, type DamagedFile, flippedFiles, type SoundFile } from './damaged-files.js';

/** In bytes; larger files take longer and show nothing else. */
const MAX_BYTES = 300_000;

/** Files that are sound, open without a password, and may be changed. */
export function chosenFiles(files: readonly CorpusFile[]): readonly CorpusFile[] {
  return files.filter(
    ({ fileClass, encrypted, signed, pages, size }) =>
      fileClass === 'good' && !encrypted && !signed && (pages ?? 0) > 0 && (size ?? Infinity) <= MAX_BYTES,
  );
}

/** Returns damaged copies: the first file and every second one is cut, the others have changed bytes. */
export function damagedCopies(files: readonly SoundFile[], seed: number): readonly DamagedFile[] {
  return files.flatMap((file, i) => (i % 2 === 0 ? cutFiles(file, seed) : flippedFiles(file, seed)));
}
