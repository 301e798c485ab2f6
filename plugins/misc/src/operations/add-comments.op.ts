import { type JoiRoot, defineOperation, jsonField, tokens } from '@quire/registry';

interface AddCommentsParams {
  /** JSON, as `readComments` reads it. */
  comments: string;
}

/** Adds sticky notes (`docs/interface/misc.yml`, add-comments). */
export const addComments = defineOperation<AddCommentsParams>({
  path: 'misc/add-comments',
  since: '0.2.0',
  summary: 'Add sticky notes to pages',
  notes:
    "`comments` is a JSON array of objects: `pageIndex` (from 0), `x`, `y`, `width`, `height` (the note's " +
    'rectangle in points, origin at the bottom left), `text`, and if wanted `author`, `subject` and ' +
    '`anchorText`. With an anchor the note stands at the first line of the page that holds its letters and ' +
    'digits, whatever their case; when there is none, at the coordinates.\n\nNotes with blank text or one of ' +
    'more than 100000 characters, without a width or height (unless anchored), or for a page that is not ' +
    'there, are left out; `X-Tool-Report` holds `added` and `skipped`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_commented', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<AddCommentsParams, true>({
      comments: jsonField(joi, joi.array().items(commentSchema(joi)).max(10_000), {
        what: 'a JSON array',
        longest: 20_000_000,
      })
        .required()
        .description('JSON array of the notes')
        .example('[{"pageIndex":0,"x":72,"y":700,"width":20,"height":20,"text":"Please check","author":"Ada"}]'),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a note at a place, and one at a line',
      files: ['turned-and-cropped.pdf'],
      params: {
        comments:
          '[{"pageIndex":0,"x":300,"y":200,"width":20,"height":20,"text":"Please ' +
          'check","author":"Ada","subject":"Review"},{"pageIndex":1,"text":"Here","anchorText":"turned BY 90"}]',
      },
      expect: { pages: [6], names: ['turned-and-cropped_commented.pdf'] },
    },
    { title: 'nothing to add', files: ['turned-and-cropped.pdf'], params: { comments: '[]' }, expect: { pages: [6] } },
    {
      title: 'refuses what is no list',
      files: ['turned-and-cropped.pdf'],
      params: { comments: 'note' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { comments }, ctx) => {
    const [{ editFile }, { addComments: add, anchorComments }, { readComments }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/structure/annotations'),
      import('../functions/read-comments.js'),
    ]);
    const asked = readComments(comments);
    const anchored = await anchorComments({ path: file.path() }, asked, ctx.signal);
    const now = ctx.use(tokens.clock).now();
    const target = `${await ctx.folder()}/commented.pdf`;
    const added = await editFile(file.path(), target, { mode: ctx.writing, modified: now }, (opened) =>
      add(opened, anchored, { now, uuid: () => crypto.randomUUID() }),
    );
    ctx.report({ added, skipped: asked.length - added });
    return [await ctx.adopt(file, target)];
  },
});

function commentSchema(joi: JoiRoot) {
  const number = joi.number().allow(null);
  const text = joi.string().allow('', null);
  return joi.object({
    pageIndex: joi.number().integer().required(),
    x: number,
    y: number,
    width: number,
    height: number,
    text,
    author: text.max(1000),
    subject: text.max(1000),
    anchorText: text.max(10_000),
  });
}
