import { type Comparator, comparatorField, compares, defineOperation, integerField, shown } from '@quire/registry';

interface FilterFileSizeParams {
  fileSize: number;
  comparator: Comparator;
}

/** Keeps a file whose size in bytes compares with the given one as asked, and drops every other. */
export const filterFileSize = defineOperation<FilterFileSizeParams>({
  path: 'filter/filter-file-size',
  since: '0.1.0',
  summary: 'Keep a file by its size in bytes',
  title: 'Filter by file size',
  icon: 'hard-drive',
  order: 50,
  keywords: ['bytes', 'condition', 'larger', 'smaller'],
  notes: 'The file is not opened, so any file type is accepted, even damaged or locked files.',
  accepts: ['any'],
  input: 'raw',
  files: 'each',
  returns: { kind: 'same', name: '{base}', mayDrop: true, pages: 'any' },
  params: (joi) =>
    joi.object<FilterFileSizeParams, true>({
      fileSize: shown(integerField(joi, 'Size in bytes to compare with').default(0).example(1048576), {
        label: 'Size in bytes',
        help: '',
        order: 1,
      }),
      comparator: comparatorField(joi),
    }),
  errors: [],
  examples: [
    {
      title: 'a file that is not empty',
      files: ['three-pages.pdf'],
      params: { fileSize: 0, comparator: 'Greater' },
      expect: { pages: [3] },
    },
    {
      title: 'a file of any kind, too large',
      files: ['note.txt'],
      params: { fileSize: 4, comparator: 'Less' },
      expect: { dropped: true },
    },
  ],
  run: async (file, { fileSize, comparator }, ctx) =>
    compares(file.size, comparator, fileSize) ? [ctx.keep(file)] : [],
});
