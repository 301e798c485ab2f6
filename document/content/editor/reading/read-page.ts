import { DocumentError } from '../../../errors.js';
import type { ContentReader, Frame } from '../../index.js';
import type { PageEntry } from '../../../structure/pages/index.js';
import type { FontIds } from '../font-ids.js';
import { type PageSpace, pageSpace } from '../page-space.js';
import { type ReadImage, tellImage } from './read-images.js';
import { type ReadText, TextTeller } from './read-texts.js';
import type { PDFDict } from 'pdf-lib';

/** Most texts and images of one page that are exported; the content reader limits glyphs. */
const MAX_ELEMENTS = 100_000;
/** Glyphs of one page. */
const MAX_GLYPHS = 500_000;

/** A page's elements with their positions in its content. */
export interface ReadPage {
  readonly space: PageSpace;
  readonly frame: Frame;
  readonly texts: readonly ReadText[];
  readonly images: readonly ReadImage[];
  /** The fonts of the texts. */
  readonly fonts: ReadonlySet<PDFDict>;
}

/** Reads pages as the editor has them. */
export class PageReader {
  readonly #texts: TextTeller;

  constructor(
    readonly reader: ContentReader,
    readonly fonts: FontIds,
  ) {
    this.#texts = new TextTeller(reader, fonts);
  }

  /** Reads a page with the forms it draws. Errors: INPUT_TOO_COMPLEX, and those of `ContentReader.page`. */
  read(page: PageEntry): ReadPage {
    const space = pageSpace(this.reader.context, page);
    const texts: ReadText[] = [];
    const images: ReadImage[] = [];
    const fonts = new Set<PDFDict>();
    let glyphs = 0;
    const next = (): number => {
      const order = texts.length + images.length;
      if (order >= MAX_ELEMENTS)
        throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'texts and images of one page', limit: MAX_ELEMENTS });
      return order;
    };
    const frame = this.reader.page(page, {
      show: (shown) => {
        if (shown.count === 0) return;
        glyphs += shown.count;
        if (glyphs > MAX_GLYPHS)
          throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'characters of one page', limit: MAX_GLYPHS });
        if (shown.state.text.font !== undefined) fonts.add(shown.state.text.font);
        texts.push(this.#texts.tell(shown, space, next()));
      },
      image: (painted) => void images.push(tellImage(this.reader, painted, space, next())),
      inlineImage: (painted) => void images.push(tellImage(this.reader, painted, space, next())),
    });
    return { space, frame, texts, images, fonts };
  }
}
