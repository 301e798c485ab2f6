import { baseName, defineOperation, integerField, maxDpi, type OutputFile, shown, tokens } from '@quire/registry';

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
  summary: 'Crop photos out of scans',
  title: 'Crop photos out of scans',
  icon: 'crop',
  order: 140,
  keywords: ['split photos', 'detect photos', 'picture', 'auto crop', 'deskew', 'album'],
  notes:
    'A photo is a connected area that differs from the background by more than `tolerance` in a colour ' +
    'channel. If it is skewed by at least `angleThreshold` degrees, it is cut out along its smallest enclosing ' +
    'rectangle and straightened; otherwise along its upright bounding box. PDF pages are rendered at the ' +
    'setting system.maxDPI, as far as the pixel limits allow; photos of a page that shows only images are cut at ' +
    'the resolution of these images if it is lower. `minArea` and `minContourArea` count pixels at system.maxDPI. ' +
    'A TIFF may have several frames. Photos are numbered across all pages, in reading order. A single photo is ' +
    'returned as a PNG, several as a zip.',
  accepts: ['pdf', 'png', 'jpeg', 'tiff', 'bmp'],
  files: 'each',
  // The name of the file when there is only one photo.
  returns: { kind: 'png', name: '{base}', many: { archive: '{base}_processed', single: 'file' } },
  params: (joi) =>
    joi.object<ExtractImageScansParams, true>({
      angleThreshold: shown(
        integerField(joi, 'Skew in degrees from which a photo is straightened').min(0).max(90).default(5).example(5),
        { label: 'Straighten from', help: 'Skew from which a photo is straightened.', unit: '°' },
      ),
      tolerance: shown(
        integerField(joi, 'How much a colour channel may differ from the background, from 0 to 255')
          .min(0)
          .max(255)
          .default(20)
          .example(20),
        {
          label: 'Tolerance of the background',
          help: 'How much a colour may differ from the background, from 0 to 255.',
        },
      ),
      minArea: shown(
        integerField(joi, "Minimum area of a photo's upright bounding box, in pixels")
          .min(0)
          .default(8000)
          .example(8000),
        { label: 'Smallest photo', help: "Area of a photo's upright box, in pixels.", advanced: true },
      ),
      minContourArea: shown(
        integerField(joi, "Minimum area inside a photo's outline, in pixels").min(0).default(500).example(500),
        { label: 'Smallest outline', help: "Area inside a photo's outline, in pixels.", advanced: true },
      ),
      borderSize: shown(
        integerField(joi, 'Pixels to trim from each side of a photo').min(0).max(10_000).default(1).example(1),
        { label: 'Trim each side by', help: '', unit: 'px', advanced: true },
      ),
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
      title: 'two photos, one skewed',
      files: ['two-photos.png'],
      params: {},
      expect: { names: ['two-photos_processed_1.png', 'two-photos_processed_2.png'] },
    },
    {
      title: 'a single photo',
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
      title: 'a tolerance out of range',
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
