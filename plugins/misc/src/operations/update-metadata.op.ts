import { booleanField, defineOperation, type JoiRoot, mapField, shown } from '@quire/registry';
import type { MetadataFields } from '../functions/metadata-changes.js';

interface UpdateMetadataParams extends MetadataFields {
  deleteAll: boolean;
  allRequestParams?: Record<string, string>;
}

/** Sets and removes document metadata (`docs/interface/misc.yml`, update-metadata). */
export const updateMetadata = defineOperation<UpdateMetadataParams>({
  path: 'misc/update-metadata',
  since: '0.2.0',
  summary: 'Edit or remove the metadata of a PDF',
  title: 'Edit metadata',
  icon: 'pencil',
  order: 70,
  screen: 'document/metadata',
  keywords: ['title', 'author', 'subject', 'properties', 'xmp', 'document info', 'strip metadata'],
  notes: [
    'All nine standard entries are written on every call: an entry is removed if its field is missing, empty, ' +
      'or the text `undefined`. To keep a value, send it again. An unreadable date removes its entry and is ' +
      'reported in `X-Tool-Report` (`unreadable`).',
    '`allRequestParams` sets entries of other names, either as pairs `customKey<i>` and `customValue<i>` (a ' +
      'pair without its value removes the entry) or by name. Send it as one field with a JSON object, or as ' +
      'fields `allRequestParams[name]`.',
    '`deleteAll` removes every entry, the XMP metadata and the private data that programs store in the ' +
      'document and its pages; all other fields are then ignored. Without it, XMP metadata is kept, but its ' +
      'values for these entries are updated to match.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_metadata', pages: 'same' },
  // Removed metadata must not remain in an earlier revision.
  writes: 'rewrite',
  setsMetadata: 'always',
  params: (joi) =>
    joi.object<UpdateMetadataParams, true>({
      deleteAll: shown(booleanField(joi, 'Remove all metadata; all other fields are then ignored'), {
        label: 'Remove all metadata',
        help: '',
        order: -1,
      }),
      author: shown(textField(joi, 'Author').example('Ada Lovelace'), {
        help: 'Removed if empty.',
        when: { deleteAll: false },
      }),
      creationDate: shown(
        textField(
          joi,
          'Creation date as yyyy/MM/dd HH:mm:ss, in the time zone of the server, or ISO 8601 with a zone',
        ).example('2023/10/01 12:00:00'),
        {
          label: 'Created on',
          help: 'As yyyy/MM/dd HH:mm:ss in the time zone of the server, or ISO 8601. Removed if empty.',
          when: { deleteAll: false },
        },
      ),
      creator: shown(textField(joi, 'Program that created the document').example('Writer'), {
        label: 'Created with',
        help: 'Program that created the document. Removed if empty.',
        when: { deleteAll: false },
      }),
      keywords: shown(textField(joi, 'Keywords').example('report, 2023'), {
        help: 'Removed if empty.',
        when: { deleteAll: false },
      }),
      modificationDate: shown(
        textField(
          joi,
          'Modification date as yyyy/MM/dd HH:mm:ss, in the time zone of the server, or ISO 8601 with a zone',
        ).example('2023/10/01 12:00:00'),
        {
          label: 'Changed on',
          help: 'As yyyy/MM/dd HH:mm:ss in the time zone of the server, or ISO 8601. Removed if empty.',
          when: { deleteAll: false },
        },
      ),
      producer: shown(textField(joi, 'Program that converted it to PDF').example('Quire'), {
        label: 'Converted with',
        help: 'Program that converted it to PDF. Removed if empty.',
        when: { deleteAll: false },
      }),
      subject: shown(textField(joi, 'Subject').example('Figures of the year'), {
        help: 'Removed if empty.',
        when: { deleteAll: false },
      }),
      title: shown(textField(joi, 'Title').example('The report'), {
        help: 'Removed if empty.',
        when: { deleteAll: false },
        order: -1,
      }),
      trapped: shown(
        joi
          .string()
          .empty('')
          .valid('True', 'False', 'Unknown', 'undefined')
          .description('Whether colours were trapped for printing')
          .example('False'),
        {
          label: 'Colours trapped for printing',
          help: '',
          when: { deleteAll: false },
          advanced: true,
          options: { True: 'Yes', False: 'No', Unknown: 'Unknown', undefined: 'Not stated' },
        },
      ),
      allRequestParams: shown(
        mapField(joi, 'Additional entries by name').example({
          customKey1: 'Department',
          customValue1: 'Sales',
        }),
        {
          label: 'Further entries',
          help: 'Pairs of customKey1 and customValue1, customKey2 and customValue2 and so on.',
          when: { deleteAll: false },
          advanced: true,
        },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a title, an author and a custom entry',
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
      title: 'an invalid value for trapped',
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
