/** A rectangle in pixels, from the upper left corner of the picture: left, top, right, bottom. */
export type PixelBox = readonly [number, number, number, number];

/** A word as it was read. */
export interface ReadWord {
  readonly text: string;
  readonly box: PixelBox;
  /** How sure the engine is, 0 to 100. */
  readonly confidence: number;
}

/** A line of words, in the order in which they are read. */
export interface ReadLine {
  readonly words: readonly ReadWord[];
  readonly box: PixelBox;
  /** Degrees by which the line is turned counter-clockwise: 0, 90, 180 or 270. */
  readonly angle: number;
  /**
   * Rise of the base line from left to right, downwards, and its distance from the lower left corner of the box; of
   * upright lines.
   */
  readonly slope: number;
  readonly offset: number;
  /** Height from descenders to ascenders. */
  readonly size: number;
}

/** A page as it was read: paragraphs of lines, in reading order. */
export interface ReadPage {
  readonly width: number;
  readonly height: number;
  readonly paragraphs: readonly (readonly ReadLine[])[];
}

/** Lines and words of one page at most; more comes from no page. */
const MOST_WORDS = 100_000;
const opening = /<(?:div|p|span)\s[^>]*?class=['"]([\w ]+)['"][^>]*>/g;
const titleOf = (tag: string): string =>
  /\btitle=(?:"([^"]*)"|'([^']*)')/
    .exec(tag)
    ?.slice(1)
    .find((text) => text !== undefined) ?? '';
/** Classes that hOCR uses for lines: text lines, headings, captions and floating text. */
const lineClasses: ReadonlySet<string> = new Set(['ocr_line', 'ocr_header', 'ocr_caption', 'ocr_textfloat']);

/**
 * Reads the first page of hOCR, the HTML output of OCR engines (hOCR 1.2). Elements without a box or text are skipped;
 * an invalid file gives an empty page.
 */
export function readHocr(hocr: string): ReadPage {
  let [width, height] = [0, 0];
  const paragraphs: {
    words: ReadWord[];
    box: PixelBox;
    angle: number;
    slope: number;
    offset: number;
    size: number;
  }[][] = [];
  let pages = 0;
  let count = 0;
  for (const match of hocr.matchAll(opening)) {
    const [tag = '', kind = ''] = match;
    const title = titleOf(tag);
    const box = boxIn(title);
    if (kind === 'ocr_page') {
      if (++pages > 1) break;
      [, , width, height] = box ?? [0, 0, 0, 0];
    } else if (kind === 'ocr_par') paragraphs.push([]);
    else if (lineClasses.has(kind) && box !== undefined) {
      if (paragraphs.length === 0) paragraphs.push([]);
      const [slope = 0, offset = NaN] = numbersIn(title, 'baseline');
      const [size = 0] = numbersIn(title, 'x_size');
      const [descenders = 0] = numbersIn(title, 'x_descenders');
      const [angle = 0] = numbersIn(title, 'textangle');
      paragraphs.at(-1)?.push({
        words: [],
        box,
        angle,
        slope: Math.abs(slope) < 1 ? slope : 0,
        offset: Number.isFinite(offset) ? offset : -descenders,
        size,
      });
    } else if (kind === 'ocrx_word' && box !== undefined) {
      const text = textAfter(hocr, match.index + tag.length);
      if (text !== '' && box[2] > box[0] && box[3] > box[1] && ++count <= MOST_WORDS)
        paragraphs
          .at(-1)
          ?.at(-1)
          ?.words.push({ text, box, confidence: numbersIn(title, 'x_wconf')[0] ?? 0 });
    }
  }
  return {
    width,
    height,
    paragraphs: paragraphs
      .map((lines) => lines.filter(({ words }) => words.length > 0))
      .filter((lines) => lines.length > 0),
  };
}

/** The text of a page: a line for each line, an empty one between paragraphs. */
export function textOfPage({ paragraphs }: ReadPage): string {
  return paragraphs
    .map((lines) => lines.map(({ words }) => words.map(({ text }) => text).join(' ')).join('\n'))
    .join('\n\n');
}

/** How many words were read. */
export function wordsOf({ paragraphs }: ReadPage): number {
  return paragraphs.flat().reduce((sum, { words }) => sum + words.length, 0);
}

function numbersIn(title: string, name: string): number[] {
  const [, values] = new RegExp(`(?:^|;)\\s*${name}\\s+([-+.\\d\\se]+)`).exec(title) ?? [];
  return values === undefined
    ? []
    : values
        .trim()
        .split(/\s+/)
        .map(Number)
        .filter((value) => Number.isFinite(value));
}

function boxIn(title: string): PixelBox | undefined {
  const [left, top, right, bottom] = numbersIn(title, 'bbox');
  return left === undefined || top === undefined || right === undefined || bottom === undefined
    ? undefined
    : [left, top, right, bottom];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the text up to the end of the word's element, without bold and italic markup. */
function textAfter(hocr: string, from: number): string {
  const end = hocr.indexOf('</span>', from);
  const inner = hocr.slice(from, end < 0 ? from : Math.min(end, from + 10_000)).replace(/<[^>]*>/g, '');
  return inner
    .replace(
      /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,8}));/g,
      (all: string, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return entities[name] ?? all;
        const code = decimal !== undefined ? Number(decimal) : parseInt(hex ?? '', 16);
        return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : '';
      },
    )
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
