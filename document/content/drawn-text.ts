import type { FontGlyph } from '../fonts/pdf-fonts/index.js';
import type { ShownText } from './events.js';
import { isBlank } from './gaps.js';

/** As a share of the font size: no reader takes a gap that is narrower for a blank. */
const FLAT = 0.1;
/** Wider ones are not looked at, in thousandths of text space; an em of a Type 3 font may have more than a thousand. */
const MOST_FLAT = 200;

/**
 * Returns text with what its glyphs show in place of what their fonts say they mean, where these differ
 * (`FontGlyph.drawn`); undefined if they never do. Only for readers that read fonts in both ways.
 */
export function withDrawnText<Run extends ShownText>(runs: readonly Run[]): Run[] | undefined {
  if (!runs.some(({ font }) => font.isAmbiguous)) return undefined;
  let differs = false;
  const drawn = runs.map((run): Run => {
    if (!run.font.isAmbiguous) return run;
    const parts = run.parts.map((part) =>
      typeof part === 'number'
        ? part
        : part.map((glyph) => {
            if (glyph.drawn === undefined) return glyph;
            differs = true;
            return { ...glyph, text: glyph.drawn };
          }),
    );
    return { ...run, parts };
  });
  return differs ? drawn : undefined;
}

/**
 * Returns text without the blanks that have next to no width: what they separate looks like one word, and is one for
 * readers that go by the gaps. Undefined if there are none. Only for readers that read the text as it is, too.
 */
export function withoutFlatBlanks<Run extends ShownText>(runs: readonly Run[]): Run[] | undefined {
  let differs = false;
  const seen = runs.map((run): Run => {
    const parts = run.parts.map((part) => {
      if (typeof part === 'number' || !part.some((glyph) => isFlat(glyph, run))) return part;
      differs = true;
      return part.map((glyph) => (isFlat(glyph, run) ? { ...glyph, text: '' } : glyph));
    });
    return { ...run, parts };
  });
  return differs ? seen : undefined;
}

function isFlat({ text, width, blank }: FontGlyph, { font, state }: ShownText): boolean {
  // Most glyphs are wider.
  if (width > MOST_FLAT || font.vertical || !isBlank(text)) return false;
  const { size, charSpacing, wordSpacing } = state.text;
  const advance = (width / 1000) * size + charSpacing + (blank ? wordSpacing : 0);
  return Math.abs(advance) < FLAT * Math.abs(size) * font.em;
}
