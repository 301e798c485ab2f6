import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KnownWord } from './scanned-text.js';

/** Words of a page (1-based) and their boxes according to Poppler, from the upper left corner of the visible page. */
export function wordBoxes(pdf: Uint8Array, page: number): KnownWord[] {
  const folder = mkdtempSync(join(tmpdir(), 'quire-words-'));
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf);
    const html = execFileSync(
      'pdftotext',
      ['-bbox', '-cropbox', '-f', String(page), '-l', String(page), join(folder, 'in.pdf'), '-'],
      { encoding: 'utf8' },
    );
    return [...html.matchAll(/xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</g)].map(
      ([, a, b, c, d, text = '']) => ({ text, box: [Number(a), Number(b), Number(c), Number(d)] as const }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * How well words were found: the share of known ones, and the average offset of their left and right edges and centres
 * in points.
 */
export function compareWords(
  known: readonly KnownWord[],
  found: readonly KnownWord[],
): { readonly share: number; readonly edges: number; readonly heights: number } {
  const left = [...found];
  let [matched, edges, heights] = [0, 0, 0];
  for (const { text, box } of known) {
    const distance = (other: KnownWord): number =>
      Math.abs(other.box[0] - box[0]) + Math.abs(other.box[1] + other.box[3] - box[1] - box[3]);
    const best = left.filter((other) => other.text === text).sort((a, b) => distance(a) - distance(b))[0];
    if (best === undefined) continue;
    left.splice(left.indexOf(best), 1);
    matched++;
    edges += (Math.abs(best.box[0] - box[0]) + Math.abs(best.box[2] - box[2])) / 2;
    heights += Math.abs((best.box[1] + best.box[3] - box[1] - box[3]) / 2);
  }
  return { share: matched / known.length, edges: edges / matched, heights: heights / matched };
}
