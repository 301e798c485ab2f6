import { booleanField, defineOperation, type JoiRoot, mapField } from '@quire/registry';
import type { MetadataFields } from '../functions/metadata-changes.js';

interface UpdateMetadataParams extends MetadataFields {
  deleteAll: boolean;
  allRequestParams?: Record<string, string>;
}

/** Writes what a PDF says of itself (`docs/interface/misc.yml`, update-metadata). */
export const updateMetadata = defineOperation<UpdateMetadataParams>({
  path: 'misc/update-metadata',
  since: '0.2.0',
  summary: 'Set, clear or remove the metadata of a PDF',
  notes: [
    'All nine standard entries are written on every call: one that is not sent, is empty, or is the text ' +
      '`undefined`, is removed. Send present values to keep them. A date that cannot be read removes its entry, ' +
      'and `X-Tool-Report` names it (`unreadable`).',
    '`allRequestParams` sets entries of any other name, by pairs `customKey<i>` and `customValue<i>` (a pair ' +
      'without its value removes the entry) or by name. It is one field with a JSON object, or fields ' +
      '`allRequestParams[name]`.',
    'With `deleteAll` every entry, the XMP metadata and what programs keep for themselves in the document and ' +
      'its pages is removed, and all other fields are ignored. Otherwise XMP stays as it is, but for what it ' +
      'says of these entries: that follows, so that the document does not contradict itself.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_metadata', pages: 'same' },
  // What is removed must not be left in an earlier revision.
  writes: 'rewrite',
  params: (joi) =>
    joi.object<UpdateMetadataParams, true>({
      deleteAll: booleanField(joi, 'Removes all metadata; every other field is then ignored'),
      author: textField(joi, 'Author').example('Ada Lovelace'),
      creationDate: textField(joi, 'Date of creation as yyyy/MM/dd HH:mm:ss, in the time zone of the server').example(
        '2023/10/01 12:00:00',
      ),
      creator: textField(joi, 'Program that the document was written with').example('Writer'),
      keywords: textField(joi, 'Keywords').example('report, 2023'),
      modificationDate: textField(joi, 'Date of change as yyyy/MM/dd HH:mm:ss, in the time zone of the server').example(
        '2023/10/01 12:00:00',
      ),
      producer: textField(joi, 'Program that made it a PDF').example('Quire'),
      subject: textField(joi, 'Subject').example('Figures of the year'),
      title: textField(joi, 'Title').example('The report'),
      trapped: joi
        .string()
        .empty('')
        .valid('True', 'False', 'Unknown', 'undefined')
        .description('Whether colours were trapped for print')
        .example('False'),
      allRequestParams: mapField(joi, 'Further entries by name').example({
        customKey1: 'Department',
        customValue1: 'Sales',
      }),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: "a title, an author and an entry of one's own",
      files: ['picture.pdf'],
      params: {
        title: 'Ringe – リング',
        author: 'Ada',
        allRequestParams: { customKey1: 'Department', customValue1: 'Sales' },
      },
      expect: { pages: [1], names: ['picture_metadata.pdf'] },
    },
    { title: 'all metadata removed', files: ['attached.pdf'], params: { deleteAll: true }, expect: { pages: [1] } },
    {
      title: 'a value of trapped that is none',
      files: ['picture.pdf'],
      params: { trapped: 'Maybe' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { deleteAll, allRequestParams, ...fields }, ctx) => {
    const [{ editFile }, { changeInfo, dropInfo }, { metadataChanges }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/structure/metadata'),
      import('../functions/metadata-changes.js'),
    ]);
    const { changes, unreadable } = metadataChanges(fields, allRequestParams);
    const target = `${await ctx.folder()}/metadata.pdf`;
    await editFile(file.path(), target, { mode: 'rewrite', stamp: false }, ({ document, pages }) =>
      deleteAll ? dropInfo(document.context, pages) : changeInfo(document.context, changes),
    );
    if (!deleteAll && unreadable.length > 0) ctx.report({ unreadable: unreadable.join(', ') });
    return [await ctx.adopt(file, target)];
  },
});

function textField(joi: JoiRoot, description: string) {
  return joi.string().empty('').max(100_000).description(`${description}; removed when not sent`);
}
