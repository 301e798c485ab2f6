import type { PDFContext, PDFDict } from 'pdf-lib';
import type { ContentFont } from '../content/fonts/index.js';

/** A font as browsers load it. */
export interface WebFont {
  readonly data: Uint8Array;
  readonly format: 'ttf' | 'otf';
}

/** Gives an embedded program in a form that browsers load. */
export function webFont(_context: PDFContext, _dict: PDFDict, _font: ContentFont, _data: Uint8Array): WebFont | undefined {
  return undefined;
}
