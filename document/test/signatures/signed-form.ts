import type { PDFRef } from 'pdf-lib';
import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFPageLeaf, type PDFContext } from 'pdf-lib';
import { SigningDesk } from './signing-desk.js';

export const N = (name: string): PDFName => PDFName.of(name);

/** The catalog, first page and form of an opened document. */
export function partsOf(document: PDFDocument): { context: PDFContext; page: PDFPageLeaf; form: PDFDict | undefined } {
  return {
    context: document.context,
    page: document.getPage(0).node,
    form: document.catalog.lookupMaybe(N('AcroForm'), PDFDict),
  };
}

export function widget(context: PDFContext, entries: Record<string, unknown>, content = '0 0 200 100 re f'): PDFRef {
  const appearance = context.register(
    context.stream(content, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 200, 100] }),
  );
  const annotation = context.obj({
    Type: 'Annot',
    Rect: [20, 40, 220, 140],
    AP: { N: appearance },
    ...entries,
  } as never) as unknown as PDFDict;
  return context.register(annotation);
}

export function annotate(document: PDFDocument, ref: PDFRef): void {
  const { context, page } = partsOf(document);
  page.set(N('Annots'), context.obj([...(page.lookupMaybe(N('Annots'), PDFArray)?.asArray() ?? []), ref]));
}

/** A form with two fields, without and with a signature. */
export async function signedForm(): Promise<{ desk: SigningDesk; source: string; signed: string }> {
  const desk = await SigningDesk.open();
  const source = await desk.plain((document) => {
    const form = document.getForm();
    form.createTextField('Name').addToPage(document.getPage(0), { x: 20, y: 20, width: 100, height: 20 });
    form.createTextField('Sum').addToPage(document.getPage(0), { x: 20, y: 60, width: 100, height: 20 });
    const { context } = document;
    form.acroForm.dict.set(
      N('DR'),
      context.obj({
        Font: { Helv: context.register(context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' })) },
      }),
    );
  });
  return { desk, source, signed: await desk.sign(source) };
}

/** Fills in a text field in a new revision. */
export function fillField(desk: SigningDesk, path: string, field: string, text: string): Promise<string> {
  return desk.append(path, ({ document }) => {
    const form = document.getForm();
    form.getTextField(field).setText(text);
    form.updateFieldAppearances();
  });
}
