import { readFileSync } from 'node:fs';
import { type Box, boxAround, ContentReader, readPageText } from '../../document/content/index.js';
import { withDocument } from '../../document/engines/pdfium/index.js';
import { type OpenedPdf, openPdf } from '../../document/file/open/index.js';
import { PageGlyphs, quadAlong } from '../../document/redaction/search/index.js';
import { readAnnotations } from '../../document/structure/annotations/index.js';
import { entry } from '../../document/file/objects/index.js';
import { boxOf, pageBox, pageRotation } from '../../document/structure/pages/index.js';
import { renderPage } from '../../document/engines/rendering/render-page.js';

/** Longer side of the rendered pages in pixels: lines that were cut are drawn up to half a pixel elsewhere. */
const SIDE = 1200;
/** Share of the width and height that the area leaves free at each edge. */
const EDGE = 0.3;
/** Pixels around the area that are not compared: boxes and letters extend into neighbouring pixels. */
const MARGIN = 36;
/** Least difference of a colour component that counts, and the least value that counts as white. */
const [DIFFERENT, WHITE] = [40, 250];
/** Share of the pixels outside that may differ. */
const TOLERATED = 0.002;

/** Fractions of the page as displayed, from its upper left corner. */
interface Part {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * An area in the middle of the first page: the operation's parameter, and the same area in fractions of the page as
 * displayed.
 */
export interface Middle {
  readonly redaction: {
    readonly page: number;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly color: string;
  };
  readonly part: Part;
  /** Annotations and letters that the area touches: they are removed whole (ADR 0026), also outside of it. */
  readonly touched: readonly Part[];
}

const MIDDLE: Part = { left: EDGE, top: EDGE, right: 1 - EDGE, bottom: 1 - EDGE };

/** Chooses the area; undefined for rotated pages, which show it elsewhere. */
export async function middleOf(path: string): Promise<Middle | undefined> {
  const {
    document,
    pages: [page],
  } = await openPdf(new Uint8Array(readFileSync(path)));
  if (page === undefined || pageRotation(document.context, page) !== 0) return undefined;
  const [left, bottom, right, top] = pageBox(document.context, page, 'CropBox');
  const [width, height] = [right - left, top - bottom];
  const parts = [...annotationBoxes(document.context, page), ...letterBoxes(document.context, page)].map(
    ([x, y, u, v]): Part => ({
      left: (x - left) / width,
      top: (top - v) / height,
      right: (u - left) / width,
      bottom: (top - y) / height,
    }),
  );
  return {
    redaction: {
      page: 1,
      x: width * EDGE,
      y: height * EDGE,
      width: width * (1 - 2 * EDGE),
      height: height * (1 - 2 * EDGE),
      color: '#ffffff',
    },
    part: MIDDLE,
    touched: parts
      .filter((each) => each.left < MIDDLE.right && each.right > MIDDLE.left)
      .filter((each) => each.top < MIDDLE.bottom && each.bottom > MIDDLE.top),
  };
}

type Context = OpenedPdf['document']['context'];
type Page = OpenedPdf['pages'][number];

function annotationBoxes(context: Context, page: Page): Box[] {
  return readAnnotations(context, page.dict)
    .map(({ dict }) => boxOf(context, entry(dict, 'Rect')))
    .filter((box) => box !== undefined);
}

/** None for a page that cannot be read. */
function letterBoxes(context: Context, page: Page): Box[] {
  try {
    return new PageGlyphs(readPageText(new ContentReader(context), page).runs)
      .all()
      .map((glyph) =>
        boxAround(quadAlong(glyph, glyph.from, glyph.to, glyph.line + glyph.below, glyph.line + glyph.above)),
      );
  } catch {
    return [];
  }
}

/**
 * Describes how the first page differs outside the area, or shows something inside it; undefined when neither is the
 * case.
 */
export async function renderingDifference(
  before: string,
  after: string,
  { part, touched }: Pick<Middle, 'part' | 'touched'>,
): Promise<string | undefined> {
  const [first, second] = [await rendering(before), await rendering(after)];
  if (first === undefined || second === undefined)
    return second === undefined && first !== undefined ? 'the result cannot be drawn' : undefined;
  if (first.width !== second.width || first.height !== second.height) return 'the page size has changed';
  const { width, height } = first;
  const inArea = within(part, -MARGIN, first);
  const besideArea = [part, ...touched].map((each) => within(each, MARGIN, first));
  let [outside, inside] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      if (inArea(x, y)) {
        if (!isWhite(second.pixels, at)) inside++;
      } else if (differ(first.pixels, second.pixels, at) && !besideArea.some((holds) => holds(x, y))) outside++;
    }
  }
  const faults = [
    ...(outside > width * height * TOLERATED ? [`${outside} of ${width * height} pixels outside differ`] : []),
    ...(inside > 0 ? [`${inside} pixels inside the area are not covered by the box`] : []),
  ];
  return faults.length === 0 ? undefined : faults.join(', ');
}

/** Returns a test whether a pixel is in a part of the page that is enlarged by a margin in pixels. */
function within(
  { left, top, right, bottom }: Part,
  margin: number,
  { width, height }: Rendering,
): (x: number, y: number) => boolean {
  const [fromX, toX] = [left * width - margin, right * width + margin];
  const [fromY, toY] = [top * height - margin, bottom * height + margin];
  return (x, y) => x > fromX && x < toX && y > fromY && y < toY;
}

function differ(a: Uint8Array, b: Uint8Array, at: number): boolean {
  for (let i = at; i < at + 3; i++) if (Math.abs(a[i]! - b[i]!) > DIFFERENT) return true;
  return false;
}

function isWhite(pixels: Uint8Array, at: number): boolean {
  return pixels[at]! >= WHITE && pixels[at + 1]! >= WHITE && pixels[at + 2]! >= WHITE;
}

interface Rendering {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

async function rendering(path: string): Promise<Rendering | undefined> {
  return withDocument(new Uint8Array(readFileSync(path)), {}, (document) => {
    const geometry = document.pageGeometry(0);
    const scale = SIDE / Math.max(geometry.width, geometry.height, 1);
    const size = {
      width: Math.max(1, Math.round(geometry.width * scale)),
      height: Math.max(1, Math.round(geometry.height * scale)),
    };
    return { ...size, pixels: renderPage(document, 0, { ...size, annotations: true }) };
  }).catch(() => undefined);
}
