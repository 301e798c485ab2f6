import { Random } from '../fuzz/random.js';

/** A file to be damaged. */
export interface SoundFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A damaged copy of a file. */
export interface DamagedFile {
  /** Name of the file and the damage, so that one case can be found again. */
  readonly name: string;
  readonly original: SoundFile;
  readonly bytes: Buffer;
}

const PLACES = 10;

/** Returns copies that end at ten places, spread over the file. */
export function cutFiles(original: SoundFile, seed: number): DamagedFile[] {
  const random = new Random(seed, original.bytes.length);
  const piece = original.bytes.length / (PLACES + 1);
  return Array.from({ length: PLACES }, (_none, i) => {
    const end = Math.max(1, Math.floor(piece * (i + 0.5 + random.below(1000) / 1000)));
    return { name: `${original.name} cut at ${end}`, original, bytes: original.bytes.subarray(0, end) };
  });
}

/** Returns ten copies, in which one to 32 bytes at random places have other values. */
export function flippedFiles(original: SoundFile, seed: number): DamagedFile[] {
  const random = new Random(seed, original.bytes.length, 1);
  return Array.from({ length: PLACES }, (_none, i) => {
    const bytes = Buffer.from(original.bytes);
    const count = 2 ** (i % 6);
    for (let flipped = 0; flipped < count; flipped++) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 + random.below(255));
    }
    return { name: `${original.name} with ${count} changed bytes (${i})`, original, bytes };
  });
}
