import { defineOperation } from '@quire/registry';

type ListCommentsParams = Record<string, never>;

/** Lists what readers wrote and drew on the pages. */
export const listComments = defineOperation<ListCommentsParams>({
  path: 'misc/list-comments',
  since: '0.5.0',
  summary: 'List the comments of a PDF',
  title: 'List comments',
  icon: 'messages-square',
  order: 65,
  keywords: ['annotations', 'sticky notes', 'remarks', 'review', 'highlights', 'markup'],
  notes:
    'Lists sticky notes, highlights, drawings, stamps and other comments of readers (markup annotations) in the ' +
    'order of the pages; links, form fields and pop-ups are not included. `pageIndex` counts from 0, and the ' +
    'rectangle is in points from the lower left corner, as in `misc/add-comments`. `replyTo` is the index in the ' +
    'list of the comment that this one answers. Dates are ISO 8601; unknown values are null. At most 10,000 ' +
    'comments are returned; `X-Tool-Report` has `cut` if there are more.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) => {
      const text = joi.string().allow(null, '').required();
      return joi.array().items(
        joi
          .object({
            pageIndex: joi.number().integer().min(0).required().description('Page, counted from 0').example(0),
            type: joi.string().required().description('`/Subtype` of the annotation').example('Text'),
            text: joi.string().allow('').required().example('Please check'),
            author: text.example('Ada'),
            subject: text,
            creationDate: text.description('ISO 8601').example('2024-02-29T12:00:00Z'),
            modificationDate: text.description('ISO 8601'),
            x: joi.number().required().description('Points'),
            y: joi.number().required().description('Points'),
            width: joi.number().required().description('Points'),
            height: joi.number().required().description('Points'),
            replyTo: joi
              .number()
              .integer()
              .allow(null)
              .required()
              .description('Index in this list of the comment that it answers'),
          })
          .label('PdfComment'),
      );
    },
  },
  params: (joi) => joi.object<ListCommentsParams, true>({}),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    { title: 'a document without comments', files: ['picture.pdf'], params: {}, expect: { json: { length: 0 } } },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ guardDocument, withPdf }, { listComments: list }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/structure/annotations'),
    ]);
    const { comments, cut } = await withPdf({ path: file.path() }, { repair: false }, (opened) =>
      guardDocument('fileInput', () => list(opened)),
    );
    if (cut) ctx.report({ cut });
    return ctx.json(comments);
  },
});
