import type { PageContent, Word, WordStyle } from '../page-content.js';

/** Words that lean by so many degrees at most are on a skewed line. */
const MOST_SKEW = 10;
/** Less of a slope parts no lines. */
const LEAST_SLOPE = 0.004;
/** Lines whose slope differs by more from the page's are no witness of it. */
const SAME_SLOPE = 0.02;
/** Words and sizes of text a line must have to say how the page lies. */
const LEAST_WORDS = 3;
const LEAST_LENGTH = 8;
/** Sizes on a scan are measured: those so near to the usual one are the same. */
const SAME_SIZE = 0.2;

/** A page whose recognised text is as a typist would have set it. */
export interface Recognised {
  readonly content: PageContent;
  /** Size of most of the recognised text; undefined where the page has none. */
  readonly usualSize: number | undefined;
}

/**
 * Levels the invisible words that text recognition put on a skewed scan, each at its own height or leaning, and gives
 * those of about the usual size this size. Boxes are then those of the levelled page: off by a few points from where
 * the letters are seen. Other text stays as it is.
 */
export function recognised(content: PageContent): Recognised {
  const own = content.words.filter(({ style, angle }) => style.invisible && isNearLevel(angle));
  if (own.length === 0) return { content, usualSize: undefined };
  const usualSize = mostSize(own);
  const slope = slopeOf(own);
  const styles = new Map<WordStyle, WordStyle>();
  const styleOf = (style: WordStyle): WordStyle => {
    if (style.size === usualSize || Math.abs(style.size - usualSize) > SAME_SIZE * usualSize) return style;
    let even = styles.get(style);
    if (even === undefined) styles.set(style, (even = { ...style, size: usualSize }));
    return even;
  };
  const words = content.words.map((word): Word =>
    word.style.invisible && isNearLevel(word.angle)
      ? { ...levelled(word, slope, content.width / 2), style: styleOf(word.style) }
      : word,
  );
  return { content: { ...content, words }, usualSize };
}

function isNearLevel(angle: number): boolean {
  return angle <= MOST_SKEW || angle >= 360 - MOST_SKEW;
}

function mostSize(words: readonly Word[]): number {
  const letters = new Map<number, number>();
  for (const { text, style } of words) letters.set(style.size, (letters.get(style.size) ?? 0) + text.length);
  // Neighbouring sizes count together: a scan has no two lines of quite the same.
  const near = (size: number): number =>
    [...letters].reduce((sum, [one, count]) => (Math.abs(one - size) <= 0.06 * size ? sum + count : sum), 0);
  return [...letters.keys()].reduce((best, size) => (near(size) > near(best) ? size : best), words[0]!.style.size);
}

/** How far the lines of a page fall for each point to the right; 0 where they do not agree, or are level. */
function slopeOf(words: readonly Word[]): number {
  const lines: { readonly slope: number; readonly length: number }[] = [];
  for (let from = 0; from < words.length;) {
    let to = from + 1;
    while (to < words.length && !words[to]!.startsLine && words[to]!.box.left > words[to - 1]!.box.left) to++;
    const [first, last] = [words[from]!, words[to - 1]!];
    const length = last.box.left - first.box.left;
    if (to - from >= LEAST_WORDS && length > LEAST_LENGTH * first.style.size)
      lines.push({ slope: (last.baseline - first.baseline) / length, length });
    from = to;
  }
  const all = lines.reduce((sum, { length }) => sum + length, 0);
  let half = all / 2;
  const slope = lines.sort((a, b) => a.slope - b.slope).find(({ length }) => (half -= length) <= 0)?.slope ?? 0;
  const agree = lines.reduce((sum, one) => (Math.abs(one.slope - slope) <= SAME_SLOPE ? sum + one.length : sum), 0);
  const steepest = Math.tan((MOST_SKEW * Math.PI) / 180);
  return Math.abs(slope) < LEAST_SLOPE || Math.abs(slope) > steepest || agree < 0.6 * all ? 0 : slope;
}

function levelled(word: Word, slope: number, middle: number): Word {
  const { box, angle, baseline } = word;
  if (slope === 0 && angle === 0) return word;
  const down = slope * (middle - box.left);
  // The box of a leaning word also has what the word rises or falls.
  const lean = angle === 0 ? 0 : Math.abs(Math.tan((angle * Math.PI) / 180)) * (box.right - box.left);
  const height = Math.max(box.bottom - box.top - lean, 0.5 * (box.bottom - box.top));
  const base = baseline + down;
  const bottom = angle === 0 ? box.bottom + down : Math.max(base, base + (box.bottom - baseline) - lean);
  return { ...word, angle: 0, baseline: base, box: { ...box, top: bottom - height, bottom } };
}
