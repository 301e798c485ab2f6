import { actualTextOf } from './actual-text.js';
import type { ShownText } from './events.js';
import { gapText, isBlank, onLine } from './gaps.js';
import { inverse } from './geometry.js';
import { comparable } from './text-unit.js';
import { Pen } from './walk/text-walk.js';

/**
 * The text that `PageText.painted` spells, gaps included, without a unit or a place for any glyph: for pages of which
 * no more is wanted. Undefined where /ActualText says that it may read otherwise.
 */
export function plainText({ runs }: { readonly runs: readonly ShownText[] }): string | undefined {
  const texts: string[] = [];
  let pen: readonly [number, number] | undefined;
  let blank = true;
  for (const run of runs) {
    const { matrix, font, state, parts } = run;
    if (run.count === 0) continue;
    if (actualTextOf(run.marked) !== undefined) return undefined;
    const back = inverse(matrix);
    const size = state.text.size * state.text.scale * font.em || 1;
    const along = new Pen(font, state.text);
    let at: number | undefined;
    let text = '';
    for (const part of parts) {
      if (typeof part === 'number') {
        along.back(part);
        continue;
      }
      for (const glyph of part) {
        if (at !== along.at && pen !== undefined && !blank && back !== undefined && !isBlank(glyph.text)) {
          text += gapText(back, at === undefined ? pen : onLine(run, at), onLine(run, along.at), size, font.vertical);
        }
        text += comparable(glyph.text);
        along.advance(glyph);
        at = along.at;
        pen ??= onLine(run, at);
        if (glyph.text !== '') blank = isBlank(glyph.text);
      }
    }
    if (at !== undefined) pen = onLine(run, at);
    texts.push(text);
  }
  return texts.join('');
}
