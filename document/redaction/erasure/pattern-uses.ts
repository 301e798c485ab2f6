import { type Frame, nameAt, type Operator, type Painting } from '../../content/index.js';

/** An operator that sets a pattern, and whether anything is still painted with it. */
interface PatternUse {
  readonly set: Operator[];
  isPainted: boolean;
  isLost: boolean;
}

/**
 * Tracks which patterns are used: a pattern that nothing is painted with any more must not stay in the file, since its
 * cell may be exactly what was removed.
 */
export class PatternUses {
  readonly #frames = new Map<Frame, Map<string, PatternUse>>();

  /** Records that a colour is set by name. */
  set({ frame, operator }: Painting): void {
    const name = nameAt(operator.operands, operator.operands.length - 1);
    if (name !== undefined) this.#use(frame, name).set.push(operator);
  }

  /** Records that something is painted in the current colours, and whether it stays. */
  painted({ frame, state: { fill, stroke } }: Painting, stays: boolean): void {
    for (const { pattern } of [fill, stroke]) {
      if (pattern === undefined) continue;
      const use = this.#use(frame, pattern);
      if (stays) use.isPainted = true;
      else use.isLost = true;
    }
  }

  /** Removes the operators that set unused patterns. */
  close(): void {
    for (const [frame, uses] of this.#frames) {
      for (const { set, isPainted, isLost } of uses.values()) {
        if (isLost && !isPainted) for (const operator of set) frame.replace(operator, '');
      }
    }
    this.#frames.clear();
  }

  #use(frame: Frame, name: string): PatternUse {
    const uses = this.#frames.get(frame) ?? new Map<string, PatternUse>();
    this.#frames.set(frame, uses);
    const known = uses.get(name) ?? { set: [], isPainted: false, isLost: false };
    uses.set(name, known);
    return known;
  }
}
