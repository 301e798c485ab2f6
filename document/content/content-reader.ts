import type { PDFDict, PDFRawStream } from 'pdf-lib';
import { asDict, entry } from '../file/objects/index.js';
import { boxOf, decodedContent, pageAttribute, pageBox, type PageEntry } from '../structure/pages/index.js';
import { withDrawnText } from './drawn-text.js';
import type { ContentVisitor, ShownText } from './events.js';
import { Frame } from './frame.js';
import { boxAround, everywhere, identity, multiply, quadOf } from './geometry.js';
import type { Matrix } from './operands.js';
import { pageContent } from './page-content.js';
import { plainText } from './page-text-plain.js';
import { initialState } from './state.js';
import { Walk } from './walk/walk.js';
import { ContentResources } from './content-resources.js';

/** Glyph procedures that draw with fonts whose glyph procedures draw text, and so on. */
const MAX_PROCEDURES = 8;
/** Operators that show text, and the one that draws a form: a glyph procedure without them draws no text. */
const TEXT_OPERATORS = ['Tj', 'TJ', "'", '"', 'Do'] as const;

/**
 * Reads what the pages of one document paint. Fonts and forms are read once. Throws INPUT_TOO_COMPLEX beyond the
 * limits, and the codes of the decompression bounds. Broken content paints what viewers show of it: unknown operators,
 * missing operands and missing resources are skipped.
 */
export class ContentReader extends ContentResources {
  #procedures = 0;

  /** Walks a page with all forms it draws, and gives its frame. The clip begins as the crop box. */
  page(page: PageEntry, visitor: ContentVisitor): Frame {
    const { bytes } = pageContent(this.context, page);
    const frame = new Frame(
      bytes,
      asDict(this.context, pageAttribute(page, 'Resources')),
      undefined,
      undefined,
      identity,
    );
    new Walk(this, visitor, initialState(pageBox(this.context, page))).run(frame);
    return frame;
  }

  /** Walks other content by itself: an annotation's appearance, a tiling pattern. Its /Matrix applies, then `ctm`. */
  stream(stream: PDFRawStream, resources: PDFDict | undefined, visitor: ContentVisitor, ctm: Matrix = identity): Frame {
    const own = asDict(this.context, entry(stream.dict, 'Resources')) ?? resources;
    const state = initialState(everywhere);
    const matrix = multiply(this.matrix(stream.dict), ctm);
    const box = boxOf(this.context, entry(stream.dict, 'BBox'));
    const clip = box === undefined ? state.clip : boxAround(quadOf(matrix, box));
    const frame = new Frame(
      decodedContent(this.context, stream) ?? new Uint8Array(0),
      own,
      undefined,
      undefined,
      matrix,
    );
    new Walk(this, visitor, { ...state, ctm: matrix, clip }).run(frame);
    return frame;
  }

  protected procedureText(procedure: PDFRawStream, resources: PDFDict | undefined): string {
    const content = decodedContent(this.context, procedure);
    if (content === undefined || this.#procedures === MAX_PROCEDURES) return '';
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    if (!TEXT_OPERATORS.some((name) => bytes.includes(name, 0, 'latin1'))) return '';
    const shown: ShownText[] = [];
    this.#procedures++;
    try {
      this.stream(procedure, resources, { show: (what) => shown.push(what) });
    } finally {
      this.#procedures--;
    }
    const runs = (withDrawnText(shown) ?? shown).map((run) => ({ ...run, marked: undefined }));
    return (plainText({ runs }) ?? '').trim();
  }
}
