import { type JoiRoot, booleanField, defineOperation, integerField, numberField, parseSize } from '@quire/registry';
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

/** Shrinks a PDF by level or to a target size; never gives more bytes than it got. */
export const compressPdf = defineOperation<CompressPdfParams>({
  path: 'misc/compress-pdf',
  since: '0.1.0',
  summary: 'Compress a PDF by level or target size',
  notes:
    'Levels 1 to 3 pack streams and objects tighter, code pictures of one bit a point as facsimiles, drop what ' +
    'nothing uses, and lose nothing; 4 to 9 also scale images and code them anew, the higher the stronger, and ' +
    'leave only the glyphs that are shown in composite TrueType fonts. With `expectedOutputSize` the level is ' +
    'chosen, and raised until the size is reached or 9 is; missing it is no error. When nothing smaller is ' +
    'found, the file comes back as it was. `X-Tool-Report` holds `level`, `achieved`, `inputBytes` and ' +
    '`outputBytes`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_Optimized', pages: 'same' },
  writes: 'rewrite',
  effects: ['lossy'],
  aliases: { compressionLevel: 'optimizeLevel' },
  params: (joi) =>
    joi.object<CompressPdfParams, true>({
      optimizeLevel: integerField(joi, 'Strength, 1 to 9; not used with expectedOutputSize')
        .min(1)
        .max(9)
        .default(5)
        .example(5),
      expectedOutputSize: sizeField(joi),
      linearize: booleanField(joi, 'Write the file for viewing while it loads'),
      normalize: booleanField(joi, 'Rewrite page content in a regular form first'),
      grayscale: booleanField(joi, 'Turn images grey; text and drawings keep their colours'),
      lineArt: booleanField(joi, 'Turn images into black and white line art first'),
      lineArtThreshold: clamped(
        numberField(joi, 'Brightness in percent from which line art is white; cut to 0 to 100'),
        0,
        100,
      ).default(55),
      lineArtEdgeLevel: clamped(
        integerField(joi, 'How strongly line art draws out edges; cut to 1 to 3'),
        1,
        3,
      ).default(1),
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
      title: 'a target size, in grey',
      files: ['picture.pdf'],
      params: { expectedOutputSize: '20KB', grayscale: true },
      expect: { pages: [1] },
    },
    {
      title: 'line art for fast viewing',
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
    const { level, achieved, unchanged, linearized, size } = result;
    ctx.report({ level, achieved, unchanged, linearized, inputBytes: file.size, outputBytes: size });
    return [await ctx.adopt(file, target)];
  },
});

/** A text of one character means level mode, as an empty one does (docs/interface/misc.yml, compress-pdf). */
function sizeField(joi: JoiRoot) {
  return joi
    .string()
    .trim()
    .empty(joi.string().trim().allow('').max(1))
    .max(40)
    .custom((value: string, helpers) => ((parseSize(value) ?? 0) > 0 ? value : helpers.error('any.invalid')))
    .messages({ 'any.invalid': '{#label} must be a size above 0, such as 25KB, 1.5MB or 10 (MB)' })
    .description('Size to come down to: a number with B, KB, MB, GB or TB (1024 based), MB without one')
    .example('25KB');
}

/** Existing clients send values beyond the ends and get the end. */
function clamped<S extends ReturnType<typeof numberField>>(field: S, least: number, most: number): S {
  return field.custom((value: number) => Math.min(most, Math.max(least, value))) as S;
}
