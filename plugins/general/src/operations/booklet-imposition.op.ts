import { booleanField, defineOperation, integerField, numberField, tokens } from '@quire/registry';
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
  since: '0.2.0',
  summary: 'Impose pages as a saddle-stitched booklet',
  notes:
    'Sheets are the crop box of the first page laid on its side. Fold the printed sheets together in the ' +
    'middle and the pages follow each other. The last pages stay blank until their number is a multiple of ' +
    'four. The gutter is free room at the spine, half of it on each side. Links, bookmarks, fields, comments, ' +
    'tags, layers and attachments stay, moved and scaled with their pages; page labels go. A single pass holds ' +
    'nothing of the pages that the other one prints.',
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
      pagesPerSheet: integerField(joi, 'Pages on each side of a sheet: 2').min(2).max(2).default(2).example(2),
      addBorder: booleanField(joi, 'Draw a black line around each half, blank ones too'),
      spineLocation: joi
        .string()
        .trim()
        .empty('')
        .max(40)
        .default('LEFT')
        .description('RIGHT, in upper or lower case, binds at the right edge; anything else is LEFT')
        .example('LEFT'),
      addGutter: booleanField(joi, 'Leave room at the spine'),
      gutterSize: numberField(
        joi,
        'That room in points; below 0 is 0, and half a sheet or more is a point less than half',
      )
        .default(12)
        .example(12),
      doubleSided: booleanField(
        joi,
        'Sheets are printed on both sides; without it flipOnShortEdge means nothing',
        true,
      ),
      duplexPass: joi
        .string()
        .valid('BOTH', 'FIRST', 'SECOND')
        .empty('')
        .default('BOTH')
        .description('FIRST makes only the front sides, SECOND only the back sides')
        .example('BOTH'),
      flipOnShortEdge: booleanField(
        joi,
        'The printer turns sheets over their short edge: halves of back sides change places',
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
      files: ['odd-pages.pdf'],
      params: { spineLocation: 'right', duplexPass: 'FIRST', addBorder: true },
      expect: { pages: [1] },
    },
    {
      title: 'more than two pages on a side',
      files: ['two-pages.pdf'],
      params: { pagesPerSheet: 4 as 2 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'a pass that does not exist',
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
      spineRight: params.spineLocation.toUpperCase() === 'RIGHT',
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
