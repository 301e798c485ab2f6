import type { Ruling } from '../page-content.js';
import type { Line } from '../prose/line.js';
import type { Para } from '../prose/paragraphs.js';

/** Largest font size of a footnote relative to the body; footnotes are in the lower part of the page. */
const SMALLER = 0.94;
const LOWER = 0.45;
const MARK = /^[[(]?(\d{1,3}|[*\u2020\u2021\u00a7\u00b6]{1,3}|[a-z])[\])]?[.:]?$/u;

/** A footnote as it is found: its paragraphs, the first of which begins with `skip` words of the mark. */
export interface FoundFootnote {
  readonly mark: string;
  readonly paras: readonly Para[];
  readonly skip: number;
}

/**
 * Removes footnotes from a page's paragraphs: small text at the bottom that starts with a superscript mark used in the
 * text above, or that is below a rule.
 */
export function takeFootnotes(
  paras: readonly Para[],
  height: number,
  bodySize: number,
  rulings: readonly Ruling[],
): { readonly body: Para[]; readonly notes: FoundFootnote[] } {
  const raised = raisedMarks(paras.flatMap(({ lines }) => lines));
  const rules = rulings
    .filter(({ direction, at, from, to }) => direction === 'horizontal' && at > LOWER * height && to - from > 30)
    .sort((a, b) => b.at - a.at)
    .slice(0, 20);
  const notes: { mark: string; paras: Para[]; skip: number }[] = [];
  const body: Para[] = [];
  for (const para of paras) {
    const last = notes.at(-1);
    const lower = para.box.top > LOWER * height;
    const small = lower && para.size < SMALLER * bodySize;
    const ruled =
      lower &&
      rules.some(
        ({ at, from, to }) =>
          at < para.box.top + 2 &&
          at > para.box.top - 60 &&
          from < para.box.right &&
          to > para.box.left &&
          to - from < 0.8 * (para.right - para.left),
      );
    const mark =
      small || (lower && isRaisedFirst(para)) ? MARK.exec(para.lines[0]!.words[0]?.text ?? '')?.[1] : undefined;
    const known = mark !== undefined && raised.get(mark) !== undefined && raised.get(mark)! < para.box.top;
    // Small text with a known mark, or a raised mark under a rule or right after another note.
    const begins =
      mark !== undefined &&
      para.lines[0]!.words.length > 1 &&
      (small ? known || (ruled && isRaisedFirst(para)) : known && (ruled || last !== undefined));
    if (begins) notes.push({ mark, paras: [para], skip: 1 });
    else if (
      small &&
      last !== undefined &&
      para.box.top >= last.paras.at(-1)!.box.top - 1 &&
      Math.abs(para.size - last.paras[0]!.size) < 0.6 &&
      para.above < 2 * para.size
    )
      last.paras.push(para);
    else body.push(para);
  }
  return { body, notes };
}

/** Marks that stand raised within lines, with the highest place of each. */
function raisedMarks(lines: readonly Line[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { words, size, baseline } of lines) {
    for (const [i, { text, style, baseline: own, box }] of words.entries()) {
      if (i === 0 || style.size > 0.82 * size || baseline - own < 0.12 * size) continue;
      const mark = MARK.exec(text)?.[1];
      if (mark !== undefined) found.set(mark, Math.min(found.get(mark) ?? Infinity, box.top));
    }
  }
  return found;
}

function isRaisedFirst({ lines }: Para): boolean {
  const [first, second] = lines[0]!.words;
  return first !== undefined && second !== undefined && first.style.size < 0.9 * second.style.size;
}
