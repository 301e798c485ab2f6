import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib';
import { blockText, type LayoutDocument, type LayoutPage, withLayout } from '../../layout/index.js';

/** A document of which the text is known, drawn line by line. */
export interface Sheet {
  readonly document: PDFDocument;
  readonly plain: PDFFont;
  readonly bold: PDFFont;
  readonly italic: PDFFont;
  readonly mono: PDFFont;
}

export async function sheet(): Promise<Sheet> {
  const document = await PDFDocument.create();
  const font = (name: StandardFonts): Promise<PDFFont> => document.embedFont(name);
  return {
    document,
    plain: await font(StandardFonts.TimesRoman),
    bold: await font(StandardFonts.TimesRomanBold),
    italic: await font(StandardFonts.TimesRomanItalic),
    mono: await font(StandardFonts.Courier),
  };
}

/** Breaks text into lines of this width. */
export function broken(text: string, font: PDFFont, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && font.widthOfTextAtSize(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Draws lines below one another from a base line; gives the next one. */
export function draw(
  page: PDFPage,
  lines: readonly string[],
  font: PDFFont,
  {
    x,
    y,
    size = 11,
    leading = size * 1.2,
  }: { readonly x: number; readonly y: number; readonly size?: number; readonly leading?: number },
): number {
  for (const [i, line] of lines.entries()) page.drawText(line, { x, y: y - i * leading, size, font });
  return y - lines.length * leading;
}

/** The layout of a document, all pages. */
export async function layoutOf(
  input: Uint8Array | string,
  look: (document: LayoutDocument, pages: LayoutPage[]) => void | Promise<void> = () => undefined,
): Promise<LayoutPage[]> {
  return withLayout(typeof input === 'string' ? { path: input } : input, {}, async (document) => {
    const pages: LayoutPage[] = [];
    for await (const page of document.pages()) pages.push(page);
    await look(document, pages);
    return pages;
  });
}

/** Kinds and texts of a page's blocks, short. */
export function told({ blocks }: LayoutPage): string[] {
  return blocks.map(
    (block) => `${block.kind}${block.kind === 'heading' ? String(block.level) : ''}: ${blockText(block)}`,
  );
}
