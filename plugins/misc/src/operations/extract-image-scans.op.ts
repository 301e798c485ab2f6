import { baseName, defineOperation, integerField, maxDpi, type OutputFile, tokens } from '@quire/registry';

interface ExtractImageScansParams {
  angleThreshold: number;
  tolerance: number;
  minArea: number;
  minContourArea: number;
  borderSize: number;
}

/** Cuts single photos out of scans (`docs/interface/misc.yml`, extract-image-scans). */
export const extractImageScans = defineOperation<ExtractImageScansParams>({
  path: 'misc/extract-image-scans',
  since: '0.2.0',
  summary: 'Cut single photos out of scans',
  notes:
    'What differs from the background by more than `tolerance` in a channel and hangs together is a photo. It ' +
    'is cut out by the smallest rectangle around it and straightened when it lies askew by `angleThreshold` ' +
    'degrees or more, else by its upright box. Pages of a PDF are drawn at the setting system.maxDPI, as far ' +
    'as the pixel limits allow; a TIFF may have several frames. Photos are numbered over all pages, in reading ' +
    'order. Exactly one photo is answered as a PNG, several as a zip.',
  accepts: ['pdf', 'png', 'jpeg', 'tiff', 'bmp'],
  files: 'each',
  // The name of a photo that is the only one.
  returns: { kind: 'png', name: '{base}', many: { archive: '{base}_processed', single: 'file' } },
  params: (joi) =>
    joi.object<ExtractImageScansParams, true>({
      angleThreshold: integerField(joi, 'Degrees from which a photo is straightened')
        .min(0)
        .max(90)
        .default(5)
        .example(5),
      tolerance: integerField(joi, 'How far a colour channel may be from the background, in levels of 255')
        .min(0)
        .max(255)
        .default(20)
        .example(20),
      minArea: integerField(joi, 'Least area of the upright box around a photo, in pixels')
        .min(0)
        .default(8000)
        .example(8000),
      minContourArea: integerField(joi, 'Least area within the outline of a photo, in pixels')
        .min(0)
        .default(500)
        .example(500),
      borderSize: integerField(joi, 'Pixels taken off each side of a photo').min(0).max(10_000).default(1).example(1),
    }),
  needs: { services: [tokens.settings] },
  limits: { timeoutMs: 600_000 },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'IMAGE_UNREADABLE',
    'IMAGE_TOO_LARGE',
    'PHOTOS_NONE',
  ],
  examples: [
    {
      title: 'two photos, one askew',
      files: ['two-photos.png'],
      params: {},
      expect: { names: ['two-photos_processed_1.png', 'two-photos_processed_2.png'] },
    },
    {
      title: 'exactly one photo',
      files: ['one-photo.png'],
      params: { borderSize: 2 },
      expect: { names: ['one-photo.png'] },
    },
    {
      title: 'a page of a PDF',
      files: ['picture.pdf'],
      params: { minArea: 100_000 },
      expect: { names: ['picture.png'] },
    },
    { title: 'a scan without photos', files: ['no-photo.png'], params: {}, expect: { refused: 'PHOTOS_NONE' } },
    {
      title: 'a tolerance that is none',
      files: ['two-photos.png'],
      params: { tolerance: 256 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, rule, ctx) => {
    const { extractPhotos } = await import('../functions/scans/extract-photos.js');
    const base = baseName(file.name);
    const photos: OutputFile[] = [];
    const kind = file.kind as 'pdf' | 'png' | 'jpeg' | 'tiff' | 'bmp';
    await extractPhotos(kind === 'pdf' ? { kind, path: file.path() } : { kind, bytes: await file.bytes() }, {
      rule,
      maxDpi: maxDpi(ctx),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
      emit: async (png, n) => void photos.push(await ctx.output(file, png, { name: `${base}_processed_${n}` })),
    });
    const [only] = photos;
    return only !== undefined && photos.length === 1 ? [await ctx.adopt(file, only.path)] : photos;
  },
});
