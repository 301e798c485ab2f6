import type { PDFContext } from 'pdf-lib';
import { type ContentReader, type Frame, imageEntry, type Quad } from '../../content/index.js';
import { type UprightPage, uprightPage } from '../../structure/geometry/index.js';
import { embeddedSize } from '../../images/index.js';
import { asName, entry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import type { PdfiumDocument } from '../../engines/pdfium/index.js';

/** Which pages are read: those without text, or all. */
export type PageChoice = 'withoutText' | 'all';

/**
 * Treatment of a page: unchanged (`skip`), with a text layer (`layer`), with a replaced text layer (`relayer`), or
 * replaced by an image with a text layer (`picture`).
 */
export type Treatment = 'skip' | 'layer' | 'relayer' | 'picture';

/** A page and what becomes of it. */
export interface PlannedPage {
  /** 0-based. */
  readonly index: number;
  readonly page: PageEntry;
  readonly treatment: Treatment;
  readonly seen: UprightPage;
  /** At which it is drawn to be read. */
  readonly dpi: number;
  /** Its content, if text must be removed from it. */
  readonly frame?: Frame;
  /** For `relayer`: the invisible text and its font operators, which are removed. */
  readonly stale: readonly Place[];
}

/** Bounds of the resolution at which pages are read, and that of pages without pictures. */
const DPI = { least: 150, most: 400, usual: 300 } as const;
/** Pixels of a page that is read at most, and on a side: more helps no engine, and memory is needed for several. */
const [MOST_PIXELS, MOST_SIDE] = [25_000_000, 16_000];
/** Pictures that cover less of a page than this say nothing of its resolution. */
const LEAST_COVER = 0.05;
/** The rendering mode of text that neither paints nor clips (ISO 32000-1, table 106). */
const INVISIBLE = 3;
/** A page that has too many pixels even so is refused. */
const LEAST_DPI = 50;

/**
 * Plans the pages one by one; a page that is in the tree twice is planned once. `pictures`: pages that are read
 * become pictures, whatever they show.
 */
export function* planPages(
  { document: { context }, pages }: OpenedPdf,
  drawn: PdfiumDocument,
  options: {
    readonly choice: PageChoice;
    readonly pictures: boolean;
    readonly maxDpi: number;
    readonly reader: ContentReader;
  },
): Generator<PlannedPage> {
  const met = new Set<unknown>();
  for (const [index, page] of pages.entries()) {
    const again = met.has(page.dict);
    met.add(page.dict);
    yield again
      ? { index, page, treatment: 'skip', seen: uprightPage(context, page), dpi: DPI.usual, stale: [] }
      : planPage(context, index, page, drawn, options);
  }
}

function planPage(
  context: PDFContext,
  index: number,
  page: PageEntry,
  drawn: PdfiumDocument,
  { choice, pictures, maxDpi, reader }: Parameters<typeof planPages>[2],
): PlannedPage {
  const seen = uprightPage(context, page);
  const hasText = drawn.pageText(index).trim() !== '';
  if (choice === 'withoutText' && hasText) return { index, page, treatment: 'skip', seen, dpi: DPI.usual, stale: [] };
  const { frame, shows, fonts, dpi } = lookAt(context, page, reader, seen);
  const visible = shows.some(({ paints }) => paints);
  const treatment =
    pictures || (choice === 'all' && visible) ? 'picture' : choice === 'all' && shows.length > 0 ? 'relayer' : 'layer';
  return {
    index,
    page,
    treatment,
    seen,
    frame,
    dpi: boundedDpi(seen, Math.min(dpi, maxDpi)),
    stale: treatment === 'relayer' ? [...shows, ...fonts] : [],
  };
}

/**
 * A page at the resolution of its pictures, within bounds; lower where it is so large that it would have too many
 * pixels.
 */
function boundedDpi({ width, height }: UprightPage, wanted: number): number {
  const most = Math.min(
    72 * Math.sqrt(MOST_PIXELS / Math.max(1, width * height)),
    (72 * MOST_SIDE) / Math.max(width, height, 1),
  );
  return Math.max(LEAST_DPI, Math.floor(Math.min(wanted, most)));
}

/** An operator of a page or of a form that it draws. */
interface Place {
  readonly frame: Frame;
  readonly start: number;
  readonly end: number;
}

interface Look {
  readonly frame: Frame;
  readonly shows: readonly (Place & { readonly paints: boolean })[];
  /** Where fonts are set. */
  readonly fonts: readonly Place[];
  readonly dpi: number;
}

/** Examines a page: its text, and the resolution of its images. */
function lookAt(context: PDFContext, page: PageEntry, reader: ContentReader, seen: UprightPage): Look {
  const shows: (Place & { readonly paints: boolean })[] = [];
  const fonts: Place[] = [];
  const area = Math.max(1, seen.width * seen.height);
  const unit = Math.sqrt(Math.abs(seen.matrix[0] * seen.matrix[3] - seen.matrix[1] * seen.matrix[2]));
  let dpi = 0;
  const note = ([x0, y0, x1, y1, , , x3, y3]: Quad, width: number, height: number): void => {
    const [across, up] = [Math.hypot(x1 - x0, y1 - y0) * unit, Math.hypot(x3 - x0, y3 - y0) * unit];
    if (across > 0 && up > 0 && (across * up) / area >= LEAST_COVER)
      dpi = Math.max(dpi, (width / across) * 72, (height / up) * 72);
  };
  const frame = reader.page(page, {
    operator: ({ frame: within, operator }) => {
      if (operator.name === 'Tf') fonts.push({ frame: within, start: operator.start, end: operator.end });
    },
    show: ({ frame: within, operator, state, font, count }) => {
      // The glyphs of Type 3 fonts paint whatever the rendering mode is (ISO 32000-1, 9.3.6).
      const drawsItself =
        state.text.font !== undefined && asName(context, entry(state.text.font, 'Subtype')) === 'Type3';
      if (count > 0 && font !== undefined)
        shows.push({
          frame: within,
          start: operator.start,
          end: operator.end,
          paints: drawsItself || state.text.mode !== INVISIBLE,
        });
    },
    image: ({ quad, stream }) => {
      const { width, height } = embeddedSize(context, stream);
      note(quad, width, height);
    },
    inlineImage: ({ quad, image }) => {
      const [width, height] = [imageEntry(image.dict, 'Width'), imageEntry(image.dict, 'Height')];
      if (typeof width === 'number' && typeof height === 'number') note(quad, width, height);
    },
  });
  return { frame, shows, fonts, dpi: dpi === 0 ? DPI.usual : Math.round(Math.min(DPI.most, Math.max(DPI.least, dpi))) };
}
