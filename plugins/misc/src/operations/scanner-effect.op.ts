import { booleanField, defineOperation, integerField, maxDpi, numberField, shown, tokens } from '@quire/registry';
import type { ScannerParams } from '../functions/scans/scanner-effect.js';

/** Makes a document look printed and scanned (`docs/interface/misc.yml`, scanner-effect). */
export const scannerEffect = defineOperation<ScannerParams>({
  path: 'misc/scanner-effect',
  name: 'addScannerEffect',
  since: '0.2.0',
  summary: 'Make a PDF look scanned',
  title: 'Make it look scanned',
  icon: 'scan',
  order: 120,
  keywords: ['fake scan', 'simulate scan', 'photocopy', 'printed', 'noise'],
  notes: [
    'Each page becomes one image of the same page size. Bookmarks, links, page labels, attachments and ' +
      'metadata stay; text is removed. Every run gives a slightly different result.',
    'Blur, noise, brightness, contrast and resolution come from `quality` unless `advancedEnabled` is set; the ' +
      'other fields always apply. Pages are rendered with at most 8192 pixels per side and 16777216 in total: ' +
      'large pages get a lower resolution, but never below 72 dpi.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_scanner_effect', pages: 'same' },
  writes: 'rewrite',
  effects: ['rasterises', 'dropsText', 'lossy', 'nondeterministic'],
  params: (joi) =>
    joi.object<ScannerParams, true>({
      quality: shown(
        joi
          .string()
          .valid('low', 'medium', 'high')
          .default('high')
          .description('Quality of the scanner')
          .example('medium'),
        { help: '' },
      ),
      rotation: shown(
        joi
          .string()
          .valid('none', 'slight', 'moderate', 'severe')
          .default('slight')
          .description('How skewed the sheets are: 0, 2, 5 or 8 degrees')
          .example('slight'),
        {
          label: 'Skew',
          help: '',
          options: { none: 'None', slight: 'Slight (2°)', moderate: 'Moderate (5°)', severe: 'Severe (8°)' },
        },
      ),
      colorspace: shown(
        joi.string().empty('').valid('grayscale', 'color').default('grayscale').description('Colours of the scan'),
        { label: 'Colours', help: '', options: { grayscale: 'Greyscale', color: 'Colour' } },
      ),
      border: shown(
        integerField(joi, "Width in pixels of the border around the sheet (the scanner's lid)")
          .min(0)
          .max(10_000)
          .default(20),
        { label: 'Border', help: 'Width of the border around the sheet.', unit: 'px' },
      ),
      rotate: shown(
        integerField(joi, 'Degrees clockwise to add to the skew of rotation').min(-360).max(360).default(0),
        { label: 'Further rotation', help: 'Clockwise, in addition to the skew.', unit: '°', advanced: true },
      ),
      rotateVariance: shown(
        integerField(joi, 'Maximum random variation of the skew between sheets, in degrees to either side')
          .min(0)
          .max(360)
          .default(2),
        { label: 'Variation of the skew', help: 'Between sheets, at most.', unit: '°', advanced: true },
      ),
      brightness: shown(
        numberField(joi, 'Brightness factor; used with advancedEnabled only').min(0).max(10).default(1),
        { help: 'A factor; 1 changes nothing.', when: { advancedEnabled: true } },
      ),
      contrast: shown(numberField(joi, 'Contrast factor; used with advancedEnabled only').min(0).max(10).default(1), {
        help: 'A factor; 1 changes nothing.',
        when: { advancedEnabled: true },
      }),
      blur: shown(numberField(joi, 'Blur in pixels; used with advancedEnabled only').min(0).max(100).default(1), {
        help: '',
        unit: 'px',
        when: { advancedEnabled: true },
      }),
      noise: shown(
        numberField(joi, 'Amount of noise, from 0 to 255; used with advancedEnabled only').min(0).max(255).default(8),
        { help: 'From 0 to 255.', when: { advancedEnabled: true } },
      ),
      yellowish: shown(booleanField(joi, 'Tint the paper yellowish, like old paper'), {
        label: 'Yellowish paper',
        help: '',
      }),
      resolution: shown(
        integerField(joi, 'Dots per inch, at least 72; used with advancedEnabled only').min(1).default(300),
        { help: '', unit: 'dpi', when: { advancedEnabled: true } },
      ),
      advancedEnabled: shown(booleanField(joi, 'Use blur, noise, brightness, contrast and resolution as sent'), {
        label: 'Settings of your own',
        help: 'For brightness, contrast, blur, noise and resolution.',
      }),
    }),
  needs: { services: [tokens.settings, tokens.clock] },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'IMAGE_TOO_LARGE'],
  examples: [
    {
      title: 'a cheap scanner',
      files: ['form.pdf'],
      params: { quality: 'low' },
      expect: { pages: [2], names: ['form_scanner_effect.pdf'] },
    },
    {
      title: 'in colour on old paper, with custom settings',
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
      title: 'an unknown quality',
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
