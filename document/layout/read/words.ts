import type { Box } from '../model.js';
import type { Word, WordStyle } from '../page-content.js';
import type { PageFrame } from './frame.js';
import { cleanLetters } from './letters.js';
import type { Scratch } from './scratch.js';
import type { StyleTable } from './styles.js';

/** Most letters of one page that are read. */
const MAX_CHARACTERS = 1_000_000;
/** A gap in a line of so much of the font size parts words; so far across it is another line. */
const GAP = 0.8;
const ACROSS = 0.6;
/** Letters so near (in sizes) are of one word, line end or not. */
const TOUCHING = 0.12;
/** PDFium's marks of a hyphen that divides a word, and the soft hyphen. */
const HYPHENS: ReadonlySet<number> = new Set([2, 0xfffe, 0xad]);

/** A word that is being put together. */
interface Open {
  letters: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  readonly baseline: number;
  readonly angle: number;
  readonly style: WordStyle;
  readonly spaced: boolean;
  readonly startsLine: boolean;
  readonly mcid: number;
  /**
   * Number of letters on the wrong side of the one before, minus those on the right side: positive if they are not in
   * logical order.
   */
  turned: number;
  backwards: number;
  last: number;
}

/** Reads the words of an open text page. What is outside the page is left out. */
export function readWords(scratch: Scratch, text: number, frame: PageFrame, styles: StyleTable): Word[] {
  const { pdfium, at } = scratch;
  const {
    FPDFText_GetUnicode: unicode,
    FPDFText_GetTextObject: objectOf,
    FPDFText_GetLooseCharBox: looseBox,
    FPDFText_GetCharOrigin: originOf,
  } = pdfium.pdfium.wasmExports;
  const count = Math.min(MAX_CHARACTERS, pdfium.FPDFText_CountChars(text));
  const [ma, mb, mc, md, me, mf] = frame.matrix;
  const words = new WordCollector(frame);
  let open: Open | undefined;
  let object = 0;
  let look: { readonly style: WordStyle; readonly angle: number; readonly mcid: number } | undefined;
  let [spaced, startsLine] = [true, true];
  // A line end that the reading has within a word; on pages that PDFium takes for vertical writing there is one behind
  // each letter.
  let broken = false;
  const flush = (divided: boolean): void => {
    if (open !== undefined) words.add(open, divided);
    if (broken) startsLine = spaced = true;
    open = undefined;
    broken = false;
  };
  for (let i = 0; i < count; i++) {
    let code = unicode(text, i);
    if (code === 10 || code === 13) {
      if (open === undefined) startsLine = spaced = true;
      else broken = true;
      continue;
    }
    if (HYPHENS.has(code)) {
      // Within a line a soft hyphen shows nothing.
      if (code === 0xad && !endsLine(unicode, text, i, count)) continue;
      const before: Open | undefined = open;
      flush(true);
      if (before !== undefined) startsLine = spaced = true;
      continue;
    }
    if (code <= 32 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000) {
      flush(false);
      spaced = true;
      continue;
    }
    if (code >= 0xd800 && code <= 0xdbff && i + 1 < count) {
      const low = unicode(text, i + 1);
      if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i++;
      }
    }
    const drawnBy = objectOf(text, i);
    if (drawnBy === 0 || !looseBox(text, i, at)) continue;
    const { floats } = scratch;
    const [x1, y1, x2, y2] = [floats[0]!, floats[1]!, floats[2]!, floats[3]!];
    const left = Math.min(ma * x1, ma * x2) + Math.min(mc * y1, mc * y2) + me;
    const right = Math.max(ma * x1, ma * x2) + Math.max(mc * y1, mc * y2) + me;
    const top = Math.min(mb * x1, mb * x2) + Math.min(md * y1, md * y2) + mf;
    const bottom = Math.max(mb * x1, mb * x2) + Math.max(md * y1, md * y2) + mf;
    if (!(right >= left) || !(bottom >= top)) continue;
    if (drawnBy !== object || look === undefined) {
      // PDFium counts clockwise.
      object = drawnBy;
      look = {
        style: styles.of(scratch, text, object, i, frame.unit),
        angle: frame.angle(-pdfium.FPDFText_GetCharAngle(text, i)),
        mcid: pdfium.FPDFPageObj_GetMarkedContentID(object),
      };
    }
    if (open !== undefined) {
      const upright = open.angle === 0 || open.angle === 180;
      const along = upright
        ? Math.max(left - open.right, open.left - right)
        : Math.max(top - open.bottom, open.top - bottom);
      const across = upright
        ? Math.max(top - open.bottom, open.top - bottom)
        : Math.max(left - open.right, open.left - right);
      const size = open.style.size || 1;
      const changed = look.style !== open.style || look.mcid !== open.mcid || look.angle !== open.angle;
      const slanted = open.angle % 90 !== 0;
      // Behind it, as the script runs, or before it where letters from the right come as they stand.
      const behind = !upright || (code >= 0x590 && code <= 0x8ff) ? Math.abs(along) : Math.abs(left - open.right);
      if (broken && !changed && !slanted && across < -0.5 * size && behind < TOUCHING * size) broken = false;
      if (broken) flush(false);
      else if (!slanted && (across > size * ACROSS || along > size * GAP)) {
        flush(false);
        spaced = true;
        if (across > size * ACROSS) startsLine = true;
      } else if (changed) flush(false);
    }
    const letter = code > 0x10ffff ? '' : String.fromCodePoint(code);
    if (open === undefined) {
      originOf(text, i, at, at + 8);
      const [ox = 0, oy = 0] = scratch.doubles;
      const [px, py] = frame.point(ox, oy);
      const baseline = look.angle === 90 || look.angle === 270 ? px : py;
      open = {
        letters: letter,
        left,
        top,
        right,
        bottom,
        baseline,
        ...look,
        spaced,
        startsLine,
        turned: 0,
        backwards: 0,
        last: left,
      };
      spaced = startsLine = false;
    } else {
      open.letters += letter;
      // Combining marks are at their letter, and only upright text runs from left to right.
      if (left !== open.last && open.angle === 0) {
        if (code >= 0x590 && code <= 0x8ff) open.turned += left > open.last ? 1 : -1;
        else open.backwards += left < open.last ? 1 : -1;
      }
      open.last = left;
      if (left < open.left) open.left = left;
      if (right > open.right) open.right = right;
      if (top < open.top) open.top = top;
      if (bottom > open.bottom) open.bottom = bottom;
    }
  }
  flush(false);
  return words.words;
}

/** True where nothing of the line follows. */
function endsLine(unicode: (...values: number[]) => number, text: number, at: number, count: number): boolean {
  if (at + 1 >= count) return true;
  const next = unicode(text, at + 1);
  return next === 10 || next === 13;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
/** Words that are the same and so near (points) are drawn twice: to look bold, or with a shadow. */
const TWICE = 1.2;

/** Keeps what is on the page, and of what is drawn twice the first. */
class WordCollector {
  readonly words: Word[] = [];
  readonly #places = new Set<string>();

  constructor(readonly frame: PageFrame) {}

  add(
    { letters, left, top, right, bottom, baseline, angle, style, spaced, startsLine, mcid, turned, backwards }: Open,
    divided: boolean,
  ): void {
    const reversed = RIGHT_TO_LEFT.test(letters) ? turned > 0 : backwards > 0;
    const text = cleanLetters(reversed ? [...letters].reverse().join('') : letters);
    const box = withHeight({ left, top, right, bottom }, baseline, angle, style.size);
    if (
      text === '' ||
      !isSeen(box, this.frame.width, this.frame.height) ||
      this.#isTwice(`${angle} ${text}`, left, top)
    )
      return;
    this.words.push({ text, box, baseline, angle, style, spaced, startsLine: startsLine || reversed, divided, mcid });
  }

  /** Each word notes the square that it begins in; those around its beginning are looked up. */
  #isTwice(text: string, left: number, top: number): boolean {
    const side = 2 * TWICE;
    const key = (x: number, y: number): string => `${Math.floor(x / side)} ${Math.floor(y / side)} ${text}`;
    for (const x of [left - TWICE, left + TWICE])
      for (const y of [top - TWICE, top + TWICE]) if (this.#places.has(key(x, y))) return true;
    this.#places.add(key(left, top));
    return false;
  }
}

/** Box of text in a font without metrics, with the height of typical fonts. */
function withHeight(box: Box, baseline: number, angle: number, size: number): Box {
  const level = angle === 0 || angle === 180;
  if (angle % 90 !== 0 || (level ? box.bottom - box.top : box.right - box.left) > 0.3 * size) return box;
  const [up, down] = [0.8 * size, 0.2 * size];
  switch (angle) {
    case 0:
      return { ...box, top: Math.min(box.top, baseline - up), bottom: Math.max(box.bottom, baseline + down) };
    case 180:
      return { ...box, top: Math.min(box.top, baseline - down), bottom: Math.max(box.bottom, baseline + up) };
    case 90:
      return { ...box, left: Math.min(box.left, baseline - up), right: Math.max(box.right, baseline + down) };
    default:
      return { ...box, left: Math.min(box.left, baseline - down), right: Math.max(box.right, baseline + up) };
  }
}

/** True for text the middle of which is on the page. */
function isSeen({ left, top, right, bottom }: Box, width: number, height: number): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x >= 0 && x <= width && y >= 0 && y <= height;
}
