import { type PDFFont, type PDFRef, StandardFonts } from 'pdf-lib';
import {
  BLACK,
  PageOverlay,
  type PageFrame,
  after,
  cornerAt,
  decimal,
  fillColour,
  formOf,
  gridPlace,
  isWithin,
  marginFactor,
  pageFrame,
  parseColour,
  turned,
} from '@quire/document/content/drawing';
import { ASCENT, type ShapedLine, TextFont, alphabetOfText, drawableText, shapeLine } from '@quire/document/fonts';
import type { OpenedPdf } from '@quire/document/file/open';
import { readClaims } from '@quire/document/structure/metadata';

/** Options of `docs/interface/misc.yml`, add-page-numbers. Lengths are points of the page as shown. */
export interface PageNumbering {
  /** `{n}` is the number, `{total}` the document's page count, `{filename}` the file's name. */
  readonly text: string;
  /** The text for `{filename}`. */
  readonly fileName: string;
  readonly fontSize: number;
  /** helvetica, courier or times, in upper or lower case; any other name means helvetica. */
  readonly fontType: string;
  /** #RRGGBB, 0xRRGGBB or decimal; an unreadable value means black. */
  readonly colour: string;
  /** Minimum number of digits. */
  readonly zeroPad: number;
  /** 1 to 9, from the top left in reading direction. */
  readonly position: number;
  /** Number for the first numbered page. */
  readonly startingNumber: number;
  /** small, medium, large or x-large; any other name means medium. */
  readonly customMargin: string;
  /** 0-based indexes of the pages, in the order in which they are numbered. */
  readonly pages: readonly number[];
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

const standardFonts: Readonly<Record<string, StandardFonts>> = {
  courier: StandardFonts.Courier,
  times: StandardFonts.TimesRoman,
};
/** Scripts written from the right: letters change their order, so a line with them is shaped as a whole. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Writes a number, or a text that contains it, on pages, in place. The text is upright on rotated pages, and within the
 * crop box if its position in the media box would not be visible. Embedded fonts draw the characters that the standard
 * font lacks, and all characters of a document that declares PDF/A, which requires embedded fonts. Throws INPUT_INVALID
 * for characters that no built-in font has.
 */
export async function addPageNumbers(opened: OpenedPdf, numbering: PageNumbering): Promise<void> {
  const { document, pages } = opened;
  const overlay = new PageOverlay(document.context);
  const writer = new LineWriter(
    opened,
    standardFonts[numbering.fontType.trim().toLowerCase()] ?? StandardFonts.Helvetica,
  );
  const fileName = await drawableText(numbering.fileName, alphabetOfText(numbering.text));
  const colour = fillColour(parseColour(numbering.colour) ?? BLACK);
  const done = new Set<PDFRef>();
  let number = numbering.startingNumber;
  for (const [at, index] of numbering.pages.entries()) {
    numbering.signal?.throwIfAborted();
    numbering.progress?.(at, numbering.pages.length);
    const page = pages[index];
    if (page === undefined || done.has(page.ref)) continue;
    done.add(page.ref);
    const values: Readonly<Record<string, string>> = {
      n: String(number++).padStart(numbering.zeroPad, '0'),
      total: String(pages.length),
      filename: fileName,
    };
    const line = await writer.write(
      numbering.text.replace(/\{(n|total|filename)\}/g, (_whole, name: string) => values[name] ?? ''),
      numbering.fontSize,
    );
    const frame = pageFrame(document.context, page);
    const { x, y } = cornerIn(frame, line, numbering);
    const size = numbering.fontSize;
    const form = formOf(document.context, {
      content: `${colour}\nBT\n${line.content}\nET`,
      resources: { Font: line.fonts },
      area: { left: -size, bottom: -size, width: line.width + 2 * size, height: line.ascent + 2 * size },
    });
    overlay.add(page, form, { matrix: after(turned(0, x, y), frame.matrix), artifact: true });
  }
  await writer.embed();
}

/** The start of the line's baseline: placed in the media box, or in the crop box if it would be cut off otherwise. */
function cornerIn(
  { media, shown }: PageFrame,
  { width, ascent }: WrittenLine,
  { position, customMargin, fontSize }: PageNumbering,
): { x: number; y: number } {
  const factor = marginFactor(customMargin);
  const within = (area: typeof media): { x: number; y: number } =>
    cornerAt(gridPlace(position), area, { width, height: ascent }, { x: factor * area.width, y: factor * area.height });
  const corner = within(media);
  const descent = fontSize / 4;
  return isWithin({ left: corner.x, bottom: corner.y - descent, width, height: ascent + descent }, shown)
    ? corner
    : within(shown);
}

interface WrittenLine {
  readonly content: string;
  readonly fonts: Record<string, PDFRef>;
  readonly width: number;
  /** Height above the baseline. */
  readonly ascent: number;
}

/** Writes lines with a standard font, and with an embedded font for characters that the standard font lacks. */
class LineWriter {
  readonly #opened: OpenedPdf;
  readonly #standard: PDFFont;
  readonly #known: ReadonlySet<number>;
  readonly #shaped = new Map<string, ShapedLine>();
  #embedded: TextFont | undefined;
  #usesStandard = false;

  constructor(opened: OpenedPdf, name: StandardFonts) {
    this.#opened = opened;
    this.#standard = opened.document.embedStandardFont(name);
    this.#known = readClaims(opened.document.context).has('PDF/A')
      ? new Set()
      : new Set(this.#standard.getCharacterSet());
  }

  async write(text: string, size: number): Promise<WrittenLine> {
    const fonts: Record<string, PDFRef> = {};
    const shown: string[] = [];
    let [width, ascent] = [0, 0];
    for (const run of this.#runsOf(text.normalize('NFC').replace(/\p{Cc}/gu, ' '))) {
      if (run.standard) {
        this.#usesStandard = true;
        fonts['S'] = this.#standard.ref;
        shown.push(`/S ${decimal(size)} Tf ${this.#standard.encodeText(run.text).toString()} Tj`);
        // Letter by letter, because the text is shown without kerning.
        for (const character of run.text) width += this.#standard.widthOfTextAtSize(character, size);
        ascent = Math.max(ascent, this.#standard.heightAtSize(size, { descender: false }));
        continue;
      }
      this.#embedded ??= new TextFont(this.#opened.document);
      const line = await this.#shape(run.text);
      fonts['F'] = this.#embedded.ref;
      shown.push(`/F ${decimal(size)} Tf\n${this.#embedded.show(line, size)}`);
      width += (line.width * size) / 1000;
      ascent = Math.max(ascent, (ASCENT * size) / 1000);
    }
    return { content: shown.join('\n'), fonts, width, ascent };
  }

  /** Writes the fonts that were used into the document. */
  async embed(): Promise<void> {
    if (this.#usesStandard) await this.#standard.embed();
    this.#embedded?.embed();
  }

  async #shape(text: string): Promise<ShapedLine> {
    const line = this.#shaped.get(text) ?? (await shapeLine(text, alphabetOfText(text), 'customText'));
    // Text around a number repeats on every page; numbers do not, so they are not cached.
    if (!/\d/.test(text)) this.#shaped.set(text, line);
    return line;
  }

  #runsOf(text: string): { readonly standard: boolean; text: string }[] {
    if (rightToLeft.test(text)) return [{ standard: false, text }];
    const runs: { readonly standard: boolean; text: string }[] = [];
    for (const character of text) {
      const last = runs.at(-1);
      // A combining mark belongs to the letter before it.
      const standard =
        /^\p{M}$/u.test(character) && last !== undefined ? false : this.#known.has(character.codePointAt(0) ?? 0);
      if (last !== undefined && last.standard === standard) last.text += character;
      else runs.push({ standard, text: character });
    }
    return runs;
  }
}
