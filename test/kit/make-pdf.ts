import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, type PDFRef, StandardFonts } from 'pdf-lib';

export interface PdfSpec {
  /** Page count. */
  readonly pages: number;
  /** Text of each page: one for all, one per page, or a function of the 1-based page number. Default: `Page <n>`. */
  readonly text?: string | readonly string[] | ((page: number) => string);
  /** Text fields on the first page: name to value. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Bookmarks: title to 1-based page number. */
  readonly outlines?: Readonly<Record<string, number>>;
  /** Width and height in points; default A4. */
  readonly size?: readonly [number, number];
}

/** Creates a small PDF for a test. Same input, same bytes: dates are fixed. */
export async function makePdf(spec: PdfSpec): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const [width, height] = spec.size ?? [595.28, 841.89];
  for (let n = 1; n <= spec.pages; n++) {
    pdf.addPage([width, height]).drawText(textOf(spec, n), {
      x: width / 12,
      y: height * 0.85,
      size: Math.min(24, height / 20),
      font,
      lineHeight: 28,
    });
  }
  const first = spec.pages > 0 ? pdf.getPage(0) : undefined;
  Object.entries(spec.fields ?? {}).forEach(([name, value], i) => {
    const field = pdf.getForm().createTextField(name);
    field.setText(value);
    if (first !== undefined)
      field.addToPage(first, { x: width / 12, y: height * 0.6 - i * 40, width: 200, height: 24, font });
  });
  if (spec.outlines !== undefined) addOutlines(pdf, spec.outlines);
  return pdf.save({
    useObjectStreams: false,
    addDefaultPage: false,
    updateFieldAppearances: spec.fields !== undefined,
  });
}

function textOf({ text }: PdfSpec, page: number): string {
  if (text === undefined) return `Page ${page}`;
  if (typeof text === 'function') return text(page);
  return typeof text === 'string' ? text : (text[page - 1] ?? '');
}

/** Adds a flat outline, ISO 32000-1, 12.3.3. */
function addOutlines(pdf: PDFDocument, outlines: Readonly<Record<string, number>>): void {
  const root = pdf.context.nextRef();
  const items = Object.entries(outlines).map(([title, page]) => ({ title, page, ref: pdf.context.nextRef() }));
  items.forEach(({ title, page, ref }, i) => {
    const destination = PDFArray.withContext(pdf.context);
    destination.push(pdf.getPage(page - 1).ref);
    destination.push(PDFName.of('Fit'));
    const item = PDFDict.withContext(pdf.context);
    item.set(PDFName.of('Title'), PDFHexString.fromText(title));
    item.set(PDFName.of('Parent'), root);
    item.set(PDFName.of('Dest'), destination);
    setRef(item, 'Prev', items[i - 1]?.ref);
    setRef(item, 'Next', items[i + 1]?.ref);
    pdf.context.assign(ref, item);
  });
  const outline = PDFDict.withContext(pdf.context);
  outline.set(PDFName.of('Type'), PDFName.of('Outlines'));
  setRef(outline, 'First', items[0]?.ref);
  setRef(outline, 'Last', items.at(-1)?.ref);
  outline.set(PDFName.of('Count'), PDFNumber.of(items.length));
  pdf.context.assign(root, outline);
  pdf.catalog.set(PDFName.of('Outlines'), root);
}

function setRef(dict: PDFDict, key: string, ref: PDFRef | undefined): void {
  if (ref !== undefined) dict.set(PDFName.of(key), ref);
}
