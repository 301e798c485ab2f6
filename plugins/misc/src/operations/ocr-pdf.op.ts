import {
  booleanField,
  chooseLanguages,
  defineOperation,
  languagesField,
  maxDpi,
  type OutputFile,
  offering,
  shown,
  tokens,
} from '@quire/registry';

/** Pages that a warning names at most. */
const MOST_NAMED = 20;

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
  summary: 'Make scanned pages searchable (OCR)',
  title: 'Recognise text (OCR)',
  icon: 'scan-text',
  order: 20,
  keywords: ['text recognition', 'tesseract', 'scan', 'deskew', 'text layer'],
  notes: [
    'Recognises the text of scanned pages and places it invisibly over the words, so that it can be searched ' +
      'and copied. Uses Tesseract if the server has it, otherwise an engine from npm; several pages are ' +
      'recognised in parallel.',
    '`skip-text` (also the meaning of `Normal` and of no value): pages with text are left alone; the others ' +
      'keep everything they show and get a text layer. `force-ocr`: all pages are recognised. If the text of a ' +
      'page is invisible, for example from earlier OCR, it is replaced by a new layer; a page with visible text ' +
      'becomes an image with a text layer. Links, form fields, annotations, bookmarks, page labels and ' +
      'attachments always stay; tags stay where the page content does.',
    '`hocr` stretches each word over its place along the baseline; `sandwich` uses the text layer that the OCR ' +
      'engine writes. Both are invisible.',
    '`deskew` straightens pages that are skewed by 0.1 to 7 degrees, without changing their images. `clean` ' +
      'whitens the paper and removes specks for recognition only; `cleanFinal` also shows the cleaned pages in ' +
      'the result, as images. `removeImagesAfter` removes all images, so that a scan looks blank and only its ' +
      'text remains.',
    'Pages that were scanned sideways or upside down are recognised too: where little of a page can be read, it is ' +
      'tried in the other directions, and its text is laid over the words as they stand (`readTurned` in ' +
      '`X-Tool-Report` counts these pages). The page itself is not turned; rotate-pdf does that. If a page can be ' +
      'read in no direction, `X-Warnings` names it, and it has whatever was recognised.',
    'A text layer adds a few kilobytes per page. If pages become images, the result has at most one and a half ' +
      'times the size of the document plus 100 KB per page: black and white pages are encoded as CCITT fax, ' +
      'others as JPEG with the best quality that fits.',
    'Languages that are not installed are skipped and reported (`dropped` in `X-Tool-Report`, next to ' +
      '`languages`, `engine`, `read`, `withText` and `words`); if none is left, the call fails with 400. With ' +
      '`sidecar` the result is a zip with the document and its text, with a form feed between pages; pages that ' +
      'were left alone contribute the text they already had.',
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
      languages: shown(
        languagesField(
          joi,
          'Languages of the text, most important first, named as in GET /api/v1/ui-data/ocr-pdf; repeat the ' +
            'field, or separate them by commas or +',
          true,
        ),
        { help: 'Languages of the text, the most important first.' },
      ),
      sidecar: shown(booleanField(joi, 'Also return the text, in a zip with the document'), {
        label: 'Return the text too',
        help: 'As a text file, in a zip with the document.',
      }),
      deskew: shown(booleanField(joi, 'Straighten skewed pages'), { label: 'Straighten skewed pages', help: '' }),
      clean: shown(booleanField(joi, 'Clean the page images for recognition'), {
        label: 'Clean pages for recognition',
        help: '',
      }),
      cleanFinal: shown(booleanField(joi, 'Show the cleaned page images in the result'), {
        label: 'Show the cleaned pages',
        help: 'Pages become images.',
        advanced: true,
      }),
      ocrType: shown(
        offering(
          joi
            .string()
            .empty('')
            .valid('skip-text', 'force-ocr', 'Normal')
            .default('skip-text')
            .description('Which pages to recognise: those without text, or all; Normal means skip-text')
            .example('skip-text'),
          { values: ['skip-text', 'force-ocr'] },
        ),
        { label: 'Pages to recognise', help: '', options: { 'skip-text': 'Those without text', 'force-ocr': 'All' } },
      ),
      ocrRenderType: shown(
        joi
          .string()
          .empty('')
          .valid('hocr', 'sandwich')
          .default('hocr')
          .description('How the text layer is created')
          .example('hocr'),
        {
          label: 'Text layer',
          help: '',
          advanced: true,
          options: { hocr: 'Words stretched over their places', sandwich: 'As the OCR engine writes it' },
        },
      ),
      removeImagesAfter: shown(booleanField(joi, 'Remove all images from the result'), {
        label: 'Remove all images',
        help: 'Only the text remains.',
        advanced: true,
      }),
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
      title: 'with a text file, straightened and cleaned',
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
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
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
    const { text, unreadable, readTurned, ...facts } = done;
    const warning = unreadableWarning(unreadable);
    if (warning !== undefined) ctx.warn(warning);
    ctx.report({
      engine,
      languages: languages.join('+'),
      ...(dropped.length === 0 ? {} : { dropped: dropped.join(', ') }),
      ...facts,
      ...(readTurned === 0 ? {} : { readTurned }),
    });
    const results: OutputFile[] = [await ctx.adopt(file, target)];
    if (params.sidecar) results.push(await ctx.output(file, new TextEncoder().encode(text), { kind: 'txt' }));
    return results;
  },
});

/** Says which pages may have wrong text. */
function unreadableWarning(pages: readonly number[]): string | undefined {
  if (pages.length === 0) return undefined;
  if (pages.length === 1) return `The text on page ${pages[0]} could not be read reliably.`;
  const named = pages.slice(0, MOST_NAMED).join(', ');
  const more = pages.length > MOST_NAMED ? ` and ${pages.length - MOST_NAMED} more` : '';
  return `The text on pages ${named}${more} could not be read reliably.`;
}
