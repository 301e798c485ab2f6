import type { ShownText } from './events.js';

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
