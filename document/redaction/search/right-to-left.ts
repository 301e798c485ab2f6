import type { TextPiece } from './reading.js';

const RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LEFT = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

type Direction = 'right' | 'left' | 'digit' | 'none';

function directionOf({ text }: TextPiece): Direction {
  if (RIGHT.test(text)) return 'right';
  if (LEFT.test(text)) return 'left';
  return DIGIT.test(text) ? 'digit' : 'none';
}

/** Returns true for text of a right-to-left script. */
export function isRightToLeft(text: string): boolean {
  return RIGHT.test(text);
}

/** Converts lines from visual to logical order. */
export function toLogicalOrder(lines: readonly TextPiece[][], paragraph: 'right' | 'left'): TextPiece[][] {
  return lines.map((line) =>
    line.some(({ text }) => isRightToLeft(text)) ? (paragraph === 'right' ? fromRight(line) : fromLeft(line)) : line,
  );
}

/** A right-to-left line is reversed; words and numbers in it that run left to right are reversed back. */
function fromRight(line: readonly TextPiece[]): TextPiece[] {
  return turnStretches(
    reversed(line),
    (direction) => direction === 'left' || direction === 'digit',
    (direction) => direction === 'right',
  );
}

/** In a left-to-right line, right-to-left sections are reversed, and numbers in these are reversed back. */
function fromLeft(line: readonly TextPiece[]): TextPiece[] {
  const numbers = (stretch: readonly TextPiece[]): TextPiece[] =>
    turnStretches(
      stretch,
      (direction) => direction === 'digit',
      (direction) => direction === 'right',
    );
  return turnStretches(
    line,
    (direction) => direction === 'right',
    (direction) => direction === 'left',
    numbers,
  );
}

/**
 * Reverses each section from the first to the last piece that is `inside`, unless interrupted by one that `ends` it;
 * `then` processes the reversed section.
 */
function turnStretches(
  line: readonly TextPiece[],
  inside: (direction: Direction) => boolean,
  ends: (direction: Direction) => boolean,
  then: (stretch: readonly TextPiece[]) => readonly TextPiece[] = (stretch) => stretch,
): TextPiece[] {
  const out: TextPiece[] = [];
  for (let i = 0; i < line.length;) {
    if (!inside(directionOf(line[i]!))) {
      out.push(line[i++]!);
      continue;
    }
    let last = i;
    for (let j = i; j < line.length && !ends(directionOf(line[j]!)); j++) if (inside(directionOf(line[j]!))) last = j;
    // Includes pieces that are joined to its last piece.
    while (line[last + 1]?.joined === true) last++;
    out.push(...then(reversed(line.slice(i, last + 1))));
    i = last + 1;
  }
  return out;
}

/** Pieces that are joined to the one before them stay behind it. */
function reversed(pieces: readonly TextPiece[]): TextPiece[] {
  const groups: TextPiece[][] = [];
  for (const piece of pieces) {
    if (piece.joined === true && groups.length > 0) groups.at(-1)!.push(piece);
    else groups.push([piece]);
  }
  return groups.reverse().flat();
}
