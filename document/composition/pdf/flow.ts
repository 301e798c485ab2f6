import type { Line, Piece, Rule, Strip } from './strips.js';

/** A piece or rule of a page; `y` is from the bottom of the text area, of a text its baseline. */
export interface PlacedPiece extends Piece {
  readonly y: number;
  /** It repeats what is on another page, so that a screen reader does not read it again. */
  readonly isRepeated: boolean;
}

export interface PlacedRule extends Rule {
  readonly y: number;
}

export interface Page {
  readonly pieces: PlacedPiece[];
  readonly rules: PlacedRule[];
}

/** From the bottom of a line to its baseline. */
const BASELINE = 3.6;
/** Lines of a strip that stay together with the heading before it. */
const KEPT_LINES = 3;
/** A strip up to this share of a page is moved to the next one rather than broken. */
const MOVED_SHARE = 0.4;

/** Distributes strips on pages of this height. A strip that is higher than a page goes on over several. */
export function flow(strips: readonly Strip[], height: number): Page[] {
  const pages: Page[] = [{ pieces: [], rules: [] }];
  let left = height;
  const place = (line: Line, isRepeated: boolean): void => {
    left -= line.height;
    const page = pages.at(-1)!;
    for (const piece of line.pieces) page.pieces.push({ ...piece, y: left + BASELINE, isRepeated });
    for (const rule of line.rules ?? []) page.rules.push({ ...rule, y: left + (rule.rise ?? 0) });
  };
  const turn = (header: Strip['header']): void => {
    pages.push({ pieces: [], rules: [] });
    left = height;
    // A header that fills the page would leave no room for its rows.
    if (header !== undefined && heightOf(header) < height / 2) for (const line of header) place(line, true);
  };
  strips.forEach((strip, i) => {
    const whole = heightOf(strip.lines);
    const needed = strip.before + whole + followers(strips, i);
    // A strip that is moved leaves its room empty; a high one begins here and goes on over the page.
    if (needed > left && left < height && needed <= height && whole <= height * MOVED_SHARE) turn(strip.header);
    left -= left === height ? 0 : strip.before;
    for (const line of strip.lines) {
      if (line.height > left) turn(strip.header);
      place(line, false);
    }
  });
  return pages;
}

/** The room that what follows a heading needs, so that no heading ends a page. */
function followers(strips: readonly Strip[], from: number): number {
  let room = 0;
  for (let i = from; strips[i]?.keepWithNext === true; i++) {
    const next = strips[i + 1];
    if (next === undefined) break;
    const lines = next.keepWithNext === true ? next.lines : next.lines.slice(0, KEPT_LINES);
    room += next.before + heightOf(lines);
  }
  return room;
}

function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.height, 0);
}
