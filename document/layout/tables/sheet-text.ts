import { xmlCharacters } from '../../file/xml/index.js';

/** Most letters that a cell of a workbook holds (ECMA-376, and what programs take). */
export const MAX_CELL_LETTERS = 32_767;

/**
 * Prepares text for a workbook cell: drops characters that XML 1.0 does not allow, and escapes what readers would
 * decode (`_x000D_`, ECMA-376 part 1, 22.4.2.4).
 */
export function sheetText(text: string): string {
  return xmlCharacters(text)
    .slice(0, MAX_CELL_LETTERS)
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
}
