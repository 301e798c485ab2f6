import { type PDFContext, PDFDocument, PDFName, type PDFObject } from 'pdf-lib';
import { ContentReader, type ContentVisitor, type Frame } from '../../content/index.js';
import { walkPages } from '../../structure/pages/index.js';

/** A document of one page with this content and these resources; Helvetica is /F1 unless they name fonts. */
export async function pageOf(
  content: string,
  resources: (context: PDFContext) => Record<string, unknown> = () => ({}),
  box: readonly number[] = [0, 0, 200, 200],
): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const page = document.addPage([200, 200]);
  page.node.set(PDFName.of('MediaBox'), context.obj([...box]));
  page.node.set(PDFName.of('Contents'), context.register(context.stream(Buffer.from(content, 'latin1'))));
  const font = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' };
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font }, ...resources(context) } as never));
  return document;
}

/** A form XObject. */
export function form(context: PDFContext, content: string, more: Record<string, unknown> = {}): PDFObject {
  return context.register(
    context.stream(Buffer.from(content, 'latin1'), {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 200, 200],
      ...more,
    } as never),
  );
}

/** Walks the first page. */
export function walk(
  document: PDFDocument,
  visitor: ContentVisitor,
  reader = new ContentReader(document.context),
): Frame {
  return reader.page(walkPages(document.context)[0]!, visitor);
}

/** All text of the first page, glyph by glyph. */
export function textOf(document: PDFDocument): string {
  let text = '';
  walk(document, {
    text: ({ glyphs }) => {
      text += glyphs.map((glyph) => glyph.text).join('');
    },
  });
  return text;
}
