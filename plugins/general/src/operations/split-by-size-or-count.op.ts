import { defineOperation, integerField, type OutputFile, parseSize, offering, shown, tokens } from '@quire/registry';
import type { PartRule } from '../functions/split-by-size.js';

interface SplitBySizeOrCountParams {
  splitType: number;
  splitValue: string;
}

/** Splits a PDF by file size, page count or number of parts (`docs/interface/general.yml`, split-by-size-or-count). */
export const splitBySizeOrCount = defineOperation<SplitBySizeOrCountParams>({
  path: 'general/split-by-size-or-count',
  since: '0.2.0',
  summary: 'Split a PDF by file size, page count or part count',
  title: 'Split by size or count',
  icon: 'chart-pie',
  order: 80,
  keywords: ['divide', 'separate', 'chunks', 'parts', 'file size limit'],
  notes:
    'By size, parts are as large as possible without exceeding it, measured on the written files; a single ' +
    'page that is larger becomes its own part. By number of parts, their page counts differ by at most one, ' +
    'and there are never more parts than pages.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_{n}', many: { archive: '{base}' }, pages: 'same' },
  writes: 'assemble',
  params: (joi) =>
    joi
      .object<SplitBySizeOrCountParams, true>({
        splitType: shown(
          offering(
            integerField(joi, '0 by file size, 1 by pages per part, 2 by number of parts')
              .min(0)
              .max(2)
              .default(0)
              .example(1),
            { values: [0, 1, 2] },
          ),
          {
            label: 'Split by',
            help: '',
            widget: 'choice',
            options: { '0': 'File size', '1': 'Pages per part', '2': 'Number of parts' },
          },
        ),
        splitValue: shown(
          joi
            .string()
            .trim()
            .empty('')
            .max(40)
            .default('10MB')
            .example('10MB')
            .custom((value: string, helpers) => {
              const splitType =
                (helpers.state.ancestors[0] as Partial<SplitBySizeOrCountParams> | undefined)?.splitType ?? 0;
              if (ruleOf({ splitType, splitValue: value }) !== undefined) return value;
              return helpers.error(splitType === 0 ? 'split.size' : 'split.count');
            })
            .messages({
              'split.size': '{{#label}} must be a size above 0, such as 25KB, 1.5MB or 10 (MB)',
              'split.count': '{{#label}} must be a whole number above 0',
            })
            .description(
              'For type 0 a size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes), MB without a unit; for ' +
                'types 1 and 2 a whole number above 0',
            ),
          { label: 'Size or number', help: 'A file size such as 10MB or 500KB; or the number of pages or parts.' },
        ),
        // The default is a size, which is not valid as a number of pages or parts.
      })
      .when(joi.object({ splitType: joi.number().valid(1, 2).required() }).unknown(), {
        then: joi.object({ splitValue: joi.required() }),
      }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'three pages each',
      files: ['handbook.pdf'],
      params: { splitType: 1, splitValue: '3' },
      expect: { pages: [3, 1], names: ['handbook_1.pdf', 'handbook_2.pdf'] },
    },
    {
      title: 'three parts',
      files: ['handbook.pdf'],
      params: { splitType: 2, splitValue: '3' },
      expect: { pages: [2, 1, 1] },
    },
    {
      title: 'already small enough',
      files: ['handbook.pdf'],
      params: { splitType: 0, splitValue: '1,5 MB' },
      expect: { pages: [4] },
    },
    {
      title: 'not a size',
      files: ['two-pages.pdf'],
      params: { splitType: 0, splitValue: 'large' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const { splitByRule } = await import('../functions/split-by-size.js');
    const outputs: OutputFile[] = [];
    const folder = await ctx.folder();
    const rule = ruleOf(params);
    if (rule === undefined) throw new RangeError('the schema allows no other value');
    await splitByRule(file.path(), rule, (n) => `${folder}/${n}.pdf`, {
      modified: ctx.use(tokens.clock).now(),
      onMeasure: () => ctx.signal.throwIfAborted(),
      onPart: async (path, n, done, pages) => {
        ctx.signal.throwIfAborted();
        outputs.push(await ctx.adopt(file, path, { n }));
        ctx.progress(done, pages);
      },
    });
    return outputs;
  },
});

function ruleOf({ splitType, splitValue }: Readonly<SplitBySizeOrCountParams>): PartRule | undefined {
  if (splitType === 0) {
    const limit = parseSize(splitValue) ?? 0;
    return limit > 0 ? { by: 'bytes', limit } : undefined;
  }
  const count = /^\+?\d{1,15}$/.test(splitValue) ? Number(splitValue) : 0;
  return count > 0 ? { by: splitType === 1 ? 'pages' : 'parts', count } : undefined;
}
