import { type JoiRoot, defineOperation, jsonField, shown, tokens } from '@quire/registry';

interface AddCommentsParams {
  /** JSON; `readComments` parses it. */
  comments: string;
}

/** Adds sticky notes (`docs/interface/misc.yml`, add-comments). */
export const addComments = defineOperation<AddCommentsParams>({
  path: 'misc/add-comments',
  since: '0.2.0',
  summary: 'Add sticky notes to pages',
  title: 'Add comments',
  icon: 'message-square-plus',
  order: 60,
  keywords: ['annotate', 'annotation', 'sticky note', 'remark', 'review', 'note'],
  notes:
    "`comments` is a JSON array of objects with `pageIndex` (from 0), `x`, `y`, `width`, `height` (the note's " +
    'rectangle in points, origin at the bottom left), `text`, and optionally `author`, `subject` and ' +
    '`anchorText`. A note with `anchorText` is placed at the first line of the page that contains the letters ' +
    'and digits of that text, ignoring case; if no line does, the coordinates are used.\n\nA note is skipped ' +
    'if its text is blank or longer than 100000 characters, if it has no width or height (unless it is ' +
    'anchored), or if the page does not exist. `X-Tool-Report` holds `added` and `skipped`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_commented', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<AddCommentsParams, true>({
      comments: shown(
        jsonField(joi, joi.array().items(commentSchema(joi)).max(10_000), {
          what: 'a JSON array',
          longest: 20_000_000,
        })
          .required()
          .description('JSON array of notes')
          .example('[{"pageIndex":0,"x":72,"y":700,"width":20,"height":20,"text":"Please check","author":"Ada"}]'),
        { label: 'Notes', help: 'A list of notes: pageIndex (from 0), x, y, width, height, text.' },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'one note at coordinates and one at a line of text',
      files: ['turned-and-cropped.pdf'],
      params: {
        comments:
          '[{"pageIndex":0,"x":300,"y":200,"width":20,"height":20,"text":"Please ' +
          'check","author":"Ada","subject":"Review"},{"pageIndex":1,"text":"Here","anchorText":"turned BY 90"}]',
      },
      expect: { pages: [6], names: ['turned-and-cropped_commented.pdf'] },
    },
    { title: 'no notes', files: ['turned-and-cropped.pdf'], params: { comments: '[]' }, expect: { pages: [6] } },
    {
      title: 'refuses text that is not a list',
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
    const added = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: now, spendsInput: true },
      (opened) => add(opened, anchored, { now, uuid: () => crypto.randomUUID() }),
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
