import { booleanField, defineOperation, shown } from '@quire/registry';
import { runComicToPdf } from '../comic-run.js';

interface CbrPdfParams {
  optimizeForEbook: boolean;
}

export const cbrPdf = defineOperation<CbrPdfParams>({
  path: 'convert/cbr/pdf',
  name: 'convertCbrToPdf',
  since: '0.2.0',
  summary: 'Convert a CBR comic to PDF',
  title: 'Convert CBR to PDF',
  icon: 'book-image',
  order: 200,
  keywords: ['comic', 'comic book', 'rar'],
  notes:
    'One page for each image (jpg, jpeg, png, gif, bmp, webp, also in folders) with as many points as the ' +
    'image has pixels, in natural order of the full names. JPEGs are not recompressed. Unreadable images are ' +
    'left out and counted as `skipped` in X-Tool-Report. Many comics are a zip named .cbr or a RAR named .cbz: ' +
    'the first bytes decide. RAR 2.9 to 5 is supported; encrypted, split and (before version 5) solid RAR ' +
    'archives are refused.',
  accepts: ['cbr', 'rar', 'cbz', 'zip'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_converted', pages: 'any' },
  params: (joi) =>
    joi.object<CbrPdfParams, true>({
      optimizeForEbook: shown(booleanField(joi, 'Scales large images down for reading on a screen'), {
        label: 'Make images smaller',
        help: 'Scales large images down for reading on a screen.',
      }),
    }),
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
