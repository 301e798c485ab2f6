import {
  booleanField,
  chooseLanguages,
  defineOperation,
  languagesField,
  maxDpi,
  type OutputFile,
  tokens,
} from '@quire/registry';

interface OcrPdfParams {
  languages: string[];
  sidecar: boolean;
  deskew: boolean;
  clean: boolean;
  cleanFinal: boolean;
  ocrType: 'skip-text' | 'force-ocr' | 'Normal';
  ocrRenderType: 'hocr' | 'sandwich';
  removeImagesAfter: boolean;
}

/** Makes scanned pages searchable (`docs/interface/misc.yml`, ocr-pdf). */
export const ocrPdf = defineOperation<OcrPdfParams>({
  path: 'misc/ocr-pdf',
  since: '0.3.0',
  summary: 'Recognise the text of scanned pages',
  notes: [
    'Invisible text is laid exactly over the words, so that pages can be searched and their text copied. Works ' +
      'with Tesseract where the server has it, else with what npm installs; several pages at once.',
    '`skip-text`, which `Normal` and no value mean as well: pages that have text are left alone; the others ' +
      'keep all they show and get a text layer. `force-ocr`: all pages are read. A page whose own text is ' +
      'invisible, as an earlier recognition left it, gets a new layer in its place; one with visible text ' +
      'becomes a picture with a layer. Links, fields, annotations, bookmarks, labels and attachments stay ' +
      'everywhere, tags where the content stays.',
    '`hocr` stretches each word over its place, along the base line; `sandwich` takes the layer that the ' +
      'engine itself writes. Both show nothing.',
    '`deskew` turns pages whose lines lie askew by 0.1 to 7 degrees, without touching their pictures. `clean` ' +
      'whitens paper and takes specks away for recognition alone; `cleanFinal` shows the pages so, as pictures. ' +
      '`removeImagesAfter` takes all images off, so that a scan is blank and only its text is left.',
    'Layers add some kilobytes a page. Where pages become pictures, the result is no larger than one and a ' +
      'half times the document and 100 KB a page: black and white pages are coded as facsimiles, others as JPEG ' +
      'as good as fits.',
    'Languages that are not installed are left out (`dropped` in `X-Tool-Report`, beside `languages`, ' +
      '`engine`, `read`, `withText` and `words`); 400 when none is left. With `sidecar` the answer is a zip with ' +
      'the document and its text, a form feed between pages; pages that were left alone give the text that they ' +
      'had.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_OCR',
    pages: 'same',
    also: ['txt'],
    many: { archive: '{base}_OCR', when: { sidecar: true } },
  },
  writes: 'append',
  rewritesWhen: [{ ocrType: 'force-ocr' }, { cleanFinal: true }, { removeImagesAfter: true }],
  params: (joi) =>
    joi.object<OcrPdfParams, true>({
      languages: languagesField(
        joi,
        'Languages in the text, the one that counts most in front: names as GET /api/v1/ui-data/ocr-pdf gives ' +
          'them; repeat the field, or join them by commas or +',
        true,
      ),
      sidecar: booleanField(joi, 'Answer the text as well, in a zip with the document'),
      deskew: booleanField(joi, 'Turn pages whose lines lie askew'),
      clean: booleanField(joi, 'Clean pictures for recognition'),
      cleanFinal: booleanField(joi, 'Show the cleaned pictures in the result'),
      ocrType: joi
        .string()
        .empty('')
        .valid('skip-text', 'force-ocr', 'Normal')
        .default('skip-text')
        .description('Which pages are read: those without text, or all; Normal means skip-text')
        .example('skip-text'),
      ocrRenderType: joi
        .string()
        .empty('')
        .valid('hocr', 'sandwich')
        .default('hocr')
        .description('How the text layer is made')
        .example('hocr'),
      removeImagesAfter: booleanField(joi, 'Take all images off the result'),
    }),
  needs: { services: [tokens.clock, tokens.settings, tokens.recognizeText] },
  limits: { timeoutMs: 600_000 },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'OCR_LANGUAGES_UNKNOWN',
    'IMAGE_TOO_LARGE',
  ],
  examples: [
    {
      title: 'a scanned letter',
      files: ['scan.pdf'],
      params: { languages: ['eng'], ocrType: 'skip-text', ocrRenderType: 'hocr' },
      expect: { pages: [1], names: ['scan_OCR.pdf'] },
    },
    {
      title: 'with its text, straightened and cleaned',
      files: ['scan.pdf'],
      params: { languages: ['eng'], sidecar: true, deskew: true, cleanFinal: true, ocrRenderType: 'sandwich' },
      expect: { pages: [1], names: ['scan_OCR.pdf', 'scan_OCR.txt'] },
    },
    {
      title: 'a language that is not installed',
      files: ['scan.pdf'],
      params: { languages: ['xxx'] },
      expect: { refused: 'OCR_LANGUAGES_UNKNOWN' },
    },
    { title: 'no language', files: ['scan.pdf'], params: {}, expect: { refused: 'INPUT_INVALID' } },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { recognizePages }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/layout/ocr'),
    ]);
    const recogniser = ctx.use(tokens.recognizeText);
    const { engine, languages: installed, atOnce } = await recogniser.offer();
    const { languages, dropped } = chooseLanguages(params.languages, installed);
    const [folder, scratch] = [await ctx.folder(), await ctx.folder()];
    const target = `${folder}/recognised.pdf`;
    const done = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now() },
      (opened) =>
        recognizePages(opened, {
          choice: params.ocrType === 'force-ocr' ? 'all' : 'withoutText',
          renderType: params.ocrRenderType,
          deskew: params.deskew,
          clean: params.clean,
          cleanFinal: params.cleanFinal,
          removeImages: params.removeImagesAfter,
          sidecar: params.sidecar,
          maxDpi: maxDpi(ctx),
          atOnce,
          folder: scratch,
          signal: ctx.signal,
          progress: (count, total) => ctx.progress(count, total),
          read: (picture, { words, layer }, dpi, signal) =>
            layer === undefined
              ? recogniser.words(picture, words, { languages, dpi }, signal)
              : recogniser.layer(picture, words, layer, { languages, dpi }, signal),
        }),
    );
    const { text, ...facts } = done;
    ctx.report({
      engine,
      languages: languages.join('+'),
      ...(dropped.length === 0 ? {} : { dropped: dropped.join(', ') }),
      ...facts,
    });
    const results: OutputFile[] = [await ctx.adopt(file, target)];
    if (params.sidecar) results.push(await ctx.output(file, new TextEncoder().encode(text), { kind: 'txt' }));
    return results;
  },
});
