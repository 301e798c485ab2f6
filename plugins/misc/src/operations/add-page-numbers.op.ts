import {
  defineOperation,
  integerField,
  numberField,
  selectPages,
  tokens,
  choiceField,
  colourField,
  clamped,
  shown,
} from '@quire/registry';

interface AddPageNumbersParams {
  customMargin: string;
  fontSize: number;
  fontType: string;
  fontColor: string;
  zeroPad: number;
  position: number;
  startingNumber: number;
  pagesToNumber: string;
  customText: string;
  pageNumbers?: string;
}

/** Writes page numbers, or a text that contains them (`docs/interface/misc.yml`, add-page-numbers). */
export const addPageNumbers = defineOperation<AddPageNumbersParams>({
  path: 'misc/add-page-numbers',
  since: '0.2.0',
  summary: 'Add page numbers',
  title: 'Add page numbers',
  icon: 'hash',
  order: 30,
  keywords: ['numbering', 'pagination', 'footer', 'header', 'bates'],
  notes:
    'The number rises by one for each numbered page, in the order of `pagesToNumber`. The text uses a standard ' +
    'font, and an embedded font for characters that the standard font lacks; if the document declares PDF/A, ' +
    'all of the text uses an embedded font. Positions and margins are measured from the media box, or from the ' +
    'crop box if the text would not be fully visible otherwise. On rotated pages the text is upright as the ' +
    'reader sees it.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_page_numbers_added', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<AddPageNumbersParams, true>({
      customMargin: shown(
        choiceField(joi, ['medium', 'small', 'large', 'x-large'], {
          description:
            "Margin: small, medium, large or x-large, which is 2, 3.5, 5 or 7.5 percent of the page's width and " +
            'height. Any other value means medium',
          anyCase: true,
        }),
        {
          label: 'Margin',
          help: '',
          options: { small: 'Small', medium: 'Medium', large: 'Large', 'x-large': 'Extra large' },
        },
      ),
      fontSize: shown(numberField(joi, 'Font size in points').min(1).max(14_400).default(12), { help: '', unit: 'pt' }),
      fontType: shown(
        choiceField(joi, ['helvetica', 'courier', 'times'], {
          description: 'Font: helvetica, courier or times. Any other value means helvetica',
          anyCase: true,
        }),
        { label: 'Font', help: '' },
      ),
      fontColor: shown(
        colourField(joi, 'Colour as #RRGGBB, 0xRRGGBB or a decimal number; an unreadable value means black', {
          fallback: '#000000',
          numbers: true,
        }),
        { help: '' },
      ),
      zeroPad: shown(
        integerField(joi, 'Minimum number of digits; shorter numbers get leading zeros').min(0).max(100).default(0),
        { label: 'Least digits', help: 'Shorter numbers get leading zeros.', advanced: true },
      ),
      position: shown(
        clamped(
          integerField(
            joi,
            'Position on the page: 1 to 3 top left, centre and right, 4 to 6 middle, 7 to 9 bottom; values outside ' +
              '1 to 9 are limited to that range',
          ),
          1,
          9,
        ).default(8),
        { help: '', widget: 'position' },
      ),
      startingNumber: shown(integerField(joi, 'Number for the first numbered page').min(1).default(1), {
        label: 'First number',
        help: '',
      }),
      pagesToNumber: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(10_000)
          .default('all')
          .description(
            'Pages to number, in this order: numbers, ranges and formulas with n, separated by commas (1,3,5-9 ' +
              'or 2n-1), or all',
          )
          .example('2-'),
        { label: 'Pages to number', help: 'In this order.', widget: 'pages' },
      ),
      customText: shown(
        joi
          .string()
          .empty('')
          .max(2000)
          .default('{n}')
          .description(
            "Text to write: {n} is the number, {total} the document's page count, {filename} its name without " +
              'extension',
          )
          .example('Page {n} of {total}'),
        { label: 'Text', help: '{n} is the number, {total} the page count, {filename} the name of the file.' },
      ),
      pageNumbers: shown(
        joi.string().allow('').max(10_000).description('Accepted because existing clients send it; ignored'),
        { hidden: true },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
  ],
  examples: [
    {
      title: 'plain numbers at the bottom',
      files: ['turned-and-cropped.pdf'],
      params: {},
      expect: { pages: [6], names: ['turned-and-cropped_page_numbers_added.pdf'] },
    },
    {
      title: 'custom text from page 2 on',
      files: ['turned-and-cropped.pdf'],
      params: {
        customText: '{filename}: {n} / {total}',
        pagesToNumber: '2-',
        startingNumber: 10,
        zeroPad: 3,
        position: 3,
        fontType: 'times',
        fontColor: '0x0000ff',
      },
      expect: { pages: [6] },
    },
    {
      title: 'characters that the standard fonts lack',
      files: ['turned-and-cropped.pdf'],
      params: { customText: '第 {n} 页', fontSize: 16 },
      expect: { pages: [6] },
    },
    {
      title: 'refuses pages that do not exist',
      files: ['turned-and-cropped.pdf'],
      params: { pagesToNumber: '7-9' },
      expect: { refused: 'PAGES_OUT_OF_RANGE' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { addPageNumbers: number }, { withoutExtension }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/add-page-numbers.js'),
      import('../functions/stamp-text.js'),
    ]);
    const { customText: text, fontColor: colour, pagesToNumber, ...style } = params;
    const target = `${await ctx.folder()}/numbered.pdf`;
    await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      (opened) =>
        number(opened, {
          ...style,
          text,
          colour,
          fileName: withoutExtension(file.name),
          pages: selectPages(pagesToNumber, opened.pages.length, 'pagesToNumber'),
          signal: ctx.signal,
          progress: (done, total) => ctx.progress(done, total),
        }),
    );
    return [await ctx.adopt(file, target)];
  },
});
