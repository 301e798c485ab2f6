import { booleanField, defineOperation, shown, tokens } from '@quire/registry';
import type { VectorFormat } from '../../functions/page-languages.js';

interface PdfVectorParams {
  outputFormat: VectorFormat;
  prepress: boolean;
}

export const pdfVector = defineOperation<PdfVectorParams>({
  path: 'convert/pdf/vector',
  name: 'convertPdfToVector',
  since: '0.2.0',
  summary: 'Convert a PDF to PostScript, EPS, PCL or XPS',
  title: 'Convert PDF to PostScript',
  icon: 'pen-tool',
  order: 240,
  keywords: ['ps', 'eps', 'pcl', 'xps', 'print'],
  notes:
    'The whole document becomes one file, drawn by Ghostscript: `ps` is PostScript, `pcl` is PCL XL in colour, ' +
    '`xps` is XML Paper Specification. EPS allows only one page, so the pages of a longer document are stacked ' +
    'into one, the first on top. Annotations are drawn; bookmarks, links and fields cannot be kept in these ' +
    'formats. If Ghostscript crashes on the document, its pages are converted as images, and `X-Warnings` says so.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { ps: 'eps', eps: 'eps', pcl: 'pcl', xps: 'xps' } },
    name: '{base}_converted',
    extension: '{outputFormat}',
  },
  effects: ['lossy'],
  params: (joi) =>
    joi.object<PdfVectorParams, true>({
      outputFormat: shown(
        joi
          .string()
          .trim()
          .empty('')
          .valid('ps', 'eps', 'pcl', 'xps')
          .insensitive()
          .default('eps')
          .description('Language of the result'),
        {
          label: 'Format',
          help: '',
          options: { ps: 'PostScript (.ps)', eps: 'Encapsulated PostScript (.eps)', pcl: 'PCL', xps: 'XPS' },
        },
      ),
      prepress: shown(booleanField(joi, 'Has no effect in this direction'), { hidden: true }),
    }),
  needs: { programs: ['ghostscript'], services: [tokens.pageLanguages] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'EPS of all pages',
      files: ['three-pages.pdf'],
      params: {},
      expect: { names: ['three-pages_converted.eps'] },
    },
    {
      title: 'PostScript',
      files: ['three-pages.pdf'],
      params: { outputFormat: 'ps' },
      expect: { names: ['three-pages_converted.ps'] },
    },
    {
      title: 'PCL',
      files: ['three-pages.pdf'],
      params: { outputFormat: 'pcl' },
      expect: { names: ['three-pages_converted.pcl'] },
    },
    {
      title: 'XPS',
      files: ['three-pages.pdf'],
      params: { outputFormat: 'xps' },
      expect: { names: ['three-pages_converted.xps'] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { outputFormat }, ctx) => {
    const [{ readyForVector }, { drawOrPicture }] = await Promise.all([
      import('../../functions/page-languages.js'),
      import('@quire/document/engines/rendering'),
    ]);
    const folder = await ctx.folder();
    const target = `${folder}/converted.${outputFormat}`;
    const images = await drawOrPicture(
      await readyForVector(file.path(), `${folder}/ready.pdf`, outputFormat),
      `${folder}/images.pdf`,
      (input) => ctx.use(tokens.pageLanguages).fromPdf(outputFormat, input, target, ctx.signal),
      { signal: ctx.signal },
    );
    if (images !== undefined)
      ctx.warn(
        `Ghostscript could not draw the document: ${images.reason}. Its pages were converted as images, so the ` +
          'result has no text or lines as such.',
      );
    return [await ctx.adopt(file, target)];
  },
});
