import { withRenderable, renderPage } from '@quire/document/engines/rendering';
import { PDFDocument, degrees, PDFName, PDFNumber, type PDFFont, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';

/** A word and its box in points on the visible page, from the upper left corner: left, top, right, bottom. */
export interface KnownWord {
  readonly text: string;
  readonly box: readonly [number, number, number, number];
}

/** Lines of text, each at a position in points from the upper left corner of an A5 page. */
export interface TextLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
}

export interface ScanOptions {
  readonly dpi?: number;
  /** Skew of the sheet in degrees, clockwise. */
  readonly skew?: number;
  /** /Rotate of the page: the image is rotated so that the page is seen upright. */
  readonly rotate?: 0 | 90 | 180 | 270;
  /** Shifts the boxes away from the origin, with a media box larger than the crop box by this much on each side. */
  readonly margin?: number;
  readonly userUnit?: number;
  readonly noise?: number;
  /** Grey of the paper, 255 for white. */
  readonly paper?: number;
  readonly quality?: number;
}

export const [WIDTH, HEIGHT] = [420, 595];

/** Typesets text and returns the positions of its words. */
export async function typeset(
  lines: readonly TextLine[],
): Promise<{ readonly pdf: Uint8Array; readonly words: readonly KnownWord[] }> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const page = document.addPage([WIDTH, HEIGHT]);
  const words: KnownWord[] = [];
  for (const { text, x, y, size = 12 } of lines) {
    page.drawText(text, { x, y: HEIGHT - y, size, font });
    words.push(...wordsOf(text, x, y, size, font));
  }
  return { pdf: await document.save(), words };
}

function wordsOf(text: string, x: number, y: number, size: number, font: PDFFont): KnownWord[] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const left = x + font.widthOfTextAtSize(text.slice(0, index), size);
    return {
      text: word,
      box: [left, y - size * 0.7, left + font.widthOfTextAtSize(word, size), y + size * 0.2] as const,
    };
  });
}

/** Prints pages and scans them: a PDF with one image on each page. */
export async function scanned(
  pages: readonly Uint8Array[],
  options: ScanOptions | readonly ScanOptions[] = {},
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const [i, pdf] of pages.entries()) {
    const {
      dpi = 200,
      skew = 0,
      rotate = 0,
      margin = 0,
      userUnit = 1,
      noise = 6,
      paper = 250,
      quality = 70,
    } = (Array.isArray(options) ? (options as readonly ScanOptions[])[i] : (options as ScanOptions)) ?? {};
    const [width, height] = [Math.round((WIDTH * dpi) / 72), Math.round((HEIGHT * dpi) / 72)];
    const pixels = await withRenderable(pdf, (source) => renderPage(source, 0, { width, height, annotations: false }));
    let image = sharp(pixels, { raw: { width, height, channels: 4 } })
      .flatten({ background: '#fff' })
      .greyscale()
      .toColourspace('b-w');
    if (skew !== 0) {
      const turned = await image.rotate(skew, { background: '#fff' }).raw().toBuffer({ resolveWithObject: true });
      const { width: w, height: h } = turned.info;
      image = sharp(turned.data, { raw: { width: w, height: h, channels: turned.info.channels } })
        .extract({ left: Math.round((w - width) / 2), top: Math.round((h - height) / 2), width, height })
        .toColourspace('b-w');
    }
    const grey = await image.raw().toBuffer();
    let seed = 7;
    for (let at = 0; at < grey.length; at++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      grey[at] = Math.max(
        0,
        Math.min(255, Math.round((grey[at]! * paper) / 255 + (((seed >> 16) % 256) / 255) * noise - noise / 2)),
      );
    }
    // The image is rotated against the page rotation.
    const jpeg = await sharp(grey, { raw: { width, height, channels: 1 } })
      .rotate((360 - rotate) % 360)
      .toColourspace('b-w')
      .jpeg({ quality })
      .toBuffer();
    const embedded = await document.embedJpg(jpeg);
    const [w, h] = (rotate % 180 === 0 ? [WIDTH, HEIGHT] : [HEIGHT, WIDTH]).map((side) => side / userUnit) as [
      number,
      number,
    ];
    const page = document.addPage([w + 2 * margin, h + 2 * margin]);
    page.setMediaBox(10, 20, w + 2 * margin, h + 2 * margin);
    page.setCropBox(10 + margin, 20 + margin, w, h);
    page.drawImage(embedded, { x: 10 + margin, y: 20 + margin, width: w, height: h });
    if (rotate !== 0) page.setRotation(degrees(rotate));
    if (userUnit !== 1) page.node.set(PDFName.of('UserUnit'), PDFNumber.of(userUnit));
  }
  return document.save({ useObjectStreams: false });
}

/** Sentences with letters, numbers and punctuation. */
export const prose = (from: number, size = 12): TextLine[] =>
  [
    'Quarterly report of the harbour office',
    'Ships arriving on Monday carried timber,',
    'grain and 450 tons of steel. The quick',
    'brown fox jumps over the lazy dog near',
    'the river bank at 7:35 in the morning.',
    'Numbers: 1234567890, 3.14159 and 27%.',
    'Every captain signed the ledger twice,',
    'and nobody asked where the salt went.',
  ].map((text, i) => ({ text, x: 50, y: from + i * 22, size: i === 0 ? size + 4 : size }));
