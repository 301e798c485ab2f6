import { defineOperation } from '@quire/registry';

type ListAttachmentsParams = Record<string, never>;

/** Lists the files in the document's EmbeddedFiles (`docs/interface/misc.yml`, list-attachments). */
export const listAttachments = defineOperation<ListAttachmentsParams>({
  path: 'misc/list-attachments',
  since: '0.2.0',
  summary: 'List the attachments of a PDF',
  title: 'List attachments',
  icon: 'list',
  order: 160,
  keywords: ['embedded files', 'show attachments', 'file list'],
  notes:
    'Lists the attachments of the document, however deeply the name tree is nested. Files in file attachment ' +
    'annotations are not included. `size` is the size that the document declares, or -1 if it declares none; ' +
    'dates are ISO 8601. Unknown values are null.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.array().items(
        joi.object({
          filename: joi.string().allow('').required(),
          size: joi.number().integer().required(),
          contentType: joi.string().allow(null).required(),
          description: joi.string().allow(null, '').required(),
          creationDate: joi.string().allow(null).required(),
          modificationDate: joi.string().allow(null).required(),
        }),
      ),
  },
  params: (joi) => joi.object<ListAttachmentsParams, true>({}),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'two files',
      files: ['attached.pdf'],
      params: {},
      expect: {
        json: {
          0: {
            filename: 'note.txt',
            size: 12,
            contentType: 'text/plain',
            description: 'A note',
            creationDate: '2024-02-29T12:00:00Z',
            modificationDate: null,
          },
        },
      },
    },
    { title: 'a document without attachments', files: ['picture.pdf'], params: {}, expect: { json: { length: 0 } } },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const { readAttachmentFacts } = await import('../functions/attachment-list.js');
    return ctx.json(await readAttachmentFacts(file.path()));
  },
});
