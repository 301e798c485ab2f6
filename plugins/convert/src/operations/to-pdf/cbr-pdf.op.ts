import { booleanField, defineOperation } from '@quire/registry';
import { runComicToPdf } from '../comic-run.js';

interface CbrPdfParams {
  optimizeForEbook: boolean;
}

/** Turns a CBR comic into a PDF. */
export const cbrPdf = defineOperation<CbrPdfParams>({
  path: 'convert/cbr/pdf',
  since: '0.2.0',
  summary: 'Turn a CBR comic into PDF',
  notes:
    'One page per picture (jpg, jpeg, png, gif, bmp, webp, in folders too), as many points as it has pixels, ' +
    'in the order of the whole names with numbers by value. JPEGs keep their bytes. Pictures that cannot be ' +
    'read are left out; X-Tool-Report counts them as `skipped`. Many comics are a zip called .cbr or a RAR ' +
    'called .cbz: the first bytes decide, and RAR of versions 2.9 to 5 is read. Encrypted, split and (before ' +
    'version 5) solid RAR archives are refused.',
  accepts: ['cbr', 'rar', 'cbz', 'zip'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_converted', pages: 'any' },
  params: (joi) =>
    joi.object<CbrPdfParams, true>({
      optimizeForEbook: booleanField(joi, 'Scales large pictures down for reading on a screen'),
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
      title: 'refuses an archive without pictures',
      files: ['no-pictures.cbr'],
      params: {},
      expect: { refused: 'ARCHIVE_NO_PICTURES' },
    },
  ],
  run: (file, params, ctx) => runComicToPdf(file, params, ctx),
});
