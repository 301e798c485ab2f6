import { type PDFContext, PDFDict, PDFRawStream } from 'pdf-lib';
import { actualTextOf, ContentReader, WORD_GAP } from '../../content/index.js';
import { asDict, entry, resolve } from '../../file/objects/index.js';
import { isFound, type TextFinder } from './text-finder.js';

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
    this.#reader = new ContentReader(context, { bothReadings: true });
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

  /**
   * Returns true if a form XObject by itself shows such text, or other content that uses `resources`. Throws
   * INPUT_TOO_COMPLEX.
   */
  inForm(stream: PDFRawStream, resources?: PDFDict): boolean {
    const known = this.#judged.get(stream);
    if (known !== undefined) return known;
    // The output of two operators may be one word, two words or two lines, so all three are tried.
    const found = this.#texts(stream, resources).some((texts) =>
      [' ', '\n', ''].some((gap) => isFound(texts.join(gap), this.find)),
    );
    this.#judged.set(stream, found);
    return found;
  }

  /** Returns the texts of a form XObject, one per operator; twice if its fonts contradict themselves. */
  #texts(stream: PDFRawStream, resources: PDFDict | undefined): string[][] {
    const texts: string[] = [];
    const drawnTexts: string[] = [];
    let differs = false;
    const said = new Set<object>();
    this.#reader.stream(stream, resources, {
      text: ({ glyphs, state, font, marked }) => {
        const actual = actualTextOf(marked);
        // /ActualText is read in addition to the glyphs, once.
        if (actual !== undefined && !said.has(actual.marked)) texts.push(actual.text);
        if (actual !== undefined) said.add(actual.marked);
        const size = Math.abs(state.text.size * font.em) || 1;
        let pen: number | undefined;
        let [shown, seen] = ['', ''];
        for (const { text, drawn, at, advance } of glyphs) {
          const gap = pen !== undefined && Math.abs(at - pen) > WORD_GAP * size ? ' ' : '';
          shown += gap + text;
          seen += gap + (drawn ?? text);
          differs ||= drawn !== undefined;
          pen = at + advance;
        }
        texts.push(shown);
        drawnTexts.push(seen);
      },
    });
    return differs ? [texts, drawnTexts] : [texts];
  }
}
