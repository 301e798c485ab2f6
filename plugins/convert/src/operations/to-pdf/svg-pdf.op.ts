import { baseName, booleanField, defineOperation, isQuireError, type OutputFile, shown } from '@quire/registry';

interface SvgPdfParams {
  combineIntoSinglePdf: boolean;
}

export const svgPdf = defineOperation<SvgPdfParams>({
  path: 'convert/svg/pdf',
  name: 'convertSvgToPdf',
  since: '0.2.0',
  summary: 'Convert SVG to PDF',
  title: 'Convert SVG to PDF',
  icon: 'spline',
  order: 180,
  keywords: ['vector', 'drawing', 'graphic'],
  notes:
    'A page has as many points as the drawing has pixels, or its true size if that is given in units of ' +
    'length; a drawing without a size fills 595 x 842 points. Text stays text. Scripts, events and foreign ' +
    'content are removed; drawings that refer to other files are refused; embedded images are kept. If there ' +
    'are several drawings, those that cannot be drawn are left out and counted as `skipped` in X-Tool-Report.',
  accepts: ['svg'],
  files: 'all',
  returns: {
    kind: 'pdf',
    name: '{base}',
    nameWhen: { when: { combineIntoSinglePdf: true }, name: '{base}_combined' },
    pages: 'any',
    many: { archive: '{base}_converted_svgs', when: { combineIntoSinglePdf: false }, single: 'file' },
  },
  params: (joi) =>
    joi.object<SvgPdfParams, true>({
      combineIntoSinglePdf: shown(
        booleanField(joi, 'Returns one PDF with a page for each drawing instead of one PDF each'),
        { label: 'Combine into one PDF', help: 'One PDF with a page for each drawing, instead of one PDF each.' },
      ),
    }),
  errors: ['IMAGE_UNREADABLE', 'IMAGE_TOO_LARGE'],
  examples: [
    { title: 'one drawing', files: ['shapes.svg'], params: {}, expect: { pages: [1], names: ['shapes.pdf'] } },
    {
      title: 'several in one document',
      files: ['shapes.svg', 'unsized.svg'],
      params: { combineIntoSinglePdf: true },
      expect: { pages: [2], names: ['shapes_combined.pdf'] },
    },
    {
      title: 'several, one document each',
      files: ['shapes.svg', 'unsized.svg'],
      params: {},
      expect: { pages: [1, 1], names: ['shapes.pdf', 'unsized.pdf'] },
    },
    {
      title: 'refuses a drawing that reads files',
      files: ['reads-files.svg'],
      params: {},
      expect: { refused: 'IMAGE_UNREADABLE' },
    },
  ],
  run: async (files, { combineIntoSinglePdf }, ctx) => {
    const { svgsToPdf } = await import('../../functions/svg-to-pdf.js');
    const folder = await ctx.folder();
    if (combineIntoSinglePdf) {
      const { drawn } = await svgsToPdf(
        files.map((file) => () => file.bytes()),
        `${folder}/all.pdf`,
        ctx.signal,
        (done, total) => ctx.progress(done, total),
      );
      if (drawn.includes(false)) ctx.report({ skipped: drawn.filter((made) => !made).length });
      return [await ctx.adopt(files[0]!, `${folder}/all.pdf`)];
    }
    const outputs: OutputFile[] = [];
    let first: unknown;
    for (const [i, file] of files.entries()) {
      try {
        await svgsToPdf([() => file.bytes()], `${folder}/${i}.pdf`, ctx.signal, () =>
          ctx.progress(i + 1, files.length),
        );
        outputs.push(await ctx.adopt(file, `${folder}/${i}.pdf`, { name: baseName(file.name) }));
      } catch (error) {
        if (!isQuireError(error)) throw error;
        first ??= error;
      }
    }
    if (outputs.length === 0) throw first;
    if (outputs.length < files.length) ctx.report({ skipped: files.length - outputs.length });
    return outputs;
  },
});
