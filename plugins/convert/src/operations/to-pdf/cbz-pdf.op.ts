import { defineOperation } from '@quire/registry';
import { type ComicParams, comicNotes, comicParams, runComicToPdf } from '../comic-run.js';

export const cbzPdf = defineOperation<ComicParams>({
  path: 'convert/cbz/pdf',
  name: 'convertCbzToPdf',
  since: '0.2.0',
  summary: 'Convert a CBZ comic to PDF',
  title: 'Convert CBZ to PDF',
  icon: 'book-image',
  order: 190,
  keywords: ['comic', 'comic book'],
  notes: comicNotes,
  accepts: ['cbz', 'zip', 'cbr', 'rar'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_converted', pages: 'any' },
  params: comicParams,
  errors: ['ARCHIVE_UNSAFE', 'ARCHIVE_NO_PICTURES', 'IMAGE_TOO_LARGE'],
  examples: [
    { title: 'a comic', files: ['comic.cbz'], params: {}, expect: { pages: [3], names: ['comic_converted.pdf'] } },
    {
      title: 'a small one for a reader',
      files: ['comic.cbz'],
      params: { optimizeForEbook: true },
      expect: { pages: [3] },
    },
    {
      title: 'refuses an archive without images',
      files: ['no-pictures.cbz'],
      params: {},
      expect: { refused: 'ARCHIVE_NO_PICTURES' },
    },
  ],
  run: (file, params, ctx) => runComicToPdf(file, params, ctx),
});
