/** Sizes that `form/fill` gives a text whose size depends on its field (`document/forms/appearance`). In points. */
const [LARGEST_AUTO, SMALLEST_AUTO] = [12, 4] as const;
/** Of a list box whose size depends on the field. */
export const LIST_SIZE = 12;
/** Height of a line of the usual fonts, in parts of the font size. */
const LINE_HEIGHT = 1.16;
/** Between text and edge, in points: a border, and a margin as wide. */
export const TEXT_MARGIN = 2;
/** Characters of a text that decide its size. */
const MEASURED = 4000;
const EM = 100;

interface Room {
  /** Points. */
  readonly width: number;
  readonly height: number;
}

let measure: CanvasRenderingContext2D | null | undefined;

/** Width of a text in parts of its font size. */
function widthOf(text: string): number {
  measure ??= document.createElement('canvas').getContext('2d');
  if (measure === null) return text.length / 2;
  measure.font = `${EM}px Helvetica, Arial, sans-serif`;
  return measure.measureText(text).width / EM;
}

/** The size of a text of one line that fills its field, in points. */
export function sizeOfLine(text: string, { width, height }: Room, cells?: number): number {
  const byHeight = Math.max(0, height - TEXT_MARGIN) / LINE_HEIGHT;
  if (cells !== undefined) return Math.max(SMALLEST_AUTO, Math.min(byHeight, width / cells));
  const wide = widthOf(text.slice(0, MEASURED));
  const byWidth = wide > 0 ? Math.max(0, width - 2 * TEXT_MARGIN) / wide : byHeight;
  return Math.max(SMALLEST_AUTO, Math.min(byHeight, byWidth));
}

/** The largest size, up to 12 points, at which a text of several lines fits its field. */
export function sizeOfParagraphs(text: string, { width, height }: Room): number {
  const paragraphs = text
    .slice(0, MEASURED)
    .split('\n')
    .map((paragraph) => paragraph.split(' ').map(widthOf));
  const space = widthOf(' ');
  for (let size = LARGEST_AUTO; size > SMALLEST_AUTO; size -= 0.5) {
    const most = Math.floor((height - TEXT_MARGIN) / (size * LINE_HEIGHT));
    const room = (width - 2 * TEXT_MARGIN) / size;
    if (paragraphs.reduce((sum, words) => sum + linesOf(words, space, room), 0) <= most) return size;
  }
  return SMALLEST_AUTO;
}

function linesOf(words: readonly number[], space: number, room: number): number {
  let [lines, at] = [1, 0];
  for (const word of words) {
    if (at > 0 && at + space + word > room) {
      lines++;
      at = 0;
    }
    at += (at > 0 ? space : 0) + word;
    if (at > room) {
      lines += Math.ceil(at / Math.max(room, 0.1)) - 1;
      at %= Math.max(room, 0.1);
    }
  }
  return lines;
}
