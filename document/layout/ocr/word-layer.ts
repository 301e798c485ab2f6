import type { Bidi } from 'bidi-js';
import { type PDFContext, PDFName, PDFNumber, type PDFRef } from 'pdf-lib';
import { packedStream } from '../../content/index.js';
import { decimal, matrixOperands } from '../../content/drawing/index.js';
import type { Matrix } from '../../structure/geometry/index.js';
import { arrayOf, dictOf } from '../../file/objects/index.js';
import { GLYPH_ASCENT, GLYPH_DESCENT, GLYPH_WIDTH, type GlyphlessFont } from './glyphless-font.js';
import type { ReadLine, ReadPage, ReadWord } from './hocr.js';
import { isRightToLeft, visualOrder } from './visual-order.js';

/** A gap between words is drawn as a blank of at least this part of the font size, so that readers see one. */
const LEAST_BLANK = 0.1;
/**
 * Words of a line that rises or falls by less than this are set level, each at its own height: readers tear letters
 * apart that lie slightly askew.
 */
const LEVEL_SLOPE = 0.1;
/** Range of the ratio between font size and height of a line's box. */
const SIZES = { least: 0.5, most: 1.6 } as const;

/**
 * Writes what was read as a form XObject of invisible text (rendering mode 3: ISO 32000-1, 9.3.6), each word stretched
 * over its box, blanks over the gaps, lines along their base lines. The form's space is that of the page as it is seen,
 * in points; `scale` is the points of a pixel. Undefined without words.
 */
export function wordLayer(
  context: PDFContext,
  page: ReadPage,
  scale: number,
  font: GlyphlessFont,
  bidi: Bidi,
): PDFRef | undefined {
  const lines = page.paragraphs.flat();
  if (lines.length === 0) return undefined;
  const writer = new LineWriter(font, bidi, scale, page.height);
  const content = ['BT', '3 Tr', ...lines.map((line) => writer.write(line)), 'ET', ''].join('\n');
  return packedStream(
    context,
    dictOf(context, {
      Type: PDFName.of('XObject'),
      Subtype: PDFName.of('Form'),
      BBox: arrayOf(
        context,
        [0, 0, page.width * scale, page.height * scale].map((value) => PDFNumber.of(Math.ceil(value))),
      ),
      Resources: dictOf(context, { Font: dictOf(context, { F: font.ref }) }),
    }),
    Buffer.from(content, 'latin1'),
  );
}

/** A line laid out along its own direction: its words as distances from its beginning, in pixels. */
interface Track {
  /** Where the line begins on its base line, in pixels, y downwards. */
  readonly origin: readonly [number, number];
  /** Its direction, y upwards. */
  readonly direction: readonly [number, number];
  readonly size: number;
  readonly spans: readonly Span[];
}

/** A word on its line, and how far below the line's direction it stands, in pixels. */
interface Span {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly down?: number;
}

class LineWriter {
  constructor(
    private readonly font: GlyphlessFont,
    private readonly bidi: Bidi,
    private readonly scale: number,
    private readonly height: number,
  ) {}

  write(line: ReadLine): string {
    const {
      origin,
      direction: [cos, sin],
      size,
      spans,
    } = turnOf(line) === 0 ? uprightTrack(line) : turnedTrack(line, turnOf(line));
    const operators = [`/F ${decimal(size * this.scale)} Tf`];
    for (const [i, { text, from, to, down = 0 }] of spans.entries()) {
      const place: Matrix = [
        cos,
        sin,
        -sin,
        cos,
        (origin[0] + from * cos) * this.scale,
        (this.height - origin[1] - down + from * sin) * this.scale,
      ];
      operators.push(
        `${matrixOperands(place)} Tm`,
        this.#show(isRightToLeft(text) ? visualOrder(text, this.bidi) : text, to - from, size),
      );
      const next = spans[i + 1];
      if (next !== undefined) operators.push(this.#show(' ', Math.max(next.from - to, size * LEAST_BLANK), size));
    }
    return operators.join(' ');
  }

  /** Text stretched to a length in pixels. */
  #show(text: string, length: number, size: number): string {
    const { hex, count } = this.font.encode(text);
    const natural = (count * size * GLYPH_WIDTH) / 1000;
    return `${decimal((length / natural) * 100)} Tz <${hex}> Tj`;
  }
}

/**
 * Rotation of a line from the engine, or from its shape: words above each other in a line as wide as its letters are
 * high run vertically.
 */
function turnOf({ angle, box: [left, top, right, bottom], size, words }: ReadLine): number {
  const [width, height] = [right - left, bottom - top];
  if (angle !== 0 || height <= 2 * width || Math.abs(size - width) >= Math.abs(size - height)) return angle;
  return (words[0]?.box[1] ?? 0) < (words.at(-1)?.box[1] ?? 0) ? 270 : 90;
}

function sizeOf(line: ReadLine, thickness: number): number {
  return Math.max(1, line.size > thickness * SIZES.least && line.size < thickness * SIZES.most ? line.size : thickness);
}

/**
 * Along the base line that the engine found. Words are painted from left to right, also those that are read from right
 * to left.
 */
function uprightTrack(line: ReadLine): Track {
  const [left, , , bottom] = line.box;
  const size = sizeOf(line, line.box[3] - line.box[1] - Math.abs(line.slope) * (line.box[2] - line.box[0]));
  const isLevel = Math.abs(line.slope) < LEVEL_SLOPE;
  const length = isLevel ? 1 : Math.hypot(1, line.slope);
  const place = (x: number): number => (x - left) * length;
  const spans = [...line.words]
    .sort((a, b) => a.box[0] - b.box[0])
    .map(({ text, box }) => ({
      text,
      from: place(box[0]),
      to: place(box[2]),
      ...(isLevel ? { down: line.slope * ((box[0] + box[2]) / 2 - left) } : {}),
    }));
  return {
    origin: [left, bottom + line.offset],
    direction: isLevel ? [1, 0] : [1 / length, -line.slope / length],
    size,
    spans: disjoint(spans),
  };
}

/**
 * Up, upside down, or down the page: the engine gives no base line, so the line's box is shared out as the font's
 * height is.
 */
function turnedTrack(line: ReadLine, angle: number): Track {
  const [left, top, right, bottom] = line.box;
  const below = -GLYPH_DESCENT / (GLYPH_ASCENT - GLYPH_DESCENT);
  const spans = (of: (word: ReadWord) => readonly [number, number]): Span[] =>
    disjoint(
      line.words
        .map((word) => ({ text: word.text, from: of(word)[0], to: of(word)[1] }))
        .sort((a, b) => a.from - b.from),
    );
  switch (angle) {
    case 90:
      return {
        origin: [right - (right - left) * below, bottom],
        direction: [0, 1],
        size: right - left,
        spans: spans(({ box }) => [bottom - box[3], bottom - box[1]]),
      };
    case 270:
      return {
        origin: [left + (right - left) * below, top],
        direction: [0, -1],
        size: right - left,
        spans: spans(({ box }) => [box[1] - top, box[3] - top]),
      };
    default:
      return {
        origin: [right, top + (bottom - top) * below],
        direction: [-1, 0],
        size: bottom - top,
        spans: spans(({ box }) => [right - box[2], right - box[0]]),
      };
  }
}

/** Words that overlap give way to the next one, so that their order on the line is plain. */
function disjoint(spans: readonly Span[]): Span[] {
  return spans.map((span, i) => {
    const { from, to } = span;
    const next = spans[i + 1];
    return { ...span, to: next !== undefined && to > next.from ? Math.max(from + (to - from) / 2, next.from) : to };
  });
}
