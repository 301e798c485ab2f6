import { xmlCharacters } from '../../file/charsets/index.js';

/** Most letters that a cell of a workbook holds (ECMA-376, and what programs take). */
export const MAX_CELL_LETTERS = 32_767;

/**
 * Gives a text as a cell of a workbook holds it: what XML 1.0 cannot hold is left out, and what readers would take for
 * an escape (`_x000D_`, ECMA-376 part 1, 22.4.2.4) is escaped.
 */
export function sheetText(text: string): string {
  return xmlCharacters(text)
    .slice(0, MAX_CELL_LETTERS)
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
}
