import type { GraphicsState, MarkedContent } from '../state.js';

/** The graphics state of a walk, which its paths and text objects read and whose clip they narrow. */
export interface WalkState {
  readonly state: GraphicsState;
  /** The innermost marked content; undefined outside of any. */
  readonly marked: MarkedContent | undefined;
  /** Narrows the clip to a box. */
  clipTo(box: readonly [number, number, number, number]): void;
}
