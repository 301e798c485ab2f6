import {
  type JoiRoot,
  booleanField,
  defineOperation,
  integerField,
  numberField,
  parseSize,
  clamped,
  shown,
} from '@quire/registry';
import type { CompressLevel, LineArt } from '@quire/document/file/compression';

interface CompressPdfParams {
  optimizeLevel: CompressLevel;
  /** A size that `parseSize` reads; absent for level mode. */
  expectedOutputSize?: string;
  linearize: boolean;
  normalize: boolean;
  grayscale: boolean;
  lineArt: boolean;
  lineArtThreshold: number;
  lineArtEdgeLevel: number;
}

/** Shrinks a PDF by level or to a target size; the result is never larger than the input. */
export const compressPdf = defineOperation<CompressPdfParams>({
  path: 'misc/compress-pdf',
  since: '0.1.0',
  summary: 'Compress a PDF by level or target size',
  title: 'Compress a PDF',
  icon: 'shrink',
  order: 10,
  keywords: ['shrink', 'reduce size', 'smaller', 'optimize', 'minify', 'file size', 'linearize', 'grayscale'],
  notes:
    'Levels 1 to 3 are lossless: they compress streams and objects better, encode 1-bit images as JBIG2, ' +
    'and remove unused objects. Levels 4 to 9 also downscale and recompress images, more strongly with each ' +
    'level, and reduce composite TrueType fonts to the glyphs in use. From level 6 on, scans of text are separated ' +
    'into layers where that is smaller: what is written stays sharp at the full resolution, one bit per pixel, over ' +
    'a background of low resolution. With `expectedOutputSize` a level is ' +
    'chosen for you and raised until the size is reached or level 9 is; missing the target is not an error. If ' +
    'nothing smaller can be produced, the file is returned unchanged, even where it is damaged; `X-Warnings` ' +
    'says so. `X-Tool-Report` holds `level`, `achieved`, `unchanged`, `scans` (how many were separated), `inputBytes` ' +
    'and `outputBytes`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_Optimized', pages: 'same' },
  writes: 'rewrite',
  effects: ['lossy'],
  aliases: { compressionLevel: 'optimizeLevel' },
  params: (joi) =>
    joi.object<CompressPdfParams, true>({
      optimizeLevel: shown(
        integerField(joi, 'Compression level from 1 to 9; ignored with expectedOutputSize')
          .min(1)
          .max(9)
          .default(5)
          .example(5),
        { label: 'Compression', help: 'From 1 (little) to 9 (much); has no effect with a target size.' },
      ),
      expectedOutputSize: shown(sizeField(joi), {
        label: 'Target size',
        help: 'For example 25KB or 2MB.',
        widget: 'size',
      }),
      linearize: shown(booleanField(joi, 'Linearize the file, so that viewers can show it while it loads'), {
        label: 'Fast web view',
        help: 'Viewers can show the file while it loads.',
      }),
      normalize: shown(booleanField(joi, 'Rewrite page content in a regular form first'), {
        label: 'Rewrite page content first',
        help: '',
        advanced: true,
      }),
      grayscale: shown(booleanField(joi, 'Convert images to greyscale; text and drawings keep their colours'), {
        label: 'Images in greyscale',
        help: 'Text and drawings keep their colours.',
      }),
      lineArt: shown(booleanField(joi, 'Convert images to black and white line art first'), {
        label: 'Images as line art',
        help: 'Black and white only.',
      }),
      lineArtThreshold: shown(
        clamped(
          numberField(joi, 'Brightness in percent from which line art turns white; limited to 0 to 100'),
          0,
          100,
        ).default(55),
        {
          label: 'White from',
          help: 'Brightness from which line art turns white.',
          unit: '%',
          when: { lineArt: true },
        },
      ),
      lineArtEdgeLevel: shown(
        clamped(integerField(joi, 'How strongly line art emphasises edges; limited to 1 to 3'), 1, 3).default(1),
        { label: 'Emphasis of edges', help: '', when: { lineArt: true } },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'the usual level',
      files: ['picture.pdf'],
      params: { optimizeLevel: 5 },
      expect: { pages: [1], names: ['picture_Optimized.pdf'] },
    },
    {
      title: 'a target size, in greyscale',
      files: ['picture.pdf'],
      params: { expectedOutputSize: '20KB', grayscale: true },
      expect: { pages: [1] },
    },
    {
      title: 'line art for fast web view',
      files: ['picture.pdf'],
      params: { optimizeLevel: 2, lineArt: true, linearize: true },
      expect: { pages: [1] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, params, ctx) => {
    const { compressFile } = await import('@quire/document/file/compression');
    const target = `${await ctx.folder()}/compressed.pdf`;
    const targetBytes = params.expectedOutputSize === undefined ? undefined : parseSize(params.expectedOutputSize);
    const result = await compressFile(file.path(), target, {
      level: params.optimizeLevel,
      ...(targetBytes === undefined ? {} : { targetBytes }),
      linearize: params.linearize,
      normalize: params.normalize,
      grayscale: params.grayscale,
      ...(params.lineArt
        ? {
            lineArt: { threshold: params.lineArtThreshold, edgeLevel: params.lineArtEdgeLevel as LineArt['edgeLevel'] },
          }
        : {}),
      progress: (done, total) => ctx.progress(done, total),
    });
    const { level, achieved, unchanged, damaged, scans, linearized, size } = result;
    ctx.report({ level, achieved, unchanged, scans, linearized, inputBytes: file.size, outputBytes: size });
    if (damaged)
      ctx.warn(
        'The PDF was returned unchanged and is still damaged, because no smaller file with the same pages could be ' +
          'written; "Repair a PDF" (misc/repair) repairs it.',
      );
    return [await ctx.adopt(file, unchanged ? file.path() : target)];
  },
});

/** One character means level mode, like an empty value (docs/interface/misc.yml, compress-pdf). */
function sizeField(joi: JoiRoot) {
  return joi
    .string()
    .trim()
    .empty(joi.string().trim().allow('').max(1))
    .max(40)
    .custom((value: string, helpers) => ((parseSize(value) ?? 0) > 0 ? value : helpers.error('any.invalid')))
    .messages({ 'any.invalid': '{#label} must be a size above 0, such as 25KB, 1.5MB or 10 (MB)' })
    .description('Target size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes); MB without a unit')
    .example('25KB');
}
