import {
  booleanField,
  defineOperation,
  integerField,
  numberField,
  tokens,
  choiceField,
  clamped,
  shown,
} from '@quire/registry';
import { bookletSides, type DuplexPass } from '../functions/pages/booklet-order.js';

interface BookletImpositionParams {
  pagesPerSheet: 2;
  addBorder: boolean;
  spineLocation: string;
  addGutter: boolean;
  gutterSize: number;
  doubleSided: boolean;
  duplexPass: DuplexPass;
  flipOnShortEdge: boolean;
}

/** Imposes pages as a saddle-stitched booklet (`docs/interface/general.yml`, booklet-imposition). */
export const bookletImposition = defineOperation<BookletImpositionParams>({
  path: 'general/booklet-imposition',
  name: 'makeBooklet',
  since: '0.2.0',
  summary: 'Arrange pages for printing as a booklet',
  title: 'Make a booklet',
  icon: 'book-open',
  order: 130,
  keywords: ['brochure', 'fold', 'print', 'zine', 'signature', 'two-sided'],
  notes:
    'Produces sheets for a saddle-stitched booklet: print them, fold them together in the middle, and the ' +
    "pages are in order. A sheet has the size of the first page's crop box, in landscape. Blank pages are " +
    'added at the end until the page count is a multiple of four. The gutter is free space at the spine, half ' +
    'of it on each side. Links, bookmarks, form fields, comments, tags, layers and attachments stay, moved and ' +
    'scaled with their pages; page labels are removed. A result with one pass only contains nothing of the ' +
    'pages in the other pass.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_booklet',
    pages: (inputPages, { duplexPass }) => bookletSides(inputPages[0] ?? 0, duplexPass),
  },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<BookletImpositionParams, true>({
      pagesPerSheet: shown(
        integerField(joi, 'Pages on each side of a sheet; always 2').min(2).max(2).default(2).example(2),
        { hidden: true },
      ),
      addBorder: shown(booleanField(joi, 'Draw a black line around each half, including blank ones'), {
        label: 'Draw borders',
      }),
      spineLocation: shown(
        choiceField(joi, ['LEFT', 'RIGHT'], {
          description: 'RIGHT, in upper or lower case, binds at the right edge; any other value means LEFT',
          anyCase: true,
        }),
        { label: 'Bind at', help: '', options: { LEFT: 'The left edge', RIGHT: 'The right edge' } },
      ),
      addGutter: shown(booleanField(joi, 'Leave free space at the spine'), {
        label: 'Leave space at the spine',
        help: '',
      }),
      gutterSize: shown(
        clamped(
          numberField(
            joi,
            'Width of the gutter in points; a negative value means 0, and half a sheet or more means one point ' +
              'less than half',
          ),
          0,
        )
          .default(12)
          .example(12),
        { label: 'Width of that space', help: '', unit: 'pt', when: { addGutter: true } },
      ),
      doubleSided: shown(booleanField(joi, 'Print on both sides; without it flipOnShortEdge is ignored', true), {
        label: 'Print on both sides',
        help: '',
      }),
      duplexPass: shown(
        joi
          .string()
          .valid('BOTH', 'FIRST', 'SECOND')
          .empty('')
          .default('BOTH')
          .description('FIRST returns only the front sides, SECOND only the back sides')
          .example('BOTH'),
        { label: 'Sides to return', help: '', options: { BOTH: 'Both', FIRST: 'Front sides', SECOND: 'Back sides' } },
      ),
      flipOnShortEdge: shown(
        booleanField(joi, 'The printer turns sheets over the short edge: the halves of back sides swap places'),
        {
          label: 'Flip on the short edge',
          help: 'For a printer that turns sheets over the short edge.',
          when: { doubleSided: true },
        },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'one sheet of four pages',
      files: ['handbook.pdf'],
      params: { addGutter: true },
      expect: { pages: [2], names: ['handbook_booklet.pdf'] },
    },
    {
      title: 'front sides, bound at the right',
      files: ['unusual-pages.pdf'],
      params: { spineLocation: 'right', duplexPass: 'FIRST', addBorder: true },
      expect: { pages: [1] },
    },
    {
      title: 'more than two pages per side',
      files: ['two-pages.pdf'],
      params: { pagesPerSheet: 4 as 2 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'an unknown pass',
      files: ['two-pages.pdf'],
      params: { duplexPass: 'THIRD' as 'FIRST' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const { imposeBooklet } = await import('../functions/pages/impose-booklet.js');
    const target = `${await ctx.folder()}/booklet.pdf`;
    const options = {
      pass: params.duplexPass,
      spineRight: params.spineLocation === 'RIGHT',
      flipBacks: params.doubleSided && params.flipOnShortEdge,
      gutter: params.addGutter ? params.gutterSize : 0,
      border: params.addBorder,
      onSheets: (done: number, total: number) => {
        ctx.signal.throwIfAborted();
        ctx.progress(done, total);
      },
    };
    await imposeBooklet(file.path(), target, options, { modified: ctx.use(tokens.clock).now() });
    return [await ctx.adopt(file, target)];
  },
});
