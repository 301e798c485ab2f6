import { booleanField, defineOperation, integerField, type JoiRoot, shown, tokens } from '@quire/registry';
import {
  fillsSheet,
  gridOf,
  type LayoutParams,
  marginWithoutRoom,
  MAX_CELLS_PER_SIDE,
} from '../functions/pages/page-grid.js';

interface MultiPageLayoutParams extends LayoutParams {
  addBorder: boolean;
  borderWidth: number;
}

/** Places several pages on each A4 sheet (`docs/interface/general.yml`, multi-page-layout). */
export const multiPageLayout = defineOperation<MultiPageLayoutParams>({
  path: 'general/multi-page-layout',
  name: 'layOutPages',
  since: '0.2.0',
  summary: 'Put several pages on each sheet (N-up)',
  title: 'Put pages on sheets',
  icon: 'layout-grid',
  order: 120,
  keywords: ['2-up', 'pages per sheet', 'handout', 'print layout', 'imposition'],
  groups: [{ id: 'margins', title: 'Margins' }],
  notes:
    'Sheets are A4. Each page is scaled evenly to fit its cell and centred, upright as the reader sees it. ' +
    'Links, bookmarks, form fields, comments, tags, layers and attachments stay, moved and scaled with their ' +
    'pages; page labels are removed, because a sheet shows several of the pages that they number.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_multi_page_layout',
    pages: (inputPages, params) => {
      const { columns, rows } = gridOf(params);
      return Math.ceil((inputPages[0] ?? 0) / (columns * rows));
    },
  },
  writes: 'rewrite',
  params: (joi) =>
    joi
      .object<MultiPageLayoutParams, true>({
        mode: shown(choice(joi, ['DEFAULT', 'CUSTOM'], 'DEFAULT uses pagesPerSheet, CUSTOM uses rows and cols'), {
          label: 'Layout',
          help: '',
          options: { DEFAULT: 'Pages per sheet', CUSTOM: 'Rows and columns' },
        }),
        pagesPerSheet: shown(
          integerField(
            joi,
            'Pages per sheet: 2 (side by side) or a square number (4, 9, 16 and so on); ignored with CUSTOM',
          )
            .min(1)
            .max(100_000)
            .default(2)
            .example(4)
            .custom((value: number, helpers) =>
              isCustom(helpers) || value < 1 || fillsSheet(value) ? value : helpers.error('layout.count'),
            )
            .messages({
              'layout.count': `{#label} must be 2 or a square number up to ${MAX_CELLS_PER_SIDE ** 2}`,
            }),
          { help: '2 (side by side) or a square number: 4, 9, 16 and so on.', when: { mode: 'DEFAULT' } },
        ),
        rows: shown(
          integerField(joi, 'Rows per sheet, for CUSTOM').min(1).max(MAX_CELLS_PER_SIDE).default(1).example(2),
          { label: 'Rows', help: '', when: { mode: 'CUSTOM' } },
        ),
        cols: shown(
          integerField(joi, 'Columns per sheet, for CUSTOM').min(1).max(MAX_CELLS_PER_SIDE).default(2).example(3),
          { label: 'Columns', help: '', when: { mode: 'CUSTOM' } },
        ),
        arrangement: shown(choice(joi, ['BY_ROWS', 'BY_COLUMNS'], 'Whether pages fill a row or a column first'), {
          label: 'Fill first',
          help: '',
          options: { BY_ROWS: 'Rows', BY_COLUMNS: 'Columns' },
        }),
        readingDirection: shown(choice(joi, ['LTR', 'RTL'], 'RTL starts at the right'), {
          help: '',
          options: { LTR: 'Left to right', RTL: 'Right to left' },
        }),
        orientation: shown(choice(joi, ['PORTRAIT', 'LANDSCAPE'], 'Orientation of the sheets'), {
          label: 'Orientation of the sheets',
          help: '',
          options: { PORTRAIT: 'Portrait', LANDSCAPE: 'Landscape' },
        }),
        innerMargin: shown(margin(joi, 'Free space on each side within a cell, in points'), {
          label: 'Around each page',
          help: '',
          unit: 'pt',
          group: 'margins',
          advanced: true,
        }),
        topMargin: shown(margin(joi, 'Free space at the top of a sheet, in points'), {
          label: 'Top',
          help: '',
          unit: 'pt',
          group: 'margins',
          advanced: true,
        }),
        bottomMargin: shown(margin(joi, 'Free space at the bottom of a sheet, in points'), {
          label: 'Bottom',
          help: '',
          unit: 'pt',
          group: 'margins',
          advanced: true,
        }),
        leftMargin: shown(margin(joi, 'Free space at the left of a sheet, in points'), {
          label: 'Left',
          help: '',
          unit: 'pt',
          group: 'margins',
          advanced: true,
        }),
        rightMargin: shown(margin(joi, 'Free space at the right of a sheet, in points'), {
          label: 'Right',
          help: '',
          unit: 'pt',
          group: 'margins',
          advanced: true,
        }),
        addBorder: shown(booleanField(joi, 'Draw a black line around each page'), { label: 'Draw borders' }),
        borderWidth: shown(
          integerField(joi, 'Width of the border in points; 0 means 1')
            .max(1000)
            .default(1)
            .example(1)
            .custom((value: number, helpers) =>
              value < 0 && siblings(helpers)['addBorder'] === true ? helpers.error('number.min', { limit: 0 }) : value,
            ),
          { label: 'Width of the border', help: '', unit: 'pt', when: { addBorder: true } },
        ),
      })
      .custom((value: MultiPageLayoutParams, helpers) => {
        const tight = marginWithoutRoom(value);
        return tight === undefined
          ? value
          : helpers.error('layout.space', {}, helpers.state.localize?.([...(helpers.state.path ?? []), tight]));
      })
      .messages({ 'layout.space': '{#label} leaves no space for the pages on A4' }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'two pages side by side',
      files: ['handbook.pdf'],
      params: { pagesPerSheet: 2, orientation: 'LANDSCAPE' },
      expect: { pages: [2], names: ['handbook_multi_page_layout.pdf'] },
    },
    {
      title: 'three rows, from right to left, column by column',
      files: ['unusual-pages.pdf'],
      params: {
        mode: 'CUSTOM',
        rows: 3,
        cols: 1,
        readingDirection: 'RTL',
        arrangement: 'BY_COLUMNS',
        addBorder: true,
        innerMargin: 9,
      },
      expect: { pages: [2] },
    },
    {
      title: 'an unsupported number of pages per sheet',
      files: ['two-pages.pdf'],
      params: { pagesPerSheet: 6 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'margins wider than the paper',
      files: ['two-pages.pdf'],
      params: { leftMargin: 300, rightMargin: 300 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { layOutPages }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/pages/page-layout.js'),
    ]);
    const target = `${await ctx.folder()}/layout.pdf`;
    const border = params.addBorder ? params.borderWidth || 1 : undefined;
    await editFile(file.path(), target, { mode: 'rewrite', modified: ctx.use(tokens.clock).now() }, (opened) =>
      layOutPages(opened, params, border, {
        onSheets: (done, total) => {
          ctx.signal.throwIfAborted();
          ctx.progress(done, total);
        },
      }),
    );
    return [await ctx.adopt(file, target)];
  },
});

/** One of the given words; the first is the default. */
function choice(joi: JoiRoot, words: readonly [string, ...string[]], description: string) {
  return joi
    .string()
    .valid(...words)
    .empty(joi.string().pattern(/^\s*$/).allow(''))
    .default(words[0])
    .description(description)
    .example(words[0]);
}

function margin(joi: JoiRoot, description: string) {
  return integerField(joi, description).min(0).default(0);
}

interface Helpers {
  readonly state: { readonly ancestors?: unknown };
}

/** The fields that were read before this one. */
function siblings({ state }: Helpers): Readonly<Record<string, unknown>> {
  const [parent] = (state.ancestors ?? []) as readonly (Readonly<Record<string, unknown>> | undefined)[];
  return parent ?? {};
}

function isCustom(helpers: Helpers): boolean {
  return siblings(helpers)['mode'] === 'CUSTOM';
}
