import { applyTo, type Quad, type TextRun } from '../../content/index.js';

/** Position of a glyph on the page, along and across its line. */
export interface GlyphPlace {
  /** Direction of the line in whole degrees, 0 to 359, for comparisons. */
  readonly angle: number;
  /** Unit vector along the line. */
  readonly along: readonly [number, number];
  /** Start and end along the line, and the distance of the line from the origin (growing upwards). */
  readonly from: number;
  readonly to: number;
  readonly line: number;
  /** Displayed font size, and the extent above and (negative) below the line. */
  readonly em: number;
  readonly above: number;
  readonly below: number;
}

/** A glyph as it is searched. */
export interface PageGlyph extends GlyphPlace {
  readonly text: string;
  /** Position of its origin on the page, in default user space. */
  readonly origin: readonly [number, number];
}

/**
 * The glyphs of all runs of a page in painting order. They are placed run by run, and only those that are asked for: of
 * most pages a few lines are needed.
 */
export class PageGlyphs {
  /** `starts[run] + glyph` is the number of a glyph. */
  readonly starts: readonly number[];
  readonly count: number;
  readonly #placed: (readonly PageGlyph[] | undefined)[] = [];

  constructor(private readonly runs: readonly TextRun[]) {
    const starts: number[] = [];
    let count = 0;
    for (const { glyphs } of runs) {
      starts.push(count);
      count += glyphs.length;
    }
    this.starts = starts;
    this.count = count;
  }

  /** Returns all glyphs. */
  all(): PageGlyph[] {
    return this.runs.flatMap((_run, i) => this.#inRun(i));
  }

  /** Returns the glyph with this number. */
  at(number: number): PageGlyph {
    const run = this.#runOf(number);
    return this.#inRun(run)[number - this.starts[run]!]!;
  }

  /** Returns the numbers of the glyphs of all runs that `isWanted` accepts; it gets the place of the whole run. */
  inRuns(isWanted: (run: GlyphPlace) => boolean): number[] {
    return this.runs.flatMap((run, i) => {
      const first = run.glyphs[0];
      if (first === undefined || !isWanted(runPlace(run, first.at))) return [];
      return run.glyphs.map((_glyph, number) => this.starts[i]! + number);
    });
  }

  /** The last run that starts at this number or before it, since empty runs start where the next one does. */
  #runOf(number: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.starts[middle]! <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #inRun(index: number): readonly PageGlyph[] {
    const known = this.#placed[index];
    if (known !== undefined) return known;
    const run = this.runs[index]!;
    const placed: PageGlyph[] = [];
    if (run.glyphs.length > 0) placeRun(run, placed);
    this.#placed[index] = placed;
    return placed;
  }
}

/**
 * Returns the common position of all glyphs of a run: `from` to `to` is the extent of the run, starting at its first
 * glyph (its `at`).
 */
export function runPlace(
  run: Pick<TextRun, 'matrix' | 'font' | 'state' | 'moved'>,
  first: number,
): GlyphPlace & { readonly stretch: number } {
  const { matrix, font, state, moved } = run;
  const { size, scale, rise } = state.text;
  const [a, b, c, d] = matrix;
  const { vertical } = font;
  // Direction of the text position: down in vertical writing, and reversed if the font size is negative.
  const sign = (vertical ? -1 : 1) * (size * (vertical ? 1 : scale) < 0 ? -1 : 1);
  const [x, y] = vertical ? [c, d] : [a, b];
  const stretch = Math.hypot(x, y) || 1e-6;
  const along: readonly [number, number] = [(x / stretch) * sign, (y / stretch) * sign];
  const across = vertical ? Math.hypot(a, b) * Math.abs(scale) : Math.hypot(c, d);
  const em = Math.max(1e-3, Math.abs(size) * across * font.em);
  const unit = (Math.abs(size) * across) / 1000;
  // In vertical writing the line is in the middle of the letters.
  const [above, below] = vertical
    ? [em / 2, -em / 2]
    : [Math.max(font.ascent * unit, em * 0.6), Math.min(font.descent * unit, -em * 0.1)];
  const lift = vertical ? 0 : Math.hypot(c, d) * rise * (size < 0 ? -1 : 1);
  const [px, py] = onLine(run, first);
  const from = px * along[0] + py * along[1];
  return {
    angle: angleOf(along),
    along,
    from,
    to: from + Math.abs(moved) * stretch,
    line: py * along[0] - px * along[1] + lift,
    em,
    above,
    below,
    stretch,
  };
}

function placeRun(run: TextRun, into: PageGlyph[]): void {
  const {
    font,
    state: {
      text: { size, scale },
    },
    glyphs,
  } = run;
  const { angle, along, line, em, above, below, stretch } = runPlace(run, glyphs[0]?.at ?? 0);
  const unit = (Math.abs(size * (font.vertical ? 1 : scale)) * stretch) / 1000;
  for (const glyph of glyphs) {
    const origin = onLine(run, glyph.at);
    const from = origin[0] * along[0] + origin[1] * along[1];
    into.push({
      text: glyph.text,
      angle,
      along,
      from,
      to: from + (font.vertical ? Math.abs(glyph.height ?? -1000) : glyph.width) * unit,
      line,
      em,
      above,
      below,
      origin,
    });
  }
}

function onLine({ matrix, font }: Pick<TextRun, 'matrix' | 'font'>, at: number): readonly [number, number] {
  return font.vertical ? applyTo(matrix, 0, at) : applyTo(matrix, at, 0);
}

/** Returns a direction in whole degrees, 0 to 359. */
export function angleOf([x, y]: readonly [number, number]): number {
  return (Math.round((Math.atan2(y, x) * 180) / Math.PI) + 360) % 360;
}

/** Returns the corners of a section of a line, from its lower left, counter-clockwise relative to the text. */
export function quadAlong(
  { along: [x, y] }: Pick<GlyphPlace, 'along'>,
  from: number,
  to: number,
  low: number,
  high: number,
): Quad {
  const at = (along: number, across: number): readonly [number, number] => [
    along * x - across * y,
    along * y + across * x,
  ];
  return [...at(from, low), ...at(to, low), ...at(to, high), ...at(from, high)];
}
