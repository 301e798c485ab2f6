import { type PDFContext, PDFDict, PDFName, type PDFRawStream } from 'pdf-lib';
import { asDict, asName, entry } from '../../file/objects/index.js';
import { CompositeFont } from './composite-font.js';
import type { ContentFont } from './font.js';
import { SimpleFont } from './simple-font.js';

/** Returns the text that a glyph procedure of a Type 3 font draws; empty if it draws none. */
export type ProcedureReader = (procedure: PDFRawStream, resources: PDFDict | undefined) => string;

/** The fonts of one document, each read once. */
export class FontBook {
  readonly #fonts = new Map<PDFDict | undefined, ContentFont>();

  /** With `readProcedure`, fonts are read in both ways (`FontGlyph.drawn`). */
  constructor(
    private readonly context: PDFContext,
    private readonly readProcedure?: ProcedureReader,
  ) {}

  /**
   * Returns the font of a dictionary; without one, the font that viewers substitute. `resources` are those of the
   * content that uses it: a Type 3 font without resources of its own draws with them (ISO 32000-1, table 112).
   */
  font(dict: PDFDict | undefined, resources?: PDFDict): ContentFont {
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
      resources,
    );
    this.#fonts.set(dict, font);
    return font;
  }

  #read(dict: PDFDict, resources: PDFDict | undefined): ContentFont {
    const { context, readProcedure } = this;
    if (asName(context, entry(dict, 'Subtype')) === 'Type0')
      return new CompositeFont(context, dict, readProcedure !== undefined);
    const own = asDict(context, entry(dict, 'Resources')) ?? resources;
    return new SimpleFont(context, dict, readProcedure && ((stream) => readProcedure(stream, own)));
  }
}
