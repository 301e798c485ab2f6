import { decimal } from '../../content/drawing/index.js';
import { beginsAtRight, lettersFromLeft } from '../../fonts/index.js';
import { type MeasuredText, measureText } from './break-lines.js';
import type { DefaultAppearance } from './default-appearance.js';
import type { FieldFont, FieldLine } from './field-fonts.js';
import { segmentsOf } from './text-segments.js';
import type { WidgetLook } from './widget-look.js';

/** A text and how its field says that it is written. */
export interface FieldText {
  readonly text: string;
  /** Left, middle or right (ISO 32000-1, 12.7.3.3, quadding). */
  readonly alignment: 0 | 1 | 2;
  readonly multiline: boolean;
  /** Cells of equal width, one character in each. */
  readonly comb?: number;
}

/** Text no larger than this is chosen where the size follows from the room for several lines. */
const LARGEST_AUTO = 12;
const SMALLEST_AUTO = 4;
/**
 * Letters of one line that any field could show: of thin ones, so many for each em of its width, and no more than that
 * in all.
 */
const [LETTERS_PER_EM, LONGEST_LINE] = [20, 10_000] as const;
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** What is between text and border at least. */
const MARGIN = 1;
/** From baseline to baseline at least, in thousandths of the size. */
const LEADING = 1150;

/**
 * Gives the operators that write a text into a widget, within its border (ISO 32000-1, 12.7.3.3), the font being /F of
 * the resources. A size of 0 becomes the largest at which the text fits: in height and width for a line, at most 12
 * points for several.
 */
export async function textOperators(
  look: WidgetLook,
  { text, alignment, multiline, comb }: FieldText,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const room = roomIn(look);
  if (text === '' || room.width <= 0 || room.height <= 0) return '';
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
        ? await paragraphText(room, text, alignment, style, font)
        : await lineText(room, text.replaceAll(/\r\n|[\r\n\u2028\u2029]/g, ' '), alignment, style, font);
  const { inset } = look;
  const clip = [inset, inset, look.width - inset * 2, look.height - inset * 2].map(decimal).join(' ');
  return `q ${clip} re W n\nBT\n${style.colour}\n${body}\nET Q`;
}

/** A rectangle in the appearance's coordinates. */
export interface Room {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** What text of a widget may take up. */
export function roomIn({ width, height, inset, borderWidth }: WidgetLook): Room {
  const side = inset + Math.max(MARGIN, borderWidth);
  return { left: side, bottom: inset, width: width - side * 2, height: height - inset * 2 };
}

/** The distance of baselines in thousandths of the size. */
export function leadingOf({ ascent, descent }: FieldFont): number {
  return Math.max(LEADING, ascent - descent);
}

async function lineText(
  room: Room,
  text: string,
  alignment: number,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const most = Math.min(LONGEST_LINE, Math.ceil(room.width / (style.size || SMALLEST_AUTO) + 1) * LETTERS_PER_EM);
  // A text of megabytes need not be written: the rest is beyond the edge.
  const written = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  const line = await font.line(written);
  const size = style.size || fittingSize(room, line.width, font);
  return (
    `/F ${decimal(size)} ` +
    `Tf\n${placed(line, aligned(room, line, size, alignment, await beginsAtRight(written)), middle(room, size, font), size)}`
  );
}

function fittingSize({ width, height }: Room, textWidth: number, { ascent, descent }: FieldFont): number {
  const byHeight = (height * 1000) / (ascent - descent);
  return Math.max(SMALLEST_AUTO, Math.min(byHeight, textWidth > 0 ? (width * 1000) / textWidth : byHeight));
}

async function paragraphText(
  room: Room,
  text: string,
  alignment: number,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const measured = await measureText(text, font);
  const leading = leadingOf(font);
  const size = style.size || paragraphSize(measured, room, leading);
  const parts = [`/F ${decimal(size)} Tf`];
  let y = room.bottom + room.height - MARGIN - (font.ascent * size) / 1000;
  for (const text of measured.lines(
    (room.width * 1000) / size,
    Math.ceil((room.height * 1000) / (leading * size)) + 1,
  )) {
    // What is below the field cannot be seen; a text of megabytes need not be written.
    if (y + (font.ascent * size) / 1000 < room.bottom) break;
    const line = await font.line(text);
    if (text !== '') parts.push(placed(line, aligned(room, line, size, alignment, await beginsAtRight(text)), y, size));
    y -= (leading * size) / 1000;
  }
  return parts.join('\n');
}

function paragraphSize(measured: MeasuredText, room: Room, leading: number): number {
  for (let size = LARGEST_AUTO; size > SMALLEST_AUTO; size -= 0.5) {
    const most = Math.floor(((room.height - MARGIN) * 1000) / (leading * size));
    if (measured.lines((room.width * 1000) / size, most + 1).length <= most) return size;
  }
  return SMALLEST_AUTO;
}

/**
 * Each character in the middle of its cell; cells are as wide as the whole field allows (ISO 32000-1, table 228, Comb).
 */
async function combText(
  look: WidgetLook,
  characters: readonly string[],
  cells: number,
  alignment: number,
  style: DefaultAppearance,
  font: FieldFont,
): Promise<string> {
  const room = { left: 0, bottom: look.inset, width: look.width, height: look.height - look.inset * 2 };
  const shown = await lettersFromLeft(characters.slice(0, cells));
  const lines = await Promise.all(shown.map((character) => font.line(character)));
  const cell = look.width / cells;
  const size =
    style.size || fittingSize({ ...room, width: cell }, Math.max(0, ...lines.map(({ width }) => width)), font);
  const first = alignment === 2 ? cells - shown.length : alignment === 1 ? Math.floor((cells - shown.length) / 2) : 0;
  const y = middle(room, size, font);
  return [
    `/F ${decimal(size)} Tf`,
    ...lines.map((line, i) => placed(line, (first + i + 0.5) * cell - (line.width * size) / 2000, y, size)),
  ].join('\n');
}

/** Operators that show a line with its baseline at a point. */
export function placed(line: FieldLine, x: number, y: number, size: number): string {
  return `1 0 0 1 ${decimal(x)} ${decimal(y)} Tm\n${line.show(size)}`;
}

function aligned({ left, width }: Room, line: FieldLine, size: number, alignment: number, fromRight: boolean): number {
  const free = width - (line.width * size) / 1000;
  // What does not fit is cut at its end, whatever its alignment: its beginning is shown.
  return left + (free <= 0 ? (fromRight ? free : 0) : alignment === 2 ? free : alignment === 1 ? free / 2 : 0);
}

/** The baseline of a line in the middle of a room. */
function middle({ bottom, height }: Room, size: number, { ascent, descent }: FieldFont): number {
  return bottom + (height - ((ascent - descent) * size) / 1000) / 2 - (descent * size) / 1000;
}
