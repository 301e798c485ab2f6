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

/** True for text of a script that is written from the right. */
export function isFromRight(text: string): boolean {
  return RIGHT.test(text);
}

/** Lines as they stand on the page, put into the order in which they are read. */
export function readFromRight(lines: readonly TextPiece[][], paragraph: 'right' | 'left'): TextPiece[][] {
  return lines.map((line) =>
    line.some(({ text }) => isFromRight(text)) ? (paragraph === 'right' ? fromRight(line) : fromLeft(line)) : line,
  );
}

/** A line that begins at the right: all of it turned, words and numbers that run to the right turned back. */
function fromRight(line: readonly TextPiece[]): TextPiece[] {
  return turnStretches(
    reversed(line),
    (direction) => direction === 'left' || direction === 'digit',
    (direction) => direction === 'right',
  );
}

/** A line that begins at the left: stretches from the right are turned, and numbers within them turned back. */
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
 * Turns each stretch from the first to the last piece that is `inside`, unbroken by one that `ends` it; `then` goes
 * over what was turned.
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
    // What goes with its last piece comes along.
    while (line[last + 1]?.joined === true) last++;
    out.push(...then(reversed(line.slice(i, last + 1))));
    i = last + 1;
  }
  return out;
}

/** Pieces that go with the one before them do so afterwards. */
function reversed(pieces: readonly TextPiece[]): TextPiece[] {
  const groups: TextPiece[][] = [];
  for (const piece of pieces) {
    if (piece.joined === true && groups.length > 0) groups.at(-1)!.push(piece);
    else groups.push([piece]);
  }
  return groups.reverse().flat();
}
