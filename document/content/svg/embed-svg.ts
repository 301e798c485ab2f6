// oxlint-disable-next-line typescript/triple-slash-reference -- tests do not see it otherwise
/// <reference path="./svg-to-pdfkit.d.ts" />
import { PDFDict, PDFDocument, PDFRef } from 'pdf-lib';
import {
  ASCENT,
  DESCENT,
  type ShapedLine,
  TextFont,
  alphabetOfText,
  drawableText,
  shapeLine,
} from '../../fonts/index.js';
import { MAX_PICTURE_PIXELS } from '../../images/index.js';
import { coded, unreadable } from '../../images/picture-checks.js';
import { ObjectCopier } from '../../file/objects/index.js';
import { contentStreams } from '../../structure/pages/index.js';
import { DocumentError } from '../../errors.js';
import { type CleanSvg, type Viewport, cleanSvg, inTime } from './clean-svg.js';

/** A drawing as a form XObject, and its size in points. */
export interface EmbeddedSvg {
  readonly form: PDFRef;
  readonly width: number;
  readonly height: number;
  /** Factor from the form's coordinates to points; its lower left corner is the origin. */
  readonly scale: number;
}

/**
 * Draws an SVG as vectors into a form XObject (ISO 32000-1, 8.10). Its text is set with the built-in fonts, shaped and
 * embedded; a character that none of them has becomes a question mark. A drawing that gives no size fills `viewport`,
 * or its view box without one. Errors: IMAGE_UNREADABLE if it is not an SVG or refers to other files,
 * INPUT_TOO_COMPLEX.
 */
export async function embedSvg(
  document: PDFDocument,
  bytes: Uint8Array,
  field: string,
  viewport?: Viewport,
): Promise<EmbeddedSvg> {
  const svg = await cleanSvg(bytes, field, (dataUrl) => readablePicture(dataUrl, field), viewport);
  const texts = new Set<string>();
  await draw(svg, field, (text) => {
    texts.add(text);
    return undefined;
  });
  const lines = new Map<string, ShapedLine>();
  for (const text of texts) {
    const alphabet = alphabetOfText(text);
    lines.set(text, await shapeLine(await drawableText(text, alphabet), alphabet, field));
  }
  const font = new TextFont(document);
  const drawn = await draw(svg, field, (text) => {
    const line = lines.get(text);
    return line === undefined ? undefined : font.place(line);
  });
  const form = await copyPage(document, drawn, font.ref, svg);
  if (lines.size > 0) font.embed();
  return { form, width: svg.width * svg.scale, height: svg.height * svg.scale, scale: svg.scale };
}

/** A glyph with its code; measures are thousandths of the font size. */
type PlacedGlyph = ReturnType<TextFont['place']>[number];

/** A page of pdfkit's, and the number of the object that represents our font. */
interface Drawn {
  readonly bytes: Uint8Array;
  readonly fontId: number;
}

/** Runs the drawing library with a font whose letters `place` gives; undefined leaves a text out. */
async function draw(
  svg: CleanSvg,
  field: string,
  place: (text: string) => readonly PlacedGlyph[] | undefined,
): Promise<Drawn> {
  const [{ default: PdfkitDocument }, { default: drawSvg }] = await Promise.all([
    import('pdfkit'),
    import('svg-to-pdfkit'),
  ]);
  const page = new PdfkitDocument({ size: [svg.width, svg.height], margin: 0, compress: false, font: null });
  const chunks: Uint8Array[] = [];
  const finished = new Promise<void>((resolve, reject) => {
    page
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject);
  });
  const fontObject = page.ref({});
  const font = fontOf(fontObject, place);
  page.font = (given) => {
    page._font = given;
    return page;
  };
  const openImage = page.openImage.bind(page);
  // The library would open files by their names.
  page.openImage = (source) => {
    if (!source.startsWith('data:')) throw new Error('not a picture in the file');
    return openImage(source);
  };
  try {
    inTime(() =>
      drawSvg(page, svg.text, 0, 0, {
        width: svg.width,
        height: svg.height,
        assumePt: true,
        warningCallback: () => undefined,
        imageCallback: (link) => link,
        fontCallback: (_family, bold, italic, options) => {
          options.fauxBold = bold;
          options.fauxItalic = italic;
          return font;
        },
      }),
    );
    fontObject.end();
    page.end();
    await finished;
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw unreadable(field, 'it cannot be drawn', error);
  }
  return { bytes: Buffer.concat(chunks), fontId: fontObject.id };
}

/** The members of a pdfkit font that the drawing library uses. */
function fontOf(
  reference: { readonly id: number },
  place: (text: string) => readonly PlacedGlyph[] | undefined,
): object {
  return {
    id: 'Text',
    ref: () => reference,
    ascender: ASCENT,
    descender: DESCENT,
    xHeight: 536,
    bbox: [0, DESCENT, 1000, ASCENT],
    scale: 1,
    encode: (text: string) => {
      const glyphs = place(text) ?? [];
      // It leaves out glyphs without a width, as marks are, and counts downwards.
      const positions = glyphs.map(({ advance, xOffset, yOffset }) => ({
        advanceWidth: Math.max(50, advance),
        xAdvance: advance,
        yAdvance: 0,
        xOffset,
        yOffset: -yOffset,
      }));
      return [glyphs.map(({ code }) => code), positions];
    },
  };
}

/** Imports the page as a form of the document, with our font in place of its placeholder object. */
async function copyPage(document: PDFDocument, { bytes, fontId }: Drawn, font: PDFRef, svg: CleanSvg): Promise<PDFRef> {
  const source = await PDFDocument.load(bytes);
  const page = source.getPage(0);
  const copier = new ObjectCopier(source.context, document.context);
  copier.place(PDFRef.of(fontId), font);
  const resources = copier.copy(page.node.Resources());
  copier.drain();
  const content = Buffer.concat(
    contentStreams(source.context, page.node.Contents()).flatMap((stream) => [stream.contents, Buffer.from('\n')]),
  );
  return document.context.register(
    document.context.flateStream(content, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, svg.width, svg.height],
      Resources: resources instanceof PDFDict ? resources : PDFDict.withContext(document.context),
    }),
  );
}

/** A picture in a data URL as one that the drawing library reads: JPEG or PNG, upright. */
async function readablePicture(dataUrl: string, field: string): Promise<string> {
  const [, base64, data = ''] = /^data:[^,]*?(;base64)?,([\s\S]*)$/i.exec(dataUrl) ?? [];
  const bytes = base64 === undefined ? Buffer.from(percentDecoded(data), 'latin1') : Buffer.from(data, 'base64');
  const { default: sharp } = await import('sharp');
  return coded(field, async () => {
    const opened = sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error' });
    const { format } = await opened.metadata();
    // A drawing in a drawing may refer to files again.
    if (format === 'svg') throw unreadable(field, 'a picture in it is a drawing itself');
    const upright = opened.rotate();
    const png =
      format === 'jpeg'
        ? await upright.jpeg({ quality: 95, progressive: false }).toBuffer()
        : await upright.png({ progressive: false, palette: false }).toBuffer();
    return `data:image/${format === 'jpeg' ? 'jpeg' : 'png'};base64,${png.toString('base64')}`;
  });
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
