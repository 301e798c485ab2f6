import { boxAround, type Quad } from '@quire/document/content';
import { decimal, fillColour, formOf, PageOverlay } from '@quire/document/content/drawing';
import { withPdf, writePdf } from '@quire/document/file/open';
import { alphabetOfText, shapeLine, TextFont, type ShapedLine } from '@quire/document/fonts';
import { pageRotation } from '@quire/document/structure/pages';
import type { RedactionBox } from './boxes.js';

/** Points; a larger caption would look like a heading, a smaller one cannot be read and is left out. */
const LARGEST = 11;
const SMALLEST = 4;
/** Share of the box that the caption may fill. */
const FILL_HEIGHT = 0.62;
const FILL_WIDTH = 0.92;
/** Height of capitals, as a share of the font size. */
const CAPITAL = 0.714;
/** Lighter boxes have a black caption: relative luminance. */
const LIGHT = 0.4;

/** The shaped caption. Throws INPUT_INVALID for characters that no built-in font has. */
export function shapeCaption(caption: string): Promise<ShapedLine> {
  return shapeLine(caption, alphabetOfText(caption), 'style');
}

/**
 * Writes a caption into boxes, by page index, of the file at `source`; boxes too small for it stay plain. The result is
 * checked before: until then no text may be in a box.
 */
export function drawCaptions(
  source: string,
  target: string,
  { caption, boxes }: { readonly caption: ShapedLine; readonly boxes: ReadonlyMap<number, readonly RedactionBox[]> },
  modified: Date,
): Promise<void> {
  return withPdf({ path: source }, {}, (opened) => {
    const { context } = opened.document;
    const font = new TextFont(opened.document);
    const overlay = new PageOverlay(context);
    for (const [index, own] of boxes) {
      const page = opened.pages[index];
      if (page === undefined) continue;
      const rotation = pageRotation(context, page);
      const content = own.flatMap((box) => captionIn(box, rotation, caption, font)).join('\n');
      if (content === '') continue;
      const [left, bottom, right, top] = own
        .map(({ quad }) => boxAround(quad))
        .reduce((a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]);
      const area = { left, bottom, width: right - left, height: top - bottom };
      overlay.add(page, formOf(context, { content, area, resources: { Font: { F: font.ref } } }), { artifact: true });
    }
    font.embed();
    writePdf(opened, target, { mode: 'rewrite', modified });
  });
}

function captionIn(
  { quad, colour: { red, green, blue }, upright }: RedactionBox,
  rotation: number,
  caption: ShapedLine,
  font: TextFont,
): string[] {
  // Text in a match goes its own way; an area is read as the page is shown.
  const [x0, y0, x1, y1, x2, y2, x3, y3] = upright === true ? turned(quad, rotation / 90) : quad;
  const [width, height] = [Math.hypot(x1 - x0, y1 - y0), Math.hypot(x3 - x0, y3 - y0)];
  const size = Math.min(LARGEST, height * FILL_HEIGHT, (width * FILL_WIDTH * 1000) / Math.max(1, caption.width));
  if (size < SMALLEST) return [];
  const [cos, sin] = [(x1 - x0) / width, (y1 - y0) / width];
  const [middleX, middleY] = [(x0 + x2) / 2, (y0 + y2) / 2];
  const [back, down] = [(caption.width * size) / 2000, (size * CAPITAL) / 2];
  const x = middleX - back * cos + down * sin;
  const y = middleY - back * sin - down * cos;
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > LIGHT;
  const ink = light ? { red: 0, green: 0, blue: 0 } : { red: 1, green: 1, blue: 1 };
  const matrix = [cos, sin, -sin, cos, x, y].map(decimal).join(' ');
  return [`${fillColour(ink)}\nBT\n/F ${decimal(size)} Tf\n${matrix} Tm\n${font.show(caption, size)}\nET`];
}

/** The corners from the one that is at the lower left after clockwise quarter turns of the page. */
function turned(quad: Quad, turns: number): Quad {
  const at = (turns * 2) % 8;
  return [...quad.slice(at), ...quad.slice(0, at)] as unknown as Quad;
}
