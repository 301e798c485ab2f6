import { readFileSync } from 'node:fs';
import { withDocument } from '../../document/engines/pdfium/index.js';
import { openPdf } from '../../document/file/open/index.js';
import { pageBox, pageRotation } from '../../document/structure/pages/index.js';
import { renderPage } from '../../document/engines/rendering/render-page.js';

/** Longer side of the rendered pages in pixels. */
const SIDE = 400;
/** Share of the width and height that the area leaves free at each edge. */
const EDGE = 0.3;
/** Pixels around the area that are not compared: boxes and letters extend into neighbouring pixels. */
const MARGIN = 12;

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
  readonly pixels: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
}

/** Chooses the area; undefined for rotated pages, which show it elsewhere. */
export async function middleOf(path: string): Promise<Middle | undefined> {
  const {
    document,
    pages: [page],
  } = await openPdf(new Uint8Array(readFileSync(path)));
  if (page === undefined || pageRotation(document.context, page) !== 0) return undefined;
  const [left, bottom, right, top] = pageBox(document.context, page, 'CropBox');
  const [width, height] = [right - left, top - bottom];
  return {
    redaction: {
      page: 1,
      x: width * EDGE,
      y: height * EDGE,
      width: width * (1 - 2 * EDGE),
      height: height * (1 - 2 * EDGE),
      color: '#ffffff',
    },
    pixels: { left: EDGE, top: EDGE, right: 1 - EDGE, bottom: 1 - EDGE },
  };
}

/**
 * Describes how the first page differs outside the area, or shows something inside it; undefined when neither is the
 * case.
 */
export async function renderingDifference(
  before: string,
  after: string,
  area: Middle['pixels'],
): Promise<string | undefined> {
  const [a, b] = [rendering(before), rendering(after)];
  const [first, second] = [await a, await b];
  if (first === undefined || second === undefined)
    return second === undefined && first !== undefined ? 'the result cannot be drawn' : undefined;
  if (first.width !== second.width || first.height !== second.height) return 'the page size has changed';
  const { width, height } = first;
  const box = {
    left: area.left * width,
    right: area.right * width,
    top: area.top * height,
    bottom: area.bottom * height,
  };
  let [outside, inside] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const differs =
        Math.max(
          ...[0, 1, 2].map((channel) =>
            Math.abs((first.pixels[at + channel] ?? 0) - (second.pixels[at + channel] ?? 0)),
          ),
        ) > 40;
      if (x > box.left + MARGIN && x < box.right - MARGIN && y > box.top + MARGIN && y < box.bottom - MARGIN) {
        if ([0, 1, 2].some((channel) => (second.pixels[at + channel] ?? 0) < 250)) inside++;
      } else if (
        differs &&
        (x < box.left - MARGIN || x > box.right + MARGIN || y < box.top - MARGIN || y > box.bottom + MARGIN)
      )
        outside++;
    }
  }
  const faults = [
    ...(outside > width * height * 0.002 ? [`${outside} of ${width * height} pixels outside differ`] : []),
    ...(inside > 0 ? [`${inside} pixels inside the area are not covered by the box`] : []),
  ];
  return faults.length === 0 ? undefined : faults.join(', ');
}

async function rendering(
  path: string,
): Promise<{ readonly width: number; readonly height: number; readonly pixels: Uint8Array } | undefined> {
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
