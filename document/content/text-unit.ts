import type { MarkedContent } from './state.js';

/** A piece of a page's text that cannot be divided: the text of one glyph, or a gap. */
export interface TextUnit {
  readonly text: string;
  /** The run and glyph it comes from; a gap comes from none. */
  readonly run?: number;
  readonly glyph?: number;
  /** The marked content around it that says what it reads as (/ActualText). */
  readonly actual?: MarkedContent;
  /** True for a glyph whose text the unit before it gives as well: it goes where that goes. */
  readonly carried?: boolean;
}

/**
 * The form in which texts are compared: composed, Arabic letters by themselves, any white space a blank, a soft hyphen
 * that is painted a hyphen.
 */
export function comparable(text: string): string {
  if (text === '' || (text.length === 1 && text >= ' ' && text < '\u007f')) return text;
  return text
    .normalize('NFC')
    .replaceAll(/[\ufb50-\ufdff\ufe70-\ufeff]/g, (form) => form.normalize('NFKC'))
    .replaceAll('\u00ad', '-')
    .replaceAll(/\s/g, ' ');
}
