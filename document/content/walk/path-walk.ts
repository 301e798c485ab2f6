import type { ContentVisitor } from '../events.js';
import type { Frame } from '../frame.js';
import { applyTo, type Box, including, isEmpty, nowhere, stretch } from '../geometry.js';
import { numberAt, type Operand, type Operator } from '../operands.js';
import type { WalkState } from './walk-state.js';

const FILLS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
const STROKES = new Set(['S', 's', 'B', 'B*', 'b', 'b*']);

/** Paths: built, clipped with, painted (ISO 32000-1, 8.5). Of a path the box around its points is kept. */
export class PathWalk {
  #box: Box = nowhere;
  #start = -1;
  #clips = false;

  constructor(private readonly visitor: ContentVisitor) {}

  /** Forgets a path that nothing painted. */
  drop(): void {
    this.#box = nowhere;
    this.#start = -1;
    this.#clips = false;
  }

  /** Does what the operator does to the path; false when it has nothing to do with one. */
  apply(walk: WalkState, frame: Frame, operator: Operator): boolean {
    const { name, operands } = operator;
    switch (name) {
      case 'm':
      case 'l':
        this.#points(walk, operator, operands, 1);
        return true;
      case 'c':
        this.#points(walk, operator, operands, 3);
        return true;
      case 'v':
      case 'y':
        this.#points(walk, operator, operands, 2);
        return true;
      case 're': {
        const [x, y, width, height] = [
          numberAt(operands, 0),
          numberAt(operands, 1),
          numberAt(operands, 2),
          numberAt(operands, 3),
        ];
        this.#points(walk, operator, [x, y, x + width, y, x + width, y + height, x, y + height], 4);
        return true;
      }
      case 'h':
        return true;
      case 'W':
      case 'W*':
        this.#clips = true;
        return true;
      case 'n':
        this.#paint(walk, frame, operator, false, false);
        return true;
      default: {
        const fills = FILLS.has(name);
        const strokes = STROKES.has(name);
        if (!fills && !strokes) return false;
        this.#paint(walk, frame, operator, fills, strokes);
        return true;
      }
    }
  }

  #points(walk: WalkState, operator: Operator, operands: readonly Operand[], count: number): void {
    if (this.#start < 0) this.#start = operator.start;
    for (let i = 0; i < count; i++) {
      const [x, y] = applyTo(walk.state.ctm, numberAt(operands, 2 * i), numberAt(operands, 2 * i + 1));
      this.#box = including(this.#box, x, y);
    }
  }

  #paint(walk: WalkState, frame: Frame, operator: Operator, fills: boolean, strokes: boolean): void {
    const { state, marked } = walk;
    if (fills || strokes || this.#clips) {
      this.visitor[fills || strokes ? 'path' : 'clip']?.({
        frame,
        operator,
        state,
        marked,
        fills,
        strokes,
        clips: this.#clips,
        box: this.#box,
        reach: strokes ? reachOf(state) : 0,
        start: this.#start < 0 ? operator.start : this.#start,
      });
    }
    // An empty path clips everything away.
    if (this.#clips) walk.clipTo(isEmpty(this.#box) ? [0, 0, -1, -1] : this.#box);
    this.drop();
  }
}

/**
 * Half the line, or the tip of the sharpest join (ISO 32000-1, 8.4.3.5); a line of width 0 is one device pixel wide.
 */
function reachOf({
  lineWidth,
  miterLimit,
  ctm,
}: {
  lineWidth: number;
  miterLimit: number;
  ctm: readonly [number, number, number, number, number, number];
}): number {
  return Math.max(0.5, (lineWidth / 2) * stretch(ctm) * Math.max(1.5, miterLimit));
}
