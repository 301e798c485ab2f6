import { baseName, booleanField, defineOperation, offering, replacement, shown, tokens } from '@quire/registry';

/** The format names that clients send, with part and level of PDF/A (docs/interface/convert.yml, pdf/pdfa). */
const formats = {
  pdfa: '2b',
  'pdfa-1': '1b',
  'pdfa-1b': '1b',
  'pdfa-2': '2b',
  'pdfa-2b': '2b',
  'pdfa-2u': '2u',
  'pdfa-3': '3b',
  'pdfa-3b': '3b',
  'pdfa-3u': '3u',
  pdfx: 'x',
} as const;
type Format = keyof typeof formats;
/** Without the shorter names for the same. */
const pdfaLevels = ['pdfa-1b', 'pdfa-2b', 'pdfa-2u', 'pdfa-3b', 'pdfa-3u'] satisfies Format[];

interface PdfPdfaParams {
  outputFormat: Format;
  strict: boolean;
}

/** Converts a PDF to PDF/A or PDF/X (`docs/interface/convert.yml`, pdf/pdfa). */
export const pdfPdfa = defineOperation<PdfPdfaParams>({
  path: 'convert/pdf/pdfa',
  name: 'convertPdfToPdfA',
  since: '0.2.0',
  summary: 'Convert a PDF to PDF/A or PDF/X',
  title: 'Convert to PDF/A or PDF/X',
  icon: 'archive',
  order: 150,
  keywords: ['archive', 'archival', 'long-term', 'print', 'iso 19005'],
  notes: [
    'A result claims PDF/A only if veraPDF confirms it. The server tries, in this order: the document ' +
      'unchanged; repaired in place (tags, bookmarks, links, fields, layers and files stay as far as the ' +
      'standard allows); with its pages redrawn by Ghostscript (tags and layers are lost); redrawn completely ' +
      '(form fields are lost too). Where Ghostscript fails on the document, its pages become images, and ' +
      '`X-Warnings` says so. `X-Tool-Report` says which `way` was used, whether the result was `checked` ' +
      'and is `compliant`, what it `claims`, and what was lost.',
    'If no way gives a compliant result, the one with the fewest violations is returned **without the claim**, ' +
      'and the report lists rules; with `strict` it is refused instead. If only the rules of level U are ' +
      "violated, level B is claimed. Without veraPDF, Ghostscript's own check counts and `checked` is false; " +
      '`strict` needs veraPDF.',
    'Part 1 allows no transparency, layers or embedded files; part 2 results have no embedded files; part 3 ' +
      'keeps them. Scripts and other actions are removed, and signatures become invalid and are removed (their ' +
      'appearance stays).',
    'PDF/X is PDF/X-4: RGB with an output intent, fonts embedded, images at most 300 dpi (1200 for 1-bit ' +
      'images), annotations flattened. There is no free validator for it: the claim rests on rules that the ' +
      'server checks itself (`docs/guides/pdf-a.md`).',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_PDFA-2b',
    nameWhen: { when: { outputFormat: 'pdfx' }, name: '{base}_PDFX' },
    pages: 'same',
  },
  writes: 'rewrite',
  effects: ['lossy'],
  params: (joi) =>
    joi.object<PdfPdfaParams, true>({
      outputFormat: shown(
        offering(
          joi
            .string()
            .trim()
            .empty('')
            .lowercase()
            .replace(/^pdfx.*$/s, 'pdfx')
            .valid(...(Object.keys(formats) as Format[]))
            .failover(replacement('pdfa-2b'))
            .default('pdfa-2b')
            .description(
              'pdfa and pdfa-2 mean 2b, pdfa-1 means 1b, pdfa-3 means 3b; values that start with pdfx mean PDF/X; ' +
                'case does not matter, and anything else means pdfa-2b',
            )
            .example('pdfa-2b'),
          { values: [...pdfaLevels, 'pdfx'] },
        ),
        {
          label: 'Standard',
          help: '',
          options: {
            'pdfa-1b': 'PDF/A-1b',
            'pdfa-2b': 'PDF/A-2b',
            'pdfa-2u': 'PDF/A-2u',
            'pdfa-3b': 'PDF/A-3b',
            'pdfa-3u': 'PDF/A-3u',
            pdfx: 'PDF/X-4',
          },
        },
      ),
      strict: shown(booleanField(joi, 'Refuses a document that cannot be made fully compliant; PDF/A only'), {
        label: 'Only if fully compliant',
        help: 'Refuses a document that cannot be made fully compliant.',
        when: { outputFormat: pdfaLevels },
      }),
    }),
  needs: { services: [tokens.clock, tokens.pdfToPdfA, tokens.pdfToPdfX, tokens.standardsValidator] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'PDFA_IMPOSSIBLE'],
  examples: [
    {
      title: 'PDF/A-2b',
      files: ['three-pages.pdf'],
      params: {},
      expect: { pages: [3], names: ['three-pages_PDFA-2b.pdf'] },
    },
    {
      title: 'PDF/A-3b, fully compliant or not at all',
      files: ['three-pages.pdf'],
      params: { outputFormat: 'pdfa-3b', strict: true },
      expect: { pages: [3], names: ['three-pages_PDFA-3b.pdf'] },
    },
    {
      title: 'PDF/X',
      files: ['three-pages.pdf'],
      params: { outputFormat: 'pdfx' },
      expect: { pages: [3], names: ['three-pages_PDFX.pdf'] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { outputFormat, strict }, ctx) => {
    const { pdfToPdfA, pdfToPdfX } = await import('../../functions/pdf-to-pdfa.js');
    const job = {
      folder: await ctx.folder(),
      now: ctx.use(tokens.clock).now(),
      strict,
      signal: ctx.signal,
      progress: (done: number, total: number) => ctx.progress(done, total),
    };
    const format = formats[outputFormat];
    const goal = { part: Number(format[0]) as 1 | 2 | 3, level: format.endsWith('u') ? 'U' : 'B' } as const;
    const { path, facts, images } =
      format === 'x'
        ? await pdfToPdfX(
            file.path(),
            baseName(file.name),
            (input, output) => ctx.use(tokens.pdfToPdfX).draw(input, output, ctx.signal),
            job,
          )
        : await pdfToPdfA(
            file.path(),
            goal,
            {
              draw: (of, input, output) =>
                ctx.use(tokens.pdfToPdfA).convert({ part: of, conformance: 'B' }, input, output, ctx.signal),
              validate: (input) => ctx.use(tokens.standardsValidator).validate(input, ctx.signal),
            },
            job,
          );
    ctx.report(facts);
    if (images !== undefined)
      ctx.warn(
        `Ghostscript could not draw the document: ${images.reason}. Its pages were converted as images, so their ` +
          'text cannot be selected.',
      );
    const name = `${baseName(file.name)}_${format === 'x' ? 'PDFX' : `PDFA-${format}`}`;
    return [path === file.path() ? ctx.keep(file, { name }) : await ctx.adopt(file, path, { name })];
  },
});
