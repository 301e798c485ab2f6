import { decimal } from '../../content/drawing/index.js';
import { beginsAtRight, lettersFromLeft } from '../../fonts/index.js';
import { type MeasuredText, measureText } from './break-lines.js';
import type { DefaultAppearance } from './default-appearance.js';
import type { FieldFont, FieldLine } from './field-fonts.js';
import { segmentsOf } from './text-segments.js';
import type { WidgetLook } from './widget-look.js';

/** A text and the layout settings of its field. */
export interface FieldText {
  readonly text: string;
  /** Left, centred or right (ISO 32000-1, 12.7.3.3, quadding). */
  readonly alignment: 0 | 1 | 2;
  readonly multiline: boolean;
  /** Number of cells of equal width, with one character each. */
  readonly comb?: number;
}

/** In points. Largest automatic size of text with several lines. */
const LARGEST_AUTO = 12;
const SMALLEST_AUTO = 4;
/** Longest text of one line that a field could show: this many (thin) letters per em of its width, and a maximum. */
const [LETTERS_PER_EM, LONGEST_LINE] = [20, 10_000] as const;
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** In points. Least distance between text and border. */
const MARGIN = 1;
/** Least distance between baselines, in thousandths of the font size. */
const LEADING = 1150;

/**
 * Returns the operators that draw a text inside the border of a widget (ISO 32000-1, 12.7.3.3) with the font /F of the
 * resources. Size 0 selects the largest size that fits: by height and width for a single line, at most 12 points for
 * several lines.
 */
export async function textOperators(
  look: WidgetLook,
  { text, alignment, multiline, comb }: FieldText,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const area = textAreaOf(look);
  if (text === '' || area.width <= 0 || area.height <= 0) return '';
  const body =
    comb !== undefined
      ? await combText(
          look,
          segmentsOf(letters, text).map(({ segment }) => segment),
          comb,
          alignment,
          style,
          font,
        )
      : multiline
        ? await paragraphText(area, text, alignment, style, font)
        : await lineText(area, text.replaceAll(/\r\n|[\r\n\u2028\u2029]/g, ' '), alignment, style, font);
  const { inset } = look;
  const clip = [inset, inset, look.width - inset * 2, look.height - inset * 2].map(decimal).join(' ');
  return `q ${clip} re W n\nBT\n${style.colour}\n${body}\nET Q`;
}

/** A rectangle in the coordinates of the appearance. */
export interface TextArea {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the area of a widget that text may occupy. */
export function textAreaOf({ width, height, inset, borderWidth }: WidgetLook): TextArea {
  const side = inset + Math.max(MARGIN, borderWidth);
  return { left: side, bottom: inset, width: width - side * 2, height: height - inset * 2 };
}

/** Returns the distance between baselines in thousandths of the font size. */
export function leadingOf({ ascent, descent }: FieldFont): number {
  return Math.max(LEADING, ascent - descent);
}

async function lineText(
  area: TextArea,
  text: string,
  alignment: number,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const most = Math.min(LONGEST_LINE, Math.ceil(area.width / (style.size || SMALLEST_AUTO) + 1) * LETTERS_PER_EM);
  // Very long texts are cut: the rest would be outside the field.
  const written = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  const line = await font.line(written);
  const size = style.size || fittingSize(area, line.width, font);
  const x = aligned(area, line, size, alignment, await beginsAtRight(written));
  return `/F ${decimal(size)} Tf\n${placed(line, x, middle(area, size, font), size)}`;
}

function fittingSize({ width, height }: TextArea, textWidth: number, { ascent, descent }: FieldFont): number {
  const byHeight = (height * 1000) / (ascent - descent);
  return Math.max(SMALLEST_AUTO, Math.min(byHeight, textWidth > 0 ? (width * 1000) / textWidth : byHeight));
}

async function paragraphText(
  area: TextArea,
  text: string,
  alignment: number,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const measured = await measureText(text, font);
  const leading = leadingOf(font);
  const size = style.size || paragraphSize(measured, area, leading);
  const parts = [`/F ${decimal(size)} Tf`];
  let y = area.bottom + area.height - MARGIN - (font.ascent * size) / 1000;
  for (const text of measured.lines(
    (area.width * 1000) / size,
    Math.ceil((area.height * 1000) / (leading * size)) + 1,
  )) {
    // Text below the field is invisible and may be very long, so it is not written.
    if (y + (font.ascent * size) / 1000 < area.bottom) break;
    const line = await font.line(text);
    if (text !== '') parts.push(placed(line, aligned(area, line, size, alignment, await beginsAtRight(text)), y, size));
    y -= (leading * size) / 1000;
  }
  return parts.join('\n');
}

function paragraphSize(measured: MeasuredText, area: TextArea, leading: number): number {
  for (let size = LARGEST_AUTO; size > SMALLEST_AUTO; size -= 0.5) {
    const most = Math.floor(((area.height - MARGIN) * 1000) / (leading * size));
    if (measured.lines((area.width * 1000) / size, most + 1).length <= most) return size;
  }
  return SMALLEST_AUTO;
}

/** Centres each character in its cell; the cells share the full width of the field (ISO 32000-1, table 228, Comb). */
async function combText(
  look: WidgetLook,
  characters: readonly string[],
  cells: number,
  alignment: number,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const area = { left: 0, bottom: look.inset, width: look.width, height: look.height - look.inset * 2 };
  const shown = await lettersFromLeft(characters.slice(0, cells));
  const lines = await Promise.all(shown.map((character) => font.line(character)));
  const cell = look.width / cells;
  const size =
    style.size || fittingSize({ ...area, width: cell }, Math.max(0, ...lines.map(({ width }) => width)), font);
  const first = alignment === 2 ? cells - shown.length : alignment === 1 ? Math.floor((cells - shown.length) / 2) : 0;
  const y = middle(area, size, font);
  return [
    `/F ${decimal(size)} Tf`,
    ...lines.map((line, i) => placed(line, (first + i + 0.5) * cell - (line.width * size) / 2000, y, size)),
  ].join('\n');
}

/** Returns the operators that draw a line with its baseline at a point. */
export function placed(line: FieldLine, x: number, y: number, size: number): string {
  return `1 0 0 1 ${decimal(x)} ${decimal(y)} Tm\n${line.show(size)}`;
}

function aligned(
  { left, width }: TextArea,
  line: FieldLine,
  size: number,
  alignment: number,
  fromRight: boolean,
): number {
  const free = width - (line.width * size) / 1000;
  // Text that does not fit is cut at its end, whatever its alignment, so that its beginning is visible.
  return left + (free <= 0 ? (fromRight ? free : 0) : alignment === 2 ? free : alignment === 1 ? free / 2 : 0);
}

/** Returns the baseline of a vertically centred line. */
function middle({ bottom, height }: TextArea, size: number, { ascent, descent }: FieldFont): number {
  return bottom + (height - ((ascent - descent) * size) / 1000) / 2 - (descent * size) / 1000;
}
