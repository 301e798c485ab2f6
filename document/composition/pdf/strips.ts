import type { Face, SetLine } from './typesetter.js';
import type { Node } from './nodes.js';

/** A part of a line at its place. Lengths are points. */
export interface Piece {
  readonly x: number;
  readonly line: SetLine;
  readonly face: Face;
  /** The element that it belongs to. */
  readonly node: Node;
}

/** A horizontal stroke at the bottom of a line. */
export interface Rule {
  /** Distance from the bottom of the line; default 0. */
  readonly rise?: number;
  readonly x: number;
  readonly width: number;
  readonly thickness: number;
  /** 0 is black. */
  readonly grey: number;
}

/** Everything at one height of the page. */
export interface Line {
  readonly height: number;
  readonly pieces: readonly Piece[];
  readonly rules?: readonly Rule[];
}

/** Lines that belong together: a paragraph, a fact, a row. */
export interface Strip {
  readonly lines: readonly Line[];
  /** Space above, dropped at the top of a page. */
  readonly before: number;
  /** It does not end a page while another strip follows. */
  readonly keepWithNext?: boolean;
  /** The header of its table, which is repeated on each page that the table reaches. */
  readonly header?: readonly Line[];
}

/** Lines of columns beside each other: the first with the first, and so on. */
export function besides(columns: readonly (readonly Line[])[]): Line[] {
  const count = columns.reduce((most, column) => Math.max(most, column.length), 0);
  return Array.from({ length: count }, (_, i): Line => {
    const lines = columns.flatMap((column) => column[i] ?? []);
    return {
      height: lines.reduce((most, { height }) => Math.max(most, height), 0),
      pieces: lines.flatMap(({ pieces }) => pieces),
      rules: lines.flatMap(({ rules = [] }) => rules),
    };
  });
}
