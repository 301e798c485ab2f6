import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import { replaceInvertPdf } from '../../src/operations/replace-invert-pdf.op.js';
import { type Drawn, runOn } from './recolour-support.js';

export type Params = Parameters<typeof replaceInvertPdf.run>[1];
const params = (rest: Partial<Params> = {}): Params => ({
  replaceAndInvertOption: 'HIGH_CONTRAST_COLOR',
  highContrastColorCombination: 'WHITE_TEXT_ON_BLACK',
  ...rest,
});
export const recoloured = (bytes: Uint8Array, rest: Partial<Params> = {}): Promise<Uint8Array> =>
  runOn(replaceInvertPdf, bytes, params(rest));
export const inverted = (bytes: Uint8Array): Promise<Uint8Array> =>
  recoloured(bytes, { replaceAndInvertOption: 'FULL_INVERSION' });
export const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
const close = (a: readonly number[], b: readonly number[], by = 3): boolean =>
  a.every((level, i) => Math.abs(level - (b[i] ?? 0)) <= by);

/** A page with this content, with Helvetica as /F and a form as /X. */
export async function pageOf(
  content: string,
  form = '',
  size: readonly [number, number] = [200, 200],
): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const page = document.addPage([...size]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const resources = context.obj({ Font: { F: font.ref } });
  resources.set(
    PDFName.of('XObject'),
    context.obj({
      X: context.register(
        context.stream(form, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 200, 200],
          Resources: { Font: { F: font.ref } },
        }),
      ),
    }),
  );
  page.node.set(PDFName.of('Resources'), resources);
  page.node.set(PDFName.of('Contents'), context.register(context.stream(content)));
  return document;
}
export const saved = async (content: string, form?: string): Promise<Uint8Array> =>
  (await pageOf(content, form)).save();

/** The number of pixels in this colour. */
export const count = ({ pixels }: Drawn, colour: readonly number[]): number => {
  let found = 0;
  for (let i = 0; i < pixels.length; i += 3)
    if (close([pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0], colour)) found++;
  return found;
};
export const WORD = 'BT /F 60 Tf 20 80 Td (HHH) Tj ET';
