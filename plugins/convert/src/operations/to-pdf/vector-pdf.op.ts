import { baseName, booleanField, defineOperation, InputError, shown, tokens } from '@quire/registry';
import type { VectorFormat } from '../../functions/page-languages.js';

interface VectorPdfParams {
  prepress: boolean;
  outputFormat: VectorFormat;
}

export const vectorPdf = defineOperation<VectorPdfParams>({
  path: 'convert/vector/pdf',
  name: 'convertVectorToPdf',
  since: '0.2.0',
  summary: 'Convert PostScript or EPS to PDF',
  title: 'Convert PostScript to PDF',
  icon: 'pen-tool',
  order: 250,
  keywords: ['ps', 'printer'],
  notes:
    'Ghostscript runs the PostScript, which cannot read or write files or start programs; the result is PDF ' +
    '1.4. EPS is cropped to its bounding box, also in its DOS form. A PDF is returned unchanged. PCL and XPS ' +
    'are refused. PostScript that fails or exceeds its limits is refused with its error; `prepress` keeps more ' +
    'detail of images and colours.',
  accepts: ['eps', 'pdf', 'pcl', 'xps'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_converted', pages: 'any' },
  writes: 'assemble',
  params: (joi) =>
    joi.object<VectorPdfParams, true>({
      prepress: shown(
        booleanField(joi, 'Optimises the PDF for printing: images keep their resolution, colours stay unchanged'),
        { label: 'For printing', help: 'Images keep their resolution, colours stay unchanged.' },
      ),
      outputFormat: shown(
        joi
          .string()
          .trim()
          .empty('')
          .valid('ps', 'eps', 'pcl', 'xps')
          .insensitive()
          .default('eps')
          .description('Has no effect in this direction'),
        { hidden: true },
      ),
    }),
  needs: { programs: ['ghostscript'], services: [tokens.pageLanguages, tokens.clock] },
  errors: ['POSTSCRIPT_UNREADABLE', 'PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'PostScript of two pages',
      files: ['two-pages.ps'],
      params: {},
      expect: { pages: [2], names: ['two-pages_converted.pdf'] },
    },
    {
      title: 'EPS, cropped to its bounding box',
      files: ['drawing.eps'],
      params: { prepress: true },
      expect: { pages: [1] },
    },
    {
      title: 'a PDF stays as it is',
      files: ['three-pages.pdf'],
      params: {},
      expect: { pages: [3], names: ['three-pages_converted.pdf'] },
    },
    {
      title: 'PostScript that ends in an error',
      files: ['broken.ps'],
      params: {},
      expect: { refused: 'POSTSCRIPT_UNREADABLE' },
    },
    { title: 'refuses PCL', files: ['page.pcl'], params: {}, expect: { refused: 'POSTSCRIPT_UNREADABLE' } },
  ],
  run: async (file, { prepress }, ctx) => {
    if (file.kind === 'pdf') return [ctx.keep(file, { name: `${baseName(file.name)}_converted` })];
    if (file.kind !== 'eps')
      throw new InputError(
        'POSTSCRIPT_UNREADABLE',
        {
          field: 'fileInput',
          detail: `it is ${file.kind.toUpperCase()}; this operation accepts PostScript, EPS and PDF`,
        },
        [{ pointer: '/fileInput', detail: `${file.kind.toUpperCase()} is not supported here` }],
      );
    const { finishDrawn } = await import('../../functions/page-languages.js');
    const folder = await ctx.folder();
    const [drawn, target] = [`${folder}/drawn.pdf`, `${folder}/converted.pdf`];
    await ctx.use(tokens.pageLanguages).toPdf(prepress ? 'prepress' : 'default', file.path(), drawn, ctx.signal);
    await finishDrawn(drawn, target, ctx.use(tokens.clock).now());
    return [await ctx.adopt(file, target)];
  },
});
