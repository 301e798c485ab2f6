import { type JoiRoot, defineOperation, tokens } from '@quire/registry';
import type { Comment } from '../functions/add-comments.js';

interface AddCommentsParams {
  comments: Comment[];
}

/** Adds sticky notes (`contract/misc.yml`, add-comments). */
export const addComments = defineOperation<AddCommentsParams>({
  path: 'misc/add-comments',
  since: '0.1.0',
  summary: 'Add sticky notes to pages',
  notes:
    '`comments` is a JSON array of objects: `pageIndex` (from 0), `x`, `y`, `width`, `height` (the note\'s rectangle in points, origin at the bottom left), `text`, and if wanted `author`, `subject` and ' +
    '`anchorText`. With an anchor the note stands at the first line of the page that holds its letters and digits, whatever their case; when there is none, at the coordinates.\n\n' +
    'Notes with blank text or one of more than 100000 characters, without a width or height (unless anchored), or for a page that is not there, are left out; `X-Tool-Report` holds `added` and `skipped`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_commented', pages: 'same' },
  writes: 'append',
  params: (joi) => joi.object<AddCommentsParams, true>({
    comments: joi.array().items(commentSchema(joi)).max(10_000).required().meta({ swaggerType: 'string' }).description('JSON array of the notes')
      .example([{ pageIndex: 0, x: 72, y: 700, width: 20, height: 20, text: 'Please check', author: 'Ada' }]),
  }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a note at a place, and one at a line', files: ['turned-and-cropped.pdf'],
      params: { comments: [{ pageIndex: 0, x: 300, y: 200, width: 20, height: 20, text: 'Please check', author: 'Ada', subject: 'Review' }, { pageIndex: 1, x: 0, y: 0, width: 0, height: 0, text: 'Here', anchorText: 'turned BY 90' }] },
      expect: { pages: [6], names: ['turned-and-cropped_commented.pdf'] },
    },
    { title: 'nothing to add', files: ['turned-and-cropped.pdf'], params: { comments: [] }, expect: { pages: [6] } },
    { title: 'refuses what is no list', files: ['turned-and-cropped.pdf'], params: { comments: 'note' as never }, expect: { refused: 'INPUT_INVALID' } },
  ],
  run: async (file, { comments }, ctx) => {
    const [{ editFile }, { addComments: add, anchorComments }] = await Promise.all([import('@quire/document/open'), import('../functions/add-comments.js')]);
    const anchored = await anchorComments({ path: file.path() }, comments, ctx.signal);
    const now = ctx.use(tokens.clock).now();
    const target = `${await ctx.folder()}/commented.pdf`;
    const added = await editFile(file.path(), target, { mode: ctx.writing, modified: now }, (opened) => add(opened, anchored, { now, uuid: () => crypto.randomUUID() }));
    ctx.report({ added, skipped: comments.length - added });
    return [await ctx.adopt(file, target)];
  },
});

/** Strict: a number in quotes is no number. A list sent as text is read as JSON by the list itself. */
function commentSchema(joi: JoiRoot) {
  const number = () => joi.number().strict().allow(null).empty(null);
  const text = () => joi.string().strict().allow('', null);
  return joi.object({
    pageIndex: joi.number().strict().integer().required().description('Page, from 0'),
    x: number().default(0).description('Left edge'),
    y: number().default(0).description('Lower edge'),
    width: number().default(0).description('Width'),
    height: number().default(0).description('Height'),
    text: text().description('What the note says'),
    author: text().max(1000).description('Who says it'),
    subject: text().max(1000).description('Its subject'),
    anchorText: text().max(10_000).description('Text of the line that it stands at'),
  });
}
