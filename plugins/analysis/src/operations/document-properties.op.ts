import { defineOperation } from '@quire/registry';

export const documentProperties = defineOperation<object>({
  path: 'analysis/document-properties',
  name: 'getDocumentProperties',
  since: '0.1.0',
  summary: 'Report title, author and dates of a PDF',
  title: 'Show title, author and dates',
  icon: 'file-text',
  order: 30,
  notes:
    'The entries are those of the information dictionary; custom entries and XMP are not read (see ' +
    '`security/get-info-on-pdf`). All eight members are always present, null if missing. Dates are ISO 8601 ' +
    'with the zone in the file, `Z` without one.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) => {
      const text = joi.string().allow('', null).required();
      return joi.object({
        title: text.description('Title').example('Annual report'),
        author: text.description('Author'),
        subject: text.description('Subject'),
        keywords: text.description('Keywords'),
        creator: text.description('Program that the document was written with'),
        producer: text.description('Program that created the PDF'),
        creationDate: text.description('Creation date, ISO 8601').example('2024-02-29T12:00:00+01:00'),
        modificationDate: text.description('Date of the last change, ISO 8601'),
      });
    },
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a title, and dates in a zone',
      files: ['properties.pdf'],
      params: {},
      expect: { json: { title: 'Größe und 大きさ', author: null, creationDate: '2024-02-29T12:00:00+01:00' } },
    },
    { title: 'a damaged file', files: ['damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ look }, { documentProperties }] = await Promise.all([
      import('../functions/look.js'),
      import('../functions/document-facts.js'),
    ]);
    return ctx.json(await look(file.path(), documentProperties));
  },
});
