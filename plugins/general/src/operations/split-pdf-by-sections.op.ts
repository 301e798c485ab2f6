import {
  baseName,
  booleanField,
  defineOperation,
  integerField,
  type OutputFile,
  selectPages,
  shown,
  tokens,
} from '@quire/registry';
import { cutPageIndexes, sectionCount, type SplitMode } from '../functions/pages/section-grid.js';

interface SplitPdfBySectionsParams {
  pageNumbers?: string;
  splitMode: SplitMode;
  horizontalDivisions: number;
  verticalDivisions: number;
  merge: boolean;
}

const gridOf = ({
  horizontalDivisions,
  verticalDivisions,
}: SplitPdfBySectionsParams): { columns: number; rows: number } => ({
  columns: horizontalDivisions + 1,
  rows: verticalDivisions + 1,
});
const chosenPages = ({ splitMode, pageNumbers }: SplitPdfBySectionsParams, pageCount: number): ReadonlySet<number> =>
  cutPageIndexes(splitMode, pageCount, () => selectPages(pageNumbers ?? '', pageCount));

/** Cuts pages into a grid of sections (`docs/interface/general.yml`, split-pdf-by-sections). */
export const splitPdfBySections = defineOperation<SplitPdfBySectionsParams>({
  path: 'general/split-pdf-by-sections',
  since: '0.2.0',
  summary: 'Split each page into a grid of sections',
  title: 'Split pages into sections',
  icon: 'grid-2x2',
  order: 100,
  keywords: ['halves', 'grid', 'cut in half', 'double pages', 'book scan', 'quarters'],
  notes:
    'There are `horizontalDivisions` + 1 columns and `verticalDivisions` + 1 rows; sections are numbered ' +
    'column by column from the left, each from top to bottom. Pages are divided as the reader sees them: ' +
    'cropped, rotated upright, in points. A section starts at 0, 0 and clips the rest of its page, which ' +
    'remains in its file. Links, comments and form fields go to the section that contains their centre, ' +
    'bookmarks lead to the section that shows their target, and each section has the label of its page.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_split',
    many: { archive: '{base}_split', when: { merge: false } },
    pages: ([pageCount = 0], params) => sectionCount(pageCount, chosenPages(params, pageCount).size, gridOf(params)),
  },
  writes: 'assemble',
  params: (joi) =>
    joi
      .object<SplitPdfBySectionsParams, true>({
        pageNumbers: shown(
          joi
            .string()
            .trim()
            .empty('')
            .max(10_000)
            .description(
              'Pages to split, required with splitMode CUSTOM and otherwise ignored: numbers, ranges and ' +
                'formulas with n, separated by commas (1,3,5-9 or 2n-1), or all',
            )
            .example('1,3,5-9'),
          {
            label: 'Pages to split',
            help: 'Numbers, ranges and formulas with n, separated by commas.',
            widget: 'pages',
            when: { splitMode: 'CUSTOM' },
          },
        ),
        splitMode: shown(
          joi
            .string()
            .valid(
              'CUSTOM',
              'SPLIT_ALL_EXCEPT_FIRST_AND_LAST',
              'SPLIT_ALL_EXCEPT_FIRST',
              'SPLIT_ALL_EXCEPT_LAST',
              'SPLIT_ALL',
            )
            .default('SPLIT_ALL')
            .description('Which pages to split; the others stay whole'),
          {
            label: 'Which pages',
            order: -1,
            options: {
              CUSTOM: 'Chosen pages',
              SPLIT_ALL_EXCEPT_FIRST_AND_LAST: 'All but the first and the last',
              SPLIT_ALL_EXCEPT_FIRST: 'All but the first',
              SPLIT_ALL_EXCEPT_LAST: 'All but the last',
              SPLIT_ALL: 'All pages',
            },
          },
        ),
        horizontalDivisions: shown(
          integerField(joi, 'Number of vertical cuts: one less than the number of columns').min(0).max(50).default(0),
          { label: 'Vertical cuts', help: 'One less than the number of columns.' },
        ),
        verticalDivisions: shown(
          integerField(joi, 'Number of horizontal cuts: one less than the number of rows').min(0).max(50).default(1),
          { label: 'Horizontal cuts', help: 'One less than the number of rows.' },
        ),
        merge: shown(
          booleanField(joi, 'Return one PDF with all sections in order instead of a zip with one PDF per section'),
          { label: 'Return one PDF', help: 'With all sections in order, instead of a zip with one PDF for each.' },
        ),
      })
      .when(joi.object({ splitMode: joi.valid('CUSTOM').required() }).unknown(), {
        then: joi.object({ pageNumbers: joi.required() }),
      }),
  needs: { services: [tokens.clock] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
    'INPUT_TOO_COMPLEX',
  ],
  examples: [
    {
      title: 'upper and lower halves',
      files: ['two-pages.pdf'],
      params: { horizontalDivisions: 0, verticalDivisions: 1 },
      expect: {
        pages: [1, 1, 1, 1],
        names: [
          'two-pages_split_1_1.pdf',
          'two-pages_split_1_2.pdf',
          'two-pages_split_2_1.pdf',
          'two-pages_split_2_2.pdf',
        ],
      },
    },
    {
      title: 'six sections of each page in one document',
      files: ['two-pages.pdf'],
      params: { horizontalDivisions: 1, verticalDivisions: 2, merge: true },
      expect: { pages: [12], names: ['two-pages_split.pdf'] },
    },
    {
      title: 'the first page stays whole',
      files: ['unusual-pages.pdf'],
      params: { splitMode: 'SPLIT_ALL_EXCEPT_FIRST', verticalDivisions: 1, merge: true },
      expect: { pages: [7] },
    },
    {
      title: 'too many cuts',
      files: ['two-pages.pdf'],
      params: { horizontalDivisions: 51 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'custom pages missing',
      files: ['two-pages.pdf'],
      params: { splitMode: 'CUSTOM' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const { cutDocument, splitBySections } = await import('../functions/split-by-sections.js');
    const folder = await ctx.folder();
    const options = {
      ...gridOf(params),
      choose: (pageCount: number) => chosenPages(params, pageCount),
      modified: ctx.use(tokens.clock).now(),
    };
    if (params.merge) {
      await cutDocument(file.path(), `${folder}/split.pdf`, options);
      return [await ctx.adopt(file, `${folder}/split.pdf`)];
    }
    const outputs: OutputFile[] = [];
    await splitBySections(
      file.path(),
      (n) => `${folder}/${n}.pdf`,
      options,
      async (path, { page, section }, n, parts) => {
        ctx.signal.throwIfAborted();
        outputs.push(await ctx.adopt(file, path, { name: `${baseName(file.name)}_split_${page + 1}_${section}` }));
        ctx.progress(n, parts);
      },
    );
    return outputs;
  },
});
