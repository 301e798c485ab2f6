import { type PDFContext, PDFDict, PDFRawStream } from 'pdf-lib';
import { actualTextOf, ContentReader } from '../../content/index.js';
import { asDict, entry, resolve } from '../../file/objects/index.js';
import { isFound, type TextFinder } from './text-finder.js';

/** As a share of the glyph size. A wider gap between glyphs counts as a blank. */
const WORD_GAP = 0.15;

/**
 * Checks whether appearances show text that must be removed. Fonts and forms are read once for all annotations of a
 * document.
 */
export class AppearanceText {
  readonly #reader: ContentReader;
  readonly #judged = new Map<PDFRawStream, boolean>();

  constructor(
    private readonly context: PDFContext,
    private readonly find: TextFinder,
  ) {
    this.#reader = new ContentReader(context);
  }

  /**
   * Returns true if any appearance of an annotation shows such text: normal, rollover or down, in any state. Throws
   * INPUT_TOO_COMPLEX.
   */
  shows(annotation: PDFDict): boolean {
    const appearances = asDict(this.context, entry(annotation, 'AP'));
    return [...(appearances?.values() ?? [])].some((value) => {
      const object = resolve(this.context, value);
      return (object instanceof PDFDict ? object.values() : [object]).some((state) => {
        const stream = resolve(this.context, state);
        return stream instanceof PDFRawStream && this.inForm(stream);
      });
    });
  }

  /** Returns true if a form XObject by itself shows such text. Throws INPUT_TOO_COMPLEX. */
  inForm(stream: PDFRawStream): boolean {
    const known = this.#judged.get(stream);
    if (known !== undefined) return known;
    const texts = this.#texts(stream);
    // The output of two operators may be one word, two words or two lines, so all three are tried.
    const found = [' ', '\n', ''].some((gap) => isFound(texts.join(gap), this.find));
    this.#judged.set(stream, found);
    return found;
  }

  /** Returns the texts of a form XObject, one per operator. */
  #texts(stream: PDFRawStream): string[] {
    const texts: string[] = [];
    const said = new Set<object>();
    this.#reader.stream(stream, undefined, {
      text: ({ glyphs, state, font, marked }) => {
        const actual = actualTextOf(marked);
        // /ActualText is read in addition to the glyphs, once.
        if (actual !== undefined && !said.has(actual.marked)) texts.push(actual.text);
        if (actual !== undefined) said.add(actual.marked);
        const size = Math.abs(state.text.size * font.em) || 1;
        let pen: number | undefined;
        let shown = '';
        for (const { text, at, advance } of glyphs) {
          shown += pen !== undefined && Math.abs(at - pen) > WORD_GAP * size ? ` ${text}` : text;
          pen = at + advance;
        }
        texts.push(shown);
      },
    });
    return texts;
  }
}
