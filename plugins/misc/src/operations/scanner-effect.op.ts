import { booleanField, defineOperation, integerField, maxDpi, numberField, tokens } from '@quire/registry';
import type { ScannerParams } from '../functions/scans/scanner-effect.js';

/** Makes a document look as if it had been printed and scanned (`docs/interface/misc.yml`, scanner-effect). */
export const scannerEffect = defineOperation<ScannerParams>({
  path: 'misc/scanner-effect',
  since: '0.2.0',
  summary: 'Make pages look scanned',
  notes: [
    'Each page becomes one picture of the same page size; bookmarks, links, page labels, attachments and ' +
      'metadata stay, text does not. No two results are alike.',
    'Blur, noise, brightness, contrast and resolution come from `quality` unless `advancedEnabled` is set; the ' +
      'other fields always count. Pages are drawn with at most 8192 pixels a side and 16777216 in all, large ' +
      'ones at a lower resolution, but at 72 dpi at least.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_scanner_effect', pages: 'same' },
  writes: 'rewrite',
  effects: ['rasterises', 'dropsText', 'lossy', 'nondeterministic'],
  params: (joi) =>
    joi.object<ScannerParams, true>({
      quality: joi
        .string()
        .valid('low', 'medium', 'high')
        .default('high')
        .description('How good the scanner is')
        .example('medium'),
      rotation: joi
        .string()
        .valid('none', 'slight', 'moderate', 'severe')
        .default('slight')
        .description('How far sheets lie askew: 0, 2, 5 or 8 degrees')
        .example('slight'),
      colorspace: joi
        .string()
        .empty('')
        .valid('grayscale', 'color')
        .default('grayscale')
        .description('Colours of the scan'),
      border: integerField(joi, "Pixels of the scanner's lid around the sheet").min(0).max(10_000).default(20),
      rotate: integerField(joi, 'Degrees clockwise that are added to those of rotation').min(-360).max(360).default(0),
      rotateVariance: integerField(joi, 'Degrees by which sheets differ, at random to either side')
        .min(0)
        .max(360)
        .default(2),
      brightness: numberField(joi, 'Factor on brightness; with advancedEnabled only').min(0).max(10).default(1),
      contrast: numberField(joi, 'Factor on contrast; with advancedEnabled only').min(0).max(10).default(1),
      blur: numberField(joi, 'Blur in pixels; with advancedEnabled only').min(0).max(100).default(1),
      noise: numberField(joi, 'Noise in levels of 255; with advancedEnabled only').min(0).max(255).default(8),
      yellowish: booleanField(joi, 'Old paper'),
      resolution: integerField(joi, 'Dots per inch, at least 72; with advancedEnabled only').min(1).default(300),
      advancedEnabled: booleanField(joi, 'Takes blur, noise, brightness, contrast and resolution as they are sent'),
    }),
  needs: { services: [tokens.settings, tokens.clock] },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'IMAGE_TOO_LARGE'],
  examples: [
    {
      title: 'as a cheap scanner sees it',
      files: ['form.pdf'],
      params: { quality: 'low' },
      expect: { pages: [2], names: ['form_scanner_effect.pdf'] },
    },
    {
      title: 'in colour on old paper, all by hand',
      files: ['form.pdf'],
      params: {
        quality: 'high',
        rotation: 'moderate',
        colorspace: 'color',
        yellowish: true,
        advancedEnabled: true,
        resolution: 80,
        blur: 0.5,
        noise: 6,
        brightness: 1.02,
        contrast: 1.1,
      },
      expect: { pages: [2] },
    },
    {
      title: 'a resolution that the server does not allow',
      files: ['form.pdf'],
      params: { advancedEnabled: true, resolution: 100_000 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'no such quality',
      files: ['form.pdf'],
      params: { quality: 'HIGH' as never },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { PictureStore }, { scanPages }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/engines/rendering'),
      import('../functions/scans/scanner-effect.js'),
    ]);
    const folder = await ctx.folder();
    const target = `${folder}/scanned.pdf`;
    const most = maxDpi(ctx);
    const options = {
      maxDpi: most,
      random: Math.random,
      store: new PictureStore(`${folder}/pictures`),
      signal: ctx.signal,
      progress: (done: number, total: number): void => ctx.progress(done, total),
    };
    await editFile(file.path(), target, { mode: ctx.writing, modified: ctx.use(tokens.clock).now() }, (opened) =>
      scanPages(opened, params, options),
    );
    return [await ctx.adopt(file, target)];
  },
});
