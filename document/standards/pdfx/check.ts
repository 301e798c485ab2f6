import { PDFArray, type PDFContext, PDFDict, PDFName } from 'pdf-lib';
import { asDict, asName, catalogOf, elements, entry, resolve } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { boxOf, pageBox } from '../../structure/pages/index.js';
import { dictOfHolder, everyObject } from '../../file/objects/index.js';
import { readClaims, readXmp } from '../../structure/metadata/index.js';
import { fontsWithoutProgram } from '../pdfa/index.js';
import { within } from './finish.js';

/**
 * Checks a document against the rules of PDF/X-4 that its objects show (ISO 15930-7): claim and metadata, output
 * intent, boxes, fonts, named colours, annotations, actions, encryption. Returns the violated rules as sentences. There
 * is no free validator for PDF/X; operators in page content and the content of profiles are not checked.
 */
export function checkPdfX({ document: { context }, pages, decrypted }: OpenedPdf): string[] {
  const broken: string[] = [];
  const rule = (holds: boolean, text: string): void => {
    if (!holds) broken.push(text);
  };
  const catalog = catalogOf(context);
  rule(!decrypted, '6.5: the file is encrypted');
  rule(readClaims(context).get('PDF/X') === 'PDF/X-4', '6.11: the XMP metadata does not say PDF/X-4');
  const xmp = readXmp(context) ?? '';
  for (const name of [
    'dc:title',
    'xmp:CreateDate',
    'xmp:ModifyDate',
    'xmp:MetadataDate',
    'xmpMM:DocumentID',
    'xmpMM:VersionID',
    'xmpMM:RenditionClass',
    'pdf:Trapped',
  ])
    rule(xmp.includes(`<${name}>`), `6.11: the XMP metadata has no ${name}`);
  const intents = elements(context, catalog === undefined ? undefined : entry(catalog, 'OutputIntents'))
    .map((value) => asDict(context, value))
    .filter((intent) => intent !== undefined && asName(context, entry(intent, 'S')) === 'GTS_PDFX');
  rule(
    intents.length === 1 && asDict(context, entry(intents[0]!, 'DestOutputProfile')) !== undefined,
    '6.2.2: there is not exactly one output intent with a profile',
  );
  for (const [i, page] of pages.entries()) {
    const media = pageBox(context, page, 'MediaBox');
    const trim = boxOf(context, entry(page.dict, 'TrimBox'));
    const bleed = boxOf(context, entry(page.dict, 'BleedBox'));
    rule(
      within(trim, bleed ?? media) !== undefined && (bleed === undefined || within(bleed, media) !== undefined),
      `6.13: page ${i + 1} has no trim box within its other boxes`,
    );
    rule(elements(context, entry(page.dict, 'Annots')).length === 0, `6.15: page ${i + 1} has annotations`);
  }
  const fonts = fontsWithoutProgram(context);
  rule(fonts.length === 0, `6.3: fonts are not embedded: ${fonts.slice(0, 5).join(', ')}`);
  rule(
    catalog === undefined || ['AcroForm', 'OpenAction', 'AA'].every((key) => entry(catalog, key) === undefined),
    '6.17: there are actions or fields',
  );
  rule(!namesCmyk(context), '6.2.4: DeviceCMYK is used, and the output intent is RGB');
  return broken;
}

function namesCmyk(context: PDFContext): boolean {
  const cmyk = PDFName.of('DeviceCMYK');
  for (const object of everyObject(context)) {
    const values =
      object instanceof PDFArray
        ? object.asArray()
        : object instanceof PDFDict
          ? object.values()
          : dictOfHolder(object).values();
    if (values.some((value) => resolve(context, value) === cmyk)) return true;
  }
  return false;
}
