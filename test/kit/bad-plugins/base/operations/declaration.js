/** A right declaration, from which each bad plugin departs in one point. */
export const declaration = {
  path: 'misc/copy-pdf',
  since: '1.0.0',
  summary: 'Copy a PDF',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_copy', pages: 'same' },
  writes: 'append',
  params: (joi) => joi.object({
    quality: joi.number().integer().min(1).max(9).default(5).description('Care taken, from 1 to 9'),
  }),
  errors: ['PDF_ENCRYPTED', 'PDF_DAMAGED'],
  examples: [{ title: 'plain', files: ['two-pages.pdf'], params: { quality: 3 }, expect: { pages: [2] } }],
  run: async (file, params, ctx) => {
    const bytes = await file.bytes();
    if (ctx.writing === 'append') return [await ctx.output(file, bytes)];
    const { resavePdf } = await import('@quire/document/engines/pdfium');
    return [await ctx.output(file, await resavePdf(bytes))];
  },
};
