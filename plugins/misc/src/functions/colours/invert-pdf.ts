import { type PDFContext, PDFBool, PDFDict, PDFName, PDFRawStream, type PDFRef, PDFString } from 'pdf-lib';
import {
  ContentReader,
  type ContentVisitor,
  type Operator,
  type Painting,
  nameAt,
  operatorText,
  rewriteContent,
} from '@quire/document/content';
import { PageOverlay } from '@quire/document/content/drawing';
import { asDict, asName, asText, dictOf, elements, entry, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { type PageEntry, boxOf } from '@quire/document/structure/pages';
import { acroFormOf, allFieldNodes, readFields } from '@quire/document/forms/fields';
import { readAnnotations } from '@quire/document/structure/annotations';
import { withdrawClaims } from '@quire/document/structure/metadata';
import { asRgb, spaceKind } from './colour-contrast.js';
import { type AppearanceStream, AppearanceEditor } from './edit-appearances.js';
import { type RecolourOptions, coverBox, paintBackground } from './recolour-pdf.js';

const WHITE = { red: 1, green: 1, blue: 1 };
const FILLS = new Set(['g', 'rg', 'k', 'sc', 'scn']);
const STROKES = new Set(['G', 'RG', 'K', 'SC', 'SCN']);

/**
 * Inverts the colours of every page, in place (`docs/interface/misc.yml`, replace-invert-pdf, FULL_INVERSION). The
 * contract converts pages to images; here a white rectangle with the blend mode Difference over everything gives the
 * same pixels (ISO 32000-1, 11.3.5.2: the complement of the backdrop; verified in PDFium, Poppler and MuPDF) at any
 * resolution, and text can still be selected. Annotations are painted above it, so their own colours are inverted.
 * Declarations of standards without transparency are removed.
 */
export function invertPdf({ document, pages }: OpenedPdf, { signal, progress }: RecolourOptions = {}): void {
  const { context } = document;
  const overlay = new PageOverlay(context);
  const reader = new ContentReader(context);
  const appearances = new InvertedAppearances(context, reader);
  const covers = new Map<string, PDFRef>();
  const done = new Set<PDFDict>();
  for (const [i, page] of pages.entries()) {
    signal?.throwIfAborted();
    if (done.has(page.dict)) continue;
    done.add(page.dict);
    // Difference needs an opaque backdrop: without a white rectangle below, the unpainted page has no complement.
    paintBackground(context, page, WHITE);
    const box = coverBox(context, page);
    const key = box.join(' ');
    const cover = covers.get(key) ?? context.register(differenceForm(context, box));
    covers.set(key, cover);
    overlay.add(page, cover);
    blendInRgb(context, page);
    for (const { dict } of readAnnotations(context, page.dict)) appearances.annotation(dict);
    progress?.(i + 1, pages.length);
  }
  const form = acroFormOf(context);
  if (form !== undefined) appearances.style(form);
  for (const { dict } of allFieldNodes(readFields(context))) appearances.style(dict);
  withdrawClaims(context, ['PDF/A', 'PDF/X']);
}

/** The complement in CMYK differs from that of the visible colours: rich black and pure black have different ones. */
function blendInRgb(context: PDFContext, page: PageEntry): void {
  const own = asDict(context, entry(page.dict, 'Group'));
  const group = PDFDict.fromMapWithContext(new Map(own?.entries() ?? []), context);
  setEntry(group, 'S', PDFName.of('Transparency'));
  setEntry(group, 'CS', PDFName.of('DeviceRGB'));
  setEntry(group, 'I', PDFBool.True);
  setEntry(page.dict, 'Group', group);
}

type Rect = readonly [number, number, number, number];

const cover = ([left, bottom, right, top]: Rect): string =>
  `q /D gs 1 g ${[left, bottom, right - left, top - bottom].map(String).join(' ')} re f Q`;
const difference = (context: PDFContext): PDFDict =>
  dictOf(context, { D: context.obj({ Type: 'ExtGState', BM: 'Difference', ca: 1, SMask: 'None' }) });

function differenceForm(context: PDFContext, box: Rect): PDFRawStream {
  return context.flateStream(cover(box), {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [...box],
    Resources: { ExtGState: difference(context) },
  });
}

/** Annotation appearances with complementary colours. */
class InvertedAppearances {
  readonly #editor: AppearanceEditor;
  readonly #styled = new Set<PDFDict>();

  constructor(
    private readonly context: PDFContext,
    private readonly reader: ContentReader,
  ) {
    this.#editor = new AppearanceEditor(context, reader);
  }

  annotation(annotation: PDFDict): void {
    this.style(annotation);
    for (const appearance of this.#editor.streams(annotation)) {
      const inversion = new ColourInversion(
        (what, space) =>
          spaceKind(this.context, space, (name) => this.reader.resource(what.frame, 'ColorSpace', name))?.of ===
          'light',
        (what, state) => this.#blends(asDict(this.context, this.reader.resource(what.frame, 'ExtGState', state))),
      );
      const frame = this.#editor.walk(appearance, inversion);
      if (inversion.beyond) this.#wrap(appearance);
      else {
        // Content starts with black.
        frame.replace({ start: 0, end: 0 }, '1 g 1 G ');
        this.#editor.write(appearance, frame);
      }
    }
  }

  /** Colours from which viewers create new appearances. */
  style(dict: PDFDict): void {
    if (this.#styled.has(dict)) return;
    this.#styled.add(dict);
    const text = asText(this.context, entry(dict, 'DA'));
    if (text !== undefined) {
      const inverted = rewriteContent(Buffer.from(text, 'latin1'), (operator) =>
        FILLS.has(operator.name) || STROKES.has(operator.name)
          ? complement(operator, asRgb(numbersOf(operator)))
          : undefined,
      );
      setEntry(dict, 'DA', PDFString.of(Buffer.from(inverted).toString('latin1')));
    }
    const characteristics = asDict(this.context, entry(dict, 'MK'));
    if (characteristics === undefined || this.#styled.has(characteristics)) return;
    this.#styled.add(characteristics);
    for (const key of ['BG', 'BC']) {
      const colour = asRgb(elements(this.context, entry(characteristics, key)).map((part) => Number(part.toString())));
      if (colour !== undefined)
        setEntry(characteristics, key, this.context.obj([1 - colour.red, 1 - colour.green, 1 - colour.blue]));
    }
  }

  /** True for a graphics state in which the result depends on the backdrop. */
  #blends(state: PDFDict | undefined): boolean {
    const mode = state === undefined ? undefined : entry(state, 'BM');
    return mode !== undefined && !['Normal', 'Compatible'].includes(asName(this.context, mode) ?? '');
  }

  /**
   * For images, gradients and blending: the backdrop is inverted, the appearance drawn on it, and both are inverted.
   */
  #wrap({ ref, stream }: AppearanceStream): void {
    const { context } = this;
    const box = boxOf(context, entry(stream.dict, 'BBox'));
    if (box === undefined) return;
    const inner = PDFDict.fromMapWithContext(new Map(stream.dict.entries()), context);
    for (const key of ['Matrix', 'OC', 'StructParents', 'StructParent']) setEntry(inner, key, undefined);
    setEntry(inner, 'Type', PDFName.of('XObject'));
    setEntry(inner, 'Subtype', PDFName.of('Form'));
    const original = context.register(PDFRawStream.of(inner, stream.contents));
    const outer = context.flateStream(`${cover(box)} /O Do ${cover(box)}`, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [...box],
      Resources: dictOf(context, { ExtGState: difference(context), XObject: dictOf(context, { O: original }) }),
    });
    for (const key of ['Matrix', 'OC', 'StructParents', 'StructParent'])
      setEntry(outer.dict, key, entry(stream.dict, key));
    context.assign(ref, outer);
  }
}

/** Records the complement of each colour that content sets. */
class ColourInversion implements ContentVisitor {
  /**
   * True if the content paints anything other than colours set by operators, or uses inks, which viewers convert
   * differently.
   */
  beyond = false;

  constructor(
    private readonly isLight: (what: Painting, space: string) => boolean,
    private readonly blends: (what: Painting, state: string) => boolean,
  ) {}

  operator(what: Painting): void {
    const { operator, frame, state } = what;
    const { name, operands } = operator;
    if (name === 'gs') this.beyond ||= this.blends(what, nameAt(operands, 0) ?? '');
    else if (name === 'k' || name === 'K') this.beyond = true;
    else if (name === 'cs' || name === 'CS') {
      // Selecting a colour space sets its initial colour, black.
      if (this.isLight(what, nameAt(operands, 0) ?? '')) frame.replace(operator, name === 'cs' ? '1 g' : '1 G');
      else this.beyond = true;
    } else if (FILLS.has(name) || STROKES.has(name)) {
      const { space } = state[FILLS.has(name) ? 'fill' : 'stroke'];
      const rgb = /^sc/i.test(name) && !this.isLight(what, space) ? undefined : asRgb(numbersOf(operator));
      if (rgb === undefined) this.beyond = true;
      else frame.replace(operator, complement(operator, rgb) ?? '');
    }
  }

  image(): void {
    this.beyond = true;
  }

  inlineImage(): void {
    this.beyond = true;
  }

  shading(): void {
    this.beyond = true;
  }
}

function complement(operator: Operator, rgb: ReturnType<typeof asRgb>): string | undefined {
  return rgb === undefined
    ? undefined
    : operatorText(STROKES.has(operator.name) ? 'RG' : 'rg', 1 - rgb.red, 1 - rgb.green, 1 - rgb.blue);
}

function numbersOf({ operands }: Operator): number[] {
  return operands.filter((operand): operand is number => typeof operand === 'number');
}
