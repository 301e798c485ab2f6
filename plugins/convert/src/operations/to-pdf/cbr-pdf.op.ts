import { defineOperation } from '@quire/registry';
import { type ComicParams, comicNotes, comicParams, runComicToPdf } from '../comic-run.js';

export const cbrPdf = defineOperation<ComicParams>({
  path: 'convert/cbr/pdf',
  name: 'convertCbrToPdf',
  since: '0.2.0',
  summary: 'Convert a CBR comic to PDF',
  title: 'Convert CBR to PDF',
  icon: 'book-image',
  order: 200,
  keywords: ['comic', 'comic book', 'rar'],
  notes: comicNotes,
  accepts: ['cbr', 'rar', 'cbz', 'zip'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_converted', pages: 'any' },
  params: comicParams,
  errors: ['ARCHIVE_UNSAFE', 'ARCHIVE_NO_PICTURES', 'IMAGE_TOO_LARGE'],
  examples: [
    { title: 'a comic', files: ['comic.cbr'], params: {}, expect: { pages: [3], names: ['comic_converted.pdf'] } },
    {
      title: 'a small one for a reader',
      files: ['comic.cbr'],
      params: { optimizeForEbook: true },
      expect: { pages: [3] },
    },
    {
      title: 'refuses an archive without images',
      files: ['no-pictures.cbr'],
      params: {},
      expect: { refused: 'ARCHIVE_NO_PICTURES' },
    },
  ],
  run: (file, params, ctx) => runComicToPdf(file, params, ctx),
});
