import { booleanField, defineOperation, shown } from '@quire/registry';
import { colourTypeField } from '../colour-type.js';

interface ImgPdfParams {
  fitOption: 'fillPage' | 'fitDocumentToImage' | 'maintainAspectRatio';
  pageSize: 'A4' | 'LETTER';
  colorType: 'color' | 'greyscale' | 'blackwhite';
  autoRotate: boolean;
}

export const imgPdf = defineOperation<ImgPdfParams>({
  path: 'convert/img/pdf',
  name: 'convertImagesToPdf',
  since: '0.1.0',
  summary: 'Convert images to PDF',
  title: 'Convert images to PDF',
  icon: 'image',
  order: 20,
  keywords: ['jpg', 'jpeg', 'png', 'tiff', 'photo', 'picture', 'scan'],
  notes:
    'All files become one PDF in upload order. Each frame of a TIFF is a page; of animations the first frame ' +
    'is used. JPEG data is kept unchanged, other images are stored losslessly, including transparency. The ' +
    'EXIF orientation is applied, except for TIFF.',
  accepts: ['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'psd'],
  files: 'all',
  returns: { kind: 'pdf', name: '{base}_converted', pages: 'any' },
  params: (joi) =>
    joi.object<ImgPdfParams, true>({
      fitOption: shown(
        joi
          .string()
          .empty('')
          .valid('fillPage', 'fitDocumentToImage', 'maintainAspectRatio')
          .default('fillPage')
          .description(
            'fillPage stretches to the paper, which changes the proportions; maintainAspectRatio scales and centres ' +
              'on it; fitDocumentToImage makes the page as many points as the image has pixels',
          ),
        {
          label: 'Page size',
          help: 'Stretching changes the proportions of images that do not have the shape of the paper.',
          options: {
            fillPage: 'Images stretched to the paper',
            fitDocumentToImage: 'The size of each image',
            maintainAspectRatio: 'Images fitted to the paper',
          },
        },
      ),
      pageSize: shown(
        joi
          .string()
          .empty('')
          .valid('A4', 'LETTER')
          .insensitive()
          .default('A4')
          .description('Paper of the pages; no effect with fitDocumentToImage'),
        {
          label: 'Paper size',
          help: '',
          options: { A4: 'A4', LETTER: 'Letter' },
          when: { fitOption: ['fillPage', 'maintainAspectRatio'] },
        },
      ),
      colorType: colourTypeField(joi),
      autoRotate: shown(booleanField(joi, 'Uses landscape pages for images that are wider than high'), {
        label: 'Landscape for wide images',
        help: '',
        when: { fitOption: ['fillPage', 'maintainAspectRatio'] },
      }),
    }),
  errors: ['IMAGE_UNREADABLE', 'IMAGE_TOO_LARGE'],
  examples: [
    {
      title: 'several images, portrait and landscape',
      files: ['shapes.png', 'photo.jpg', 'frames.tiff'],
      params: { fitOption: 'maintainAspectRatio', autoRotate: true },
      expect: { pages: [4], names: ['shapes_converted.pdf'] },
    },
    {
      title: 'on Letter paper',
      files: ['photo.jpg'],
      params: { fitOption: 'maintainAspectRatio', pageSize: 'LETTER' },
      expect: { pages: [1] },
    },
    {
      title: 'page with the size of the image',
      files: ['shapes.bmp'],
      params: { fitOption: 'fitDocumentToImage' },
      expect: { pages: [1] },
    },
    {
      title: 'in greyscale',
      files: ['photo.jpg', 'shapes.gif', 'shapes.webp'],
      params: { colorType: 'greyscale' },
      expect: { pages: [3] },
    },
    { title: 'refuses a broken image', files: ['broken.png'], params: {}, expect: { refused: 'IMAGE_UNREADABLE' } },
  ],
  run: async (files, params, ctx) => {
    const { imagesToPdf } = await import('../../functions/images-to-pdf.js');
    const pictures = files.map((file) => ({ kind: file.kind as 'png', bytes: () => file.bytes() }));
    const target = `${await ctx.folder()}/pictures.pdf`;
    await imagesToPdf(pictures, target, {
      ...params,
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    return [await ctx.adopt(files[0]!, target)];
  },
});
