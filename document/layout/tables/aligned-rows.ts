import type { Word } from '../page-content.js';
import { around } from './model.js';

/** Words next to each other in a line, without a gap that could part columns. */
export interface Segment {
  readonly words: readonly Word[];
  readonly left: number;
  readonly right: number;
}

/** A line of text across its column or page. */
export interface TextRow {
  readonly segments: readonly Segment[];
  readonly top: number;
  readonly bottom: number;
  readonly size: number;
}

/** Words are on one line if their baselines differ by less than this multiple of the size. */
const SAME_LINE = 0.4;
/** A gap of at least this part of the size may part columns: more than any blank, also in justified text. */
const COLUMN_GAP = 1.25;

/** Puts upright words into lines from the top, each parted where its gaps are wide. O(n log n). */
export function textRows(words: readonly Word[]): TextRow[] {
  const upright = words
    .filter(({ angle, style }) => angle === 0 && style.size > 0)
    .sort((a, b) => a.baseline - b.baseline);
  const rows: TextRow[] = [];
  for (let start = 0; start < upright.length;) {
    let end = start + 1;
    while (
      end < upright.length &&
      upright[end]!.baseline - upright[start]!.baseline <
        SAME_LINE * Math.min(upright[start]!.style.size, 2 * upright[end]!.style.size)
    )
      end++;
    rows.push(rowOf(upright.slice(start, end)));
    start = end;
  }
  return rows;
}

function rowOf(words: Word[]): TextRow {
  words.sort((a, b) => a.box.left - b.box.left);
  const size = Math.max(...words.slice(0, 1000).map(({ style }) => style.size));
  const segments: Segment[] = [];
  for (let start = 0; start < words.length;) {
    let end = start + 1;
    let right = words[start]!.box.right;
    while (end < words.length && words[end]!.box.left - right < COLUMN_GAP * size)
      right = Math.max(right, words[end++]!.box.right);
    segments.push({ words: words.slice(start, end), left: words[start]!.box.left, right });
    start = end;
  }
  const { top, bottom } = around(words.map(({ box }) => box));
  return { segments, top, bottom, size };
}
