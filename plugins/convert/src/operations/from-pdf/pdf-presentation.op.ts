import { defineOperation, tokens } from '@quire/registry';
import { officeErrors, officeFormatField, runToOffice } from '../office-run.js';

interface PdfPresentationParams {
  outputFormat: 'ppt' | 'pptx' | 'odp';
}

export const pdfPresentation = defineOperation<PdfPresentationParams>({
  path: 'convert/pdf/presentation',
  name: 'convertPdfToPresentation',
  since: '0.2.0',
  summary: 'Convert a PDF to PowerPoint',
  title: 'Convert PDF to PowerPoint',
  icon: 'presentation',
  order: 90,
  keywords: ['ppt', 'pptx', 'odp', 'slides', 'powerpoint'],
  notes:
    'One slide for each page. Text stays at its position in text boxes with its font, size, colour, rotation ' +
    'and links; consecutive lines form one box. Everything else on the page becomes images at 150 dpi behind ' +
    'the text, one for each separate part (at most 40, otherwise one). Slides have the size of the first page, ' +
    'because a presentation has one size; other pages are scaled and centred. A heading that is also a ' +
    'bookmark becomes the slide title. OCR text behind a scan is kept invisible. Not kept: lists, tables and ' +
    'drawings as such, form fields other than as images, tags. `pptx` needs no program; `ppt` and `odp` are ' +
    'converted from it by LibreOffice.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { ppt: 'ppt', pptx: 'pptx', odp: 'odp' } },
    name: '{base}',
    mediaType: 'application/octet-stream',
  },
  needs: { services: [tokens.officeExport] },
  limits: { timeoutMs: 600_000 },
  params: (joi) =>
    joi.object<PdfPresentationParams, true>({
      outputFormat: officeFormatField(
        joi,
        { ppt: 'PowerPoint 97-2003 (.ppt)', pptx: 'PowerPoint (.pptx)', odp: 'OpenDocument (.odp)' },
        'pptx',
      ),
    }),
  errors: [...officeErrors],
  examples: [
    {
      title: 'a slide for each page',
      files: ['three-pages.pdf'],
      params: { outputFormat: 'pptx' },
      expect: { names: ['three-pages.pptx'] },
    },
    {
      title: 'refuses a broken file',
      files: ['header-only.pdf'],
      params: { outputFormat: 'pptx' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, { outputFormat }, ctx) => {
    const { pdfToPptx } = await import('../../functions/slides/pdf-to-pptx.js');
    return runToOffice(file, outputFormat, { name: 'slides.pptx', write: pdfToPptx }, ctx);
  },
});
