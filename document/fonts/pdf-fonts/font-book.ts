import { type PDFContext, PDFDict, PDFName } from 'pdf-lib';
import { asName, entry } from '../../file/objects/index.js';
import { CompositeFont } from './composite-font.js';
import type { ContentFont } from './font.js';
import { SimpleFont } from './simple-font.js';

/** The fonts of one document, each read once. */
export class FontBook {
  readonly #fonts = new Map<PDFDict | undefined, ContentFont>();

  constructor(private readonly context: PDFContext) {}

  /** Returns the font of a dictionary; without one, the font that viewers substitute. */
  font(dict: PDFDict | undefined): ContentFont {
    const known = this.#fonts.get(dict);
    if (known !== undefined) return known;
    const font = this.#read(
      dict ??
        PDFDict.fromMapWithContext(
          new Map([
            [PDFName.of('Subtype'), PDFName.of('Type1')],
            [PDFName.of('BaseFont'), PDFName.of('Helvetica')],
          ]),
          this.context,
        ),
    );
    this.#fonts.set(dict, font);
    return font;
  }

  #read(dict: PDFDict): ContentFont {
    return asName(this.context, entry(dict, 'Subtype')) === 'Type0'
      ? new CompositeFont(this.context, dict)
      : new SimpleFont(this.context, dict);
  }
}
