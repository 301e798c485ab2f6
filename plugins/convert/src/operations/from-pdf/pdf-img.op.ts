import {
  booleanField,
  defineOperation,
  integerField,
  pageNumbersField,
  selectPages,
  tokens,
  choiceField,
  shown,
} from '@quire/registry';
import { colourTypeField } from '../colour-type.js';
import { guardDpi } from '../dpi.js';

interface PdfImgParams {
  imageFormat: 'png' | 'jpeg' | 'jpg' | 'gif' | 'webp' | 'tif' | 'tiff';
  singleOrMultiple: 'single' | 'multiple';
  colorType: 'color' | 'greyscale' | 'blackwhite';
  dpi: number;
  pageNumbers: string;
  includeAnnotations: boolean;
}

export const pdfImg = defineOperation<PdfImgParams>({
  path: 'convert/pdf/img',
  name: 'convertPdfToImages',
  since: '0.1.0',
  summary: 'Convert pages to images',
  title: 'Convert PDF to images',
  icon: 'images',
  order: 40,
  keywords: ['jpg', 'jpeg', 'png', 'tiff', 'webp', 'picture', 'screenshot'],
  notes:
    'The image has the size of the crop box in points times dpi / 72, rounded down. `multiple` gives a zip ' +
    'with one image per page, numbered in the requested order; `single` stacks the pages from top to bottom ' +
    '(TIFF: one frame per page). WebP images are scaled down to 16383 pixels per side.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: {
      by: 'imageFormat',
      map: { png: 'png', jpeg: 'jpeg', jpg: 'jpeg', gif: 'gif', webp: 'webp', tif: 'tiff', tiff: 'tiff' },
    },
    name: '{base}_{n}',
    nameWhen: { when: { singleOrMultiple: 'single' }, name: '{base}' },
    extension: '{imageFormat}',
    many: { archive: '{base}_convertedToImages', when: { singleOrMultiple: 'multiple' }, unpack: 'onDemand' },
  },
  effects: ['rasterises', 'dropsText'],
  params: (joi) =>
    joi.object<PdfImgParams, true>({
      imageFormat: shown(
        joi
          .string()
          .trim()
          .empty('')
          .valid('png', 'jpeg', 'jpg', 'gif', 'webp', 'tif', 'tiff')
          .insensitive()
          .default('png')
          .description('Image format, which is also the file extension'),
        {
          label: 'Format',
          help: '',
          options: {
            png: 'PNG',
            jpeg: 'JPEG (.jpeg)',
            jpg: 'JPEG (.jpg)',
            gif: 'GIF',
            webp: 'WebP',
            tif: 'TIFF (.tif)',
            tiff: 'TIFF (.tiff)',
          },
        },
      ),
      singleOrMultiple: shown(
        choiceField(joi, ['multiple', 'single'], {
          description: 'single stacks the pages in one image; multiple, or any other value, gives one image per page',
        }),
        { label: 'Images', help: '', options: { multiple: 'One for each page', single: 'One with all pages' } },
      ),
      colorType: colourTypeField(joi),
      dpi: shown(integerField(joi, 'Resolution; at most the setting system.maxDPI').min(1).default(300), {
        label: 'Resolution',
        help: '',
        unit: 'dpi',
      }),
      pageNumbers: pageNumbersField(joi),
      includeAnnotations: shown(booleanField(joi, 'Also draws annotations and form fields'), {
        label: 'Draw annotations and form fields',
        help: '',
      }),
    }),
  needs: { services: [tokens.settings] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
    'IMAGE_TOO_LARGE',
  ],
  examples: [
    {
      title: 'every page as png',
      files: ['three-pages.pdf'],
      params: { dpi: 72 },
      expect: { names: ['three-pages_1.png', 'three-pages_2.png', 'three-pages_3.png'] },
    },
    {
      title: 'two pages in another order',
      files: ['three-pages.pdf'],
      params: { imageFormat: 'jpg', pageNumbers: '3,1', dpi: 72 },
      expect: { names: ['three-pages_1.jpg', 'three-pages_2.jpg'] },
    },
    {
      title: 'one image',
      files: ['three-pages.pdf'],
      params: { imageFormat: 'webp', singleOrMultiple: 'single', colorType: 'greyscale', dpi: 72 },
      expect: { names: ['three-pages.webp'] },
    },
    {
      title: 'one TIFF with a frame per page',
      files: ['three-pages.pdf'],
      params: { imageFormat: 'tiff', singleOrMultiple: 'single', dpi: 72 },
      expect: { names: ['three-pages.tiff'] },
    },
    {
      title: 'refuses a resolution above the limit',
      files: ['three-pages.pdf'],
      params: { dpi: 100_000 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses pages that do not exist',
      files: ['three-pages.pdf'],
      params: { pageNumbers: '7' },
      expect: { refused: 'PAGES_OUT_OF_RANGE' },
    },
  ],
  run: async (file, params, ctx) => {
    guardDpi(ctx, params.dpi);
    const { pdfToImage, pdfToImages } = await import('../../functions/pdf-to-images.js');
    const options = {
      format: params.imageFormat,
      colour: params.colorType,
      dpi: params.dpi,
      annotations: params.includeAnnotations,
      select: (count: number) => selectPages(params.pageNumbers, count),
      signal: ctx.signal,
      progress: (done: number, total: number) => ctx.progress(done, total),
    };
    if (params.singleOrMultiple === 'single')
      return [await ctx.output(file, await pdfToImage(await file.bytes(), options))];
    const outputs: Awaited<ReturnType<typeof ctx.output>>[] = [];
    await pdfToImages(
      await file.bytes(),
      options,
      async (n, image) => void outputs.push(await ctx.output(file, image, { n })),
    );
    return outputs;
  },
});
