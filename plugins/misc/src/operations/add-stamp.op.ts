import {
  defineOperation,
  numberField,
  integerField,
  pageNumbersField,
  selectPages,
  tokens,
  choiceField,
  colourField,
  shown,
} from '@quire/registry';

interface AddStampParams {
  stampType: 'text' | 'image';
  stampText: string;
  alphabet: 'roman' | 'arabic' | 'japanese' | 'korean' | 'chinese' | 'thai';
  fontSize: number;
  rotation: number;
  opacity: number;
  position: number;
  overrideX: number;
  overrideY: number;
  customMargin: string;
  customColor: string;
  pageNumbers: string;
}

/** Stamps a text or an image on pages (`docs/interface/misc.yml`, add-stamp). */
export const addStamp = defineOperation<AddStampParams>({
  path: 'misc/add-stamp',
  since: '0.2.0',
  summary: 'Stamp text or an image on pages',
  title: 'Stamp pages',
  icon: 'stamp',
  order: 40,
  keywords: ['seal', 'date stamp', 'watermark', 'header', 'footer', 'draft', 'logo'],
  groups: [
    {
      id: 'point',
      title: 'Exact position',
      widget: 'point',
      frame: 'shown',
      roles: { x: 'overrideX', y: 'overrideY' },
    },
  ],
  notes:
    'Placeholders in the text: `@date{pattern}` with Java date letters, `@datetime`, `@date`, `@time`, ' +
    '`@year`, `@month`, `@day`, `@page_number`, `@page_count`, `@total_pages`, `@page`, `@filename_full`, ' +
    '`@filename`, `@author`, `@title`, `@subject`, `@uuid` (different on each page); `@@` is a literal @. ' +
    "Dates are in the server's local time.\n\nPositions and margins are measured from the media box, or from " +
    'the crop box if the stamp would not be fully visible otherwise. On rotated pages the stamp is upright as ' +
    'the reader sees it. Lengths are points, whatever unit the page uses. A rotated text is aligned to its ' +
    'position as a whole; an image is rotated around its lower left corner and kept within the page.',
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'stampImage',
      label: 'Image',
      description: 'Image for an image stamp',
      widget: 'signature',
      kinds: ['png', 'jpeg', 'gif', 'bmp'],
      requiredWhen: { stampType: 'image' },
    },
  ],
  returns: { kind: 'pdf', name: '{base}_stamped', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<AddStampParams, true>({
      stampType: shown(
        joi
          .string()
          .valid('text', 'image')
          .insensitive()
          .lowercase()
          .required()
          .description('Whether to stamp the text or the image in stampImage; case does not matter')
          .example('text'),
        { label: 'Stamp', help: '', options: { text: 'Text', image: 'Image' } },
      ),
      stampText: shown(
        joi
          .string()
          .empty('')
          .max(10_000)
          .default('Quire')
          .description(
            'Text of the stamp, with placeholders. A line break, or the two characters \\n, starts a new line',
          )
          .example('Page @page_number of @page_count'),
        {
          label: 'Text',
          help: 'May have placeholders such as @page_number and @page_count.',
          widget: 'multiline',
          when: { stampType: 'text' },
        },
      ),
      alphabet: shown(
        joi
          .string()
          .empty('')
          .valid('roman', 'arabic', 'japanese', 'korean', 'chinese', 'thai')
          .default('roman')
          .description('Alphabet of the text; its font is preferred for every character'),
        {
          help: '',
          options: {
            roman: 'Latin and others',
            arabic: 'Arabic',
            japanese: 'Japanese',
            korean: 'Korean',
            chinese: 'Chinese',
            thai: 'Thai',
          },
          advanced: true,
          when: { stampType: 'text' },
        },
      ),
      fontSize: shown(
        numberField(joi, 'Font size, or height of the image, in points').greater(0).max(14_400).default(40),
        { label: 'Size', help: 'Font size, or height of the image.', unit: 'pt' },
      ),
      rotation: shown(numberField(joi, 'Angle in degrees, counter-clockwise').default(0), {
        help: 'Counter-clockwise.',
        unit: '°',
      }),
      opacity: shown(numberField(joi, 'From 0.0 (invisible) to 1.0 (opaque)').min(0).max(1).default(0.5), {
        help: '',
        widget: 'opacity',
      }),
      position: shown(
        integerField(joi, 'Position on the page: 1 to 3 top left, centre and right, 4 to 6 middle, 7 to 9 bottom')
          .min(1)
          .max(9)
          .default(8),
        { help: '', widget: 'position' },
      ),
      overrideX: shown(
        numberField(joi, 'Distance in points from the left edge; replaces the position if both overrides are 0 or more')
          .min(-1_000_000)
          .max(1_000_000)
          .default(-1),
        {
          label: 'From the left edge',
          help: 'Replaces the position if both are 0 or more.',
          unit: 'pt',
          group: 'point',
          advanced: true,
        },
      ),
      overrideY: shown(
        numberField(joi, 'Distance in points from the bottom edge; see overrideX')
          .min(-1_000_000)
          .max(1_000_000)
          .default(-1),
        { label: 'From the bottom edge', help: '', unit: 'pt', group: 'point', advanced: true },
      ),
      customMargin: shown(
        choiceField(joi, ['medium', 'small', 'large', 'x-large'], {
          description:
            'Margin: small, medium, large or x-large, which is 2, 3.5, 5 or 7.5 percent of the average of page ' +
            'width and height. Any other value means medium',
          anyCase: true,
        }),
        {
          label: 'Margin',
          help: '',
          options: { small: 'Small', medium: 'Medium', large: 'Large', 'x-large': 'Extra large' },
        },
      ),
      customColor: shown(
        colourField(joi, 'Text colour in hexadecimal, with or without #; an unreadable value means light grey', {
          fallback: '#c0c0c0',
          usual: '#d3d3d3',
        }),
        { label: 'Colour', help: '', when: { stampType: 'text' } },
      ),
      pageNumbers: pageNumbersField(joi),
    }),
  needs: { services: [tokens.clock] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
    'IMAGE_UNREADABLE',
    'IMAGE_TOO_LARGE',
  ],
  examples: [
    {
      title: 'two lines, one with the page number',
      files: ['turned-and-cropped.pdf'],
      params: {
        stampType: 'text',
        stampText: 'DRAFT\\n@page of @total_pages',
        fontSize: 24,
        position: 5,
        rotation: 30,
      },
      expect: { pages: [6], names: ['turned-and-cropped_stamped.pdf'] },
    },
    {
      title: 'Arabic text at the top right',
      files: ['turned-and-cropped.pdf'],
      params: {
        stampType: 'text',
        stampText: 'سري للغاية',
        alphabet: 'arabic',
        position: 3,
        customColor: 'c00000',
        opacity: 1,
      },
      expect: { pages: [6] },
    },
    {
      title: 'an image on odd pages',
      files: ['turned-and-cropped.pdf'],
      parts: { stampImage: 'logo.png' },
      params: { stampType: 'image', fontSize: 40, position: 9, pageNumbers: '2n-1' },
      expect: { pages: [6] },
    },
    {
      title: 'refuses a file that is not an image',
      files: ['turned-and-cropped.pdf'],
      parts: { stampImage: 'program.png' },
      params: { stampType: 'image' },
      expect: { refused: 'IMAGE_UNREADABLE' },
    },
    {
      title: 'refuses a position outside 1 to 9',
      files: ['turned-and-cropped.pdf'],
      params: { stampType: 'text', position: 10 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { addImageStamp, addTextStamp, readStampFacts }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/add-stamp.js'),
    ]);
    const { stampText: text, customColor: colour, pageNumbers, ...style } = params;
    const picture = params.stampType === 'image' ? ctx.part('stampImage') : undefined;
    const image = await picture?.bytes();
    const now = ctx.use(tokens.clock).now();
    const target = `${await ctx.folder()}/stamped.pdf`;
    await editFile(file.path(), target, { mode: ctx.writing, modified: now, spendsInput: true }, (opened) => {
      const common = {
        ...style,
        pages: selectPages(pageNumbers, opened.pages.length),
        signal: ctx.signal,
        progress: (done: number, total: number) => ctx.progress(done, total),
      };
      if (picture !== undefined && image !== undefined)
        return addImageStamp(opened, { ...common, image, kind: picture.kind as 'png' });
      return addTextStamp(
        opened,
        { ...common, text, colour },
        readStampFacts(opened, { now, fileName: file.name, uuid: () => crypto.randomUUID().slice(0, 8) }),
      );
    });
    return [await ctx.adopt(file, target)];
  },
});
