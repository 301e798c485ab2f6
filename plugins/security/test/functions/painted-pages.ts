import { type PDFContext, PDFDocument, PDFName, type PDFRef, StandardFonts } from 'pdf-lib';

export interface PaintedPage {
  readonly content: string;
  /** Additional entries of the page dictionary. */
  readonly entries?: Readonly<Record<string, unknown>>;
  /** Forms by name: content and matrix. */
  readonly forms?: Readonly<
    Record<
      string,
      { readonly content: string; readonly matrix?: readonly number[]; readonly forms?: PaintedPage['forms'] }
    >
  >;
  /** Fonts by name whose codes map to these texts, by /ToUnicode or, with `names`, only by glyph names. */
  readonly fonts?: Readonly<
    Record<string, { readonly codes: Readonly<Record<number, string>>; readonly names?: boolean }>
  >;
}

/** Creates a PDF with hand-written content. /H is Helvetica. */
export async function paintedPdf(
  pages: readonly PaintedPage[],
  change: (document: PDFDocument) => void = () => undefined,
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const helvetica = (await document.embedFont(StandardFonts.Helvetica)).ref;
  for (const { content, entries = {}, forms = {}, fonts = {} } of pages) {
    const page = document.addPage([400, 300]);
    const Font = {
      H: helvetica,
      ...Object.fromEntries(Object.entries(fonts).map(([name, font]) => [name, fontOf(context, font)])),
    };
    page.node.set(PDFName.of('Resources'), context.obj({ Font, XObject: formsOf(context, forms, Font) }));
    page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
    for (const [key, value] of Object.entries(entries)) page.node.set(PDFName.of(key), context.obj(value as never));
  }
  change(document);
  return document.save({ useObjectStreams: false });
}

function formsOf(
  context: PDFContext,
  forms: NonNullable<PaintedPage['forms']>,
  Font: Record<string, PDFRef>,
): Record<string, PDFRef> {
  return Object.fromEntries(
    Object.entries(forms).map(([name, { content, matrix = [1, 0, 0, 1, 0, 0], forms: inner = {} }]) => [
      name,
      context.register(
        context.flateStream(content, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [-1000, -1000, 1000, 1000],
          Matrix: [...matrix],
          Resources: { Font, XObject: formsOf(context, inner, Font) },
        }),
      ),
    ]),
  );
}

function fontOf(
  context: PDFContext,
  { codes, names = false }: { readonly codes: Readonly<Record<number, string>>; readonly names?: boolean },
): PDFRef {
  const entries = Object.entries(codes).map(([code, text]) => [Number(code), text] as const);
  const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const map =
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ' +
    `${entries.length} beginbfchar\n` +
    `${entries.map(([code, text]) => `<${code.toString(16).padStart(2, '0')}> <${hex(text)}>`).join('\n')}\n` +
    'endbfchar endcmap end';
  const Differences = entries.flatMap(([code, text]) => [code, PDFName.of(names ? text : 'a')]);
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      FirstChar: 0,
      LastChar: 255,
      Widths: Array.from({ length: 256 }, () => 500),
      Encoding: { Type: 'Encoding', Differences },
      ...(names ? {} : { ToUnicode: context.register(context.flateStream(map)) }),
    }),
  );
}
