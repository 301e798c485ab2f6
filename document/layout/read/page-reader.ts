import type { Pdfium, PdfiumDocument } from '../../engines/pdfium/index.js';
import type { PageContent, PlacedLink, PlacedPicture } from '../page-content.js';
import { isRightToLeftDocument } from './bidi/document-direction.js';
import { joined, PageFrame, type Six } from './frame.js';
import { readLinks } from './links.js';
import { PathReader } from './paths.js';
import { readPicture } from './pictures.js';
import { type Scratch, withScratch } from './scratch.js';
import { StyleTable } from './styles.js';
import { readTags } from './tags.js';
import { readWords } from './words.js';

/** Most objects of one page, including its forms, and deepest nesting of forms. */
const MAX_OBJECTS = 500_000;
const MAX_DEPTH = 12;
/** Pictures of one page that are kept. */
const MAX_PICTURES = 5000;
/** Kinds of page objects. */
const PATH = 2;
const IMAGE = 3;
const SHADING = 4;
const FORM = 5;
/** Annotations that show text of their own (ISO 32000-1, table 169): text boxes, stamps, form fields. */
const SHOWING: ReadonlySet<number> = new Set([3, 13, 20]);
const MAX_ANNOTATIONS = 20_000;
/** For FPDFPage_Flatten: what is shown on screens; what it answers when it has done so. */
const NORMAL_DISPLAY = 0;
const FLATTENED = 1;
const LETTER = [0, 0, 612, 792] as const;

/** Reads what pages show; styles are shared by all pages read with one reader. */
export class PageReader {
  readonly #styles = new StyleTable();
  /** Links of pages that lost their annotations. */
  readonly #links = new Map<number, readonly PlacedLink[]>();
  #fromRight: boolean | undefined;

  /** True when the document says that it is tagged. */
  readonly tagged: boolean;

  /** `unitOf` returns a page's /UserUnit (by 0-based index), which PDFium does not provide. */
  constructor(
    readonly document: PdfiumDocument,
    readonly unitOf: (index: number) => number = () => 1,
  ) {
    this.tagged = Boolean(document.pdfium.FPDFCatalog_IsTagged(document.handle));
  }

  /**
   * Reads a page (0-based); one that cannot be loaded is empty. Words only, where `drawn` is false: no lines, pictures
   * and links.
   */
  read(index: number, { drawn = true }: { readonly drawn?: boolean } = {}): PageContent {
    const { pdfium, handle } = this.document;
    let page = pdfium.FPDF_LoadPage(handle, index);
    if (page === 0)
      return {
        number: index + 1,
        width: LETTER[2],
        height: LETTER[3],
        words: [],
        rulings: [],
        fills: [],
        pictures: [],
        shapes: [],
        links: [],
        tags: [],
      };
    try {
      const plain = withScratch(pdfium, (scratch) => this.#content(scratch, page, index, drawn));
      if (!drawn || !this.#showAppearances(index, page, plain)) return plain;
      const again = pdfium.FPDF_LoadPage(handle, index);
      if (again === 0) return plain;
      pdfium.FPDF_ClosePage(page);
      page = again;
      const whole = withScratch(pdfium, (scratch) => this.#content(scratch, page, index, drawn));
      // In broken files the page itself may be lost by it.
      return lettersOf(whole) >= lettersOf(plain) ? whole : plain;
    } finally {
      pdfium.FPDF_ClosePage(page);
    }
  }

  /** True for a page that was changed when it was read, to show its fields and stamps. */
  hasChanged(index: number): boolean {
    return this.#links.has(index);
  }

  /** Takes in a content that another reader has read of the same document, in another thread. */
  adopt(content: PageContent): PageContent {
    this.#styles.adopt(content.words);
    return content;
  }

  /**
   * Runs `fn` with an open page (FPDF_PAGE) and the handle of the image with `Picture.index`; undefined if it does not
   * exist.
   */
  withImage<T>(index: number, image: number, fn: (page: number, object: number) => T): T | undefined {
    const { pdfium, handle } = this.document;
    const page = pdfium.FPDF_LoadPage(handle, index);
    if (page === 0) return undefined;
    try {
      return withScratch(pdfium, (scratch) => {
        let [at, found] = [0, 0];
        eachObject(scratch, page, [1, 0, 0, 1, 0, 0], (object, type) => {
          if (type === IMAGE && at++ === image) found = object;
          return found === 0;
        });
        return found === 0 ? undefined : fn(page, found);
      });
    } finally {
      pdfium.FPDF_ClosePage(page);
    }
  }

  /** The page's place in user space; for work on what this reader does not read. */
  frame(scratch: Scratch, page: number, index: number): PageFrame {
    const { pdfium } = scratch;
    const known = pdfium.FPDF_GetPageBoundingBox(page, scratch.at);
    const [left = 0, top = 0, right = 0, bottom = 0] = known ? scratch.floats : [];
    const box = right > left && top > bottom ? ([left, bottom, right, top] as const) : LETTER;
    const turns = pdfium.EPDF_GetPageRotationByIndex(this.document.handle, index);
    return new PageFrame(box, (((turns % 4) + 4) % 4) * 90, this.unitOf(index));
  }

  /**
   * Flattens form fields, text boxes and stamps in memory; annotations are then gone, so links are saved before. True
   * if the page must be read again.
   */
  #showAppearances(index: number, page: number, { links }: PageContent): boolean {
    const { pdfium } = this.document;
    if (!hasShownText(pdfium, page) || pdfium.FPDFPage_Flatten(page, NORMAL_DISPLAY) !== FLATTENED) return false;
    this.#links.set(index, links);
    return true;
  }

  /** True if the language of the document is written from right to left. */
  #rtl(scratch: Scratch): boolean {
    return (this.#fromRight ??= isRightToLeftDocument(scratch, this.document.handle));
  }

  #content(scratch: Scratch, page: number, index: number, drawn: boolean): PageContent {
    const { pdfium, handle } = this.document;
    const frame = this.frame(scratch, page, index);
    this.#styles.newPage();
    const text = pdfium.FPDFText_LoadPage(page);
    let words: PageContent['words'] = [];
    try {
      if (text !== 0) words = readWords(scratch, text, frame, this.#styles, this.#rtl(scratch));
    } finally {
      if (text !== 0) pdfium.FPDFText_ClosePage(text);
    }
    const paths = new PathReader(scratch, frame);
    const pictures: PlacedPicture[] = [];
    if (drawn) {
      let images = 0;
      eachObject(scratch, page, frame.matrix, (object, type, outer) => {
        if (type === PATH) paths.read(object, outer);
        if (type !== IMAGE) return true;
        const picture =
          pictures.length < MAX_PICTURES
            ? readPicture(scratch, page, index + 1, object, images, outer, frame)
            : undefined;
        if (picture !== undefined) pictures.push(picture);
        images++;
        return true;
      });
    }
    const links = drawn ? (this.#links.get(index) ?? readLinks(scratch, handle, page, frame)) : [];
    const { rulings, fills, shapes } = paths;
    return {
      number: index + 1,
      width: frame.width,
      height: frame.height,
      words,
      rulings,
      fills,
      pictures,
      shapes,
      links,
      tags: drawn && this.tagged ? readTags(scratch, page) : [],
    };
  }
}

function lettersOf({ words }: PageContent): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

function hasShownText(pdfium: Pdfium, page: number): boolean {
  const count = Math.min(MAX_ANNOTATIONS, pdfium.FPDFPage_GetAnnotCount(page));
  for (let i = 0; i < count; i++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (SHOWING.has(subtype)) return true;
  }
  return false;
}

/** Goes over a page's objects and those of its forms in painting order; ends when `visit` gives false. */
function eachObject(
  scratch: Scratch,
  page: number,
  frame: Six,
  visit: (object: number, type: number, outer: Six) => boolean,
): void {
  const { pdfium, at } = scratch;
  const { wasmExports: engine } = pdfium.pdfium;
  let seen = 0;
  const walk = (count: number, get: (i: number) => number, outer: Six, depth: number): boolean => {
    for (let i = 0; i < count && seen < MAX_OBJECTS; i++, seen++) {
      const object = get(i);
      if (object === 0) continue;
      const type = engine.FPDFPageObj_GetType(object);
      if (type === FORM && depth < MAX_DEPTH) {
        const own = pdfium.FPDFPageObj_GetMatrix(object, at)
          ? ([...scratch.floats.subarray(0, 6)] as unknown as Six)
          : ([1, 0, 0, 1, 0, 0] as const);
        if (
          !walk(
            pdfium.FPDFFormObj_CountObjects(object),
            (n) => pdfium.FPDFFormObj_GetObject(object, n),
            joined(own, outer),
            depth + 1,
          )
        )
          return false;
      } else if ((type === PATH || type === IMAGE || type === SHADING) && !visit(object, type, outer)) return false;
    }
    return true;
  };
  walk(pdfium.FPDFPage_CountObjects(page), (n) => engine.FPDFPage_GetObject(page, n), frame, 0);
}
