import { type PDFContext, type PDFDict, PDFRawStream, PDFRef, PDFString } from 'pdf-lib';
import { ContentEditor, ContentReader, rewriteContent } from '@quire/document/content';
import { type Colour, fillColour } from '@quire/document/content/drawing';
import { arrayOf, asDict, asName, asText, elements, entry, resolve, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { type PageEntry, boxOf, decodedContent, pageBox } from '@quire/document/structure/pages';
import { acroFormOf, allFieldNodes, readFields } from '@quire/document/forms/fields';
import { readAnnotations } from '@quire/document/structure/annotations';
import { MIN_CONTRAST, asRgb, contentRgb, contrast } from './colour-contrast.js';
import { AppearanceEditor } from './edit-appearances.js';
import { TextRecolouring, type TextOnBackground } from './recolour-text.js';

export interface RecolourOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

const COLOUR_OPERATOR = /^(?:g|rg|k|cs|scn?|G|RG|K|CS|SCN?)$/;

/**
 * Sets all text to one colour on a background of another, in place (`docs/interface/misc.yml`, replace-invert-pdf).
 * Text stays text, a rectangle in the background colour is painted behind everything on each page, and form fields and
 * notes are recoloured too. Painted areas on which the text would be unreadable take the background colour, and lines
 * that would become invisible take the text colour (both below a contrast of 3 to 1); images stay. Throws
 * INPUT_TOO_COMPLEX and the errors of the inflation limits.
 */
export function recolourPdf(
  { document, pages }: OpenedPdf,
  colours: TextOnBackground,
  { signal, progress }: RecolourOptions = {},
): void {
  const { context } = document;
  const reader = new ContentReader(context);
  const editor = new ContentEditor(reader);
  const appearances = new Appearances(context, reader, colours);
  const done = new Set<PDFDict>();
  for (const [i, page] of pages.entries()) {
    signal?.throwIfAborted();
    if (done.has(page.dict)) continue;
    done.add(page.dict);
    editor.commit(page, reader.page(page, appearances.visitor()));
    paintBackground(context, page, colours.ground);
    for (const { dict } of readAnnotations(context, page.dict)) appearances.annotation(dict);
    progress?.(i + 1, pages.length);
  }
  editor.finish(pages);
  const form = acroFormOf(context);
  if (form !== undefined) appearances.style(form);
  for (const { dict } of allFieldNodes(readFields(context))) appearances.style(dict);
}

/** Returns a rectangle that surely covers a page: edge pixels extend beyond a media box with fractional numbers. */
export function coverBox(context: PDFContext, page: PageEntry): readonly [number, number, number, number] {
  const [left, bottom, right, top] = pageBox(context, page, 'MediaBox');
  return [Math.floor(left) - 2, Math.floor(bottom) - 2, Math.ceil(right) + 2, Math.ceil(top) + 2];
}

/** Prepends a rectangle of one colour to the page's content, behind everything else. */
export function paintBackground(context: PDFContext, page: PageEntry, ground: Colour): void {
  const [left, bottom, right, top] = coverBox(context, page);
  const rectangle = context.register(
    context.stream(`q ${fillColour(ground)} ${left} ${bottom} ${right - left} ${top - bottom} re f Q\n`),
  );
  const contents = entry(page.dict, 'Contents');
  const own =
    resolve(context, contents) instanceof PDFRawStream && contents instanceof PDFRef
      ? [contents]
      : elements(context, contents);
  setEntry(page.dict, 'Contents', arrayOf(context, [rectangle, ...own]));
}

/** Content outside page content: annotation appearances, Type 3 glyphs; and colours in dictionaries. */
class Appearances {
  readonly #fonts = new Set<PDFDict>();
  readonly #editor: AppearanceEditor;

  constructor(
    private readonly context: PDFContext,
    private readonly reader: ContentReader,
    private readonly colours: TextOnBackground,
  ) {
    this.#editor = new AppearanceEditor(context, reader);
  }

  visitor(whole?: number): TextRecolouring {
    return new TextRecolouring(
      this.colours,
      ({ frame, state }, kind) =>
        contentRgb(this.context, state[kind], (space) => this.reader.resource(frame, 'ColorSpace', space)),
      (frame, name) => this.#glyphs(asDict(this.context, this.reader.resource(frame, 'Font', name))),
      whole,
    );
  }

  /** Recolours an annotation's appearances in all states, and the colours from which a viewer would create new ones. */
  annotation(annotation: PDFDict): void {
    this.style(annotation);
    for (const appearance of this.#editor.streams(annotation)) {
      const { dict } = appearance.stream;
      const [left, bottom, right, top] = boxOf(this.context, entry(dict, 'BBox')) ?? [0, 0, 0, 0];
      const [a, b, c, d] = this.reader.matrix(dict);
      const whole = (right - left) * (top - bottom) * Math.abs(a * d - b * c);
      this.#editor.write(appearance, this.#editor.walk(appearance, this.visitor(whole)));
    }
  }

  /** Recolours the text of a default appearance (ISO 32000-1, 12.7.3.3), and a background that makes it unreadable. */
  style(dict: PDFDict): void {
    const text = asText(this.context, entry(dict, 'DA'));
    if (text !== undefined) {
      const plain = rewriteContent(Buffer.from(text, 'latin1'), ({ name }) =>
        COLOUR_OPERATOR.test(name) ? '' : undefined,
      );
      setEntry(
        dict,
        'DA',
        PDFString.of(`${Buffer.from(plain).toString('latin1').trim()} ${fillColour(this.colours.text)}`.trim()),
      );
    }
    const characteristics = asDict(this.context, entry(dict, 'MK'));
    const [parts, { text: ink, ground }] = [
      elements(this.context, characteristics === undefined ? undefined : entry(characteristics, 'BG')),
      this.colours,
    ];
    const background = asRgb(parts.map((part) => Number(part.toString())));
    if (characteristics !== undefined && background !== undefined && contrast(background, ink) < MIN_CONTRAST) {
      setEntry(characteristics, 'BG', this.context.obj([ground.red, ground.green, ground.blue]));
    }
  }

  /** Type 3 glyphs (ISO 32000-1, 9.6.5) with their own colours lose them and take the text colour. */
  #glyphs(font: PDFDict | undefined): void {
    if (font === undefined || this.#fonts.has(font) || asName(this.context, entry(font, 'Subtype')) !== 'Type3') return;
    this.#fonts.add(font);
    for (const ref of asDict(this.context, entry(font, 'CharProcs'))?.values() ?? []) {
      const stream = resolve(this.context, ref);
      const bytes = stream instanceof PDFRawStream ? decodedContent(this.context, stream) : undefined;
      if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream) || bytes === undefined) continue;
      let shaped = false;
      const plain = rewriteContent(bytes, ({ name }) => {
        shaped ||= name === 'd0';
        return shaped && COLOUR_OPERATOR.test(name) ? '' : undefined;
      });
      if (plain !== bytes) this.#editor.assign({ ref, stream }, plain);
    }
  }
}

/** Parses a colour pair such as YELLOW_TEXT_ON_BLACK (`docs/interface/misc.yml`, replace-invert-pdf). */
export function highContrast(name: keyof typeof combinations): TextOnBackground {
  return combinations[name];
}

const rgb = (red: number, green: number, blue: number): Colour => ({ red, green, blue });
const combinations = {
  WHITE_TEXT_ON_BLACK: { text: rgb(1, 1, 1), ground: rgb(0, 0, 0) },
  BLACK_TEXT_ON_WHITE: { text: rgb(0, 0, 0), ground: rgb(1, 1, 1) },
  YELLOW_TEXT_ON_BLACK: { text: rgb(1, 1, 0), ground: rgb(0, 0, 0) },
  GREEN_TEXT_ON_BLACK: { text: rgb(0, 1, 0), ground: rgb(0, 0, 0) },
} as const;
