import { defineOperation, InputError, integerField, listField, offering, shown, tokens } from '@quire/registry';
import { OVERLAY_MODES, type OverlayMode, planOverlay } from '../functions/pages/overlay-plan.js';

interface OverlayPdfsParams {
  overlayMode: OverlayMode;
  counts?: number[];
  overlayPosition: number;
}

/** Puts other PDFs over or under a base PDF (`docs/interface/general.yml`, overlay-pdfs). */
export const overlayPdfs = defineOperation<OverlayPdfsParams>({
  path: 'general/overlay-pdfs',
  since: '0.2.0',
  summary: 'Overlay other PDFs on a PDF, or put them under it',
  title: 'Overlay PDFs',
  icon: 'layers-2',
  order: 140,
  keywords: ['letterhead', 'background', 'stationery', 'underlay', 'stamp', 'template'],
  notes:
    'Overlay pages are centred on the base page as the reader sees it (rotated and cropped), upright and ' +
    'unscaled. `SequentialOverlay` gives base page k the k-th page of all overlay files one after another, ' +
    'starting over at the end; `InterleavedOverlay` gives it the first page of each file in turn; ' +
    '`FixedRepeatOverlay` puts the first page of file i on counts[i] times as many base pages as file i has ' +
    'pages, and leaves the rest as they are. Everything in the base document stays: bookmarks, links, form ' +
    'fields, tags. Layers of the overlays are kept; their annotations and form fields are not. A PDF/A or ' +
    'PDF/X declaration stays only if all overlays have the same one.',
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'overlayFiles',
      label: 'PDFs to put on the pages',
      description: 'One or more PDFs to put over the pages, in order',
      kinds: ['pdf'],
      requiredWhen: 'always',
      many: true,
    },
  ],
  returns: { kind: 'pdf', name: '{base}_overlayed', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<OverlayPdfsParams, true>({
      overlayMode: shown(
        joi
          .string()
          .valid(...OVERLAY_MODES)
          .required()
          .description('Which overlay page each base page gets'),
        {
          label: 'Pages of the overlays',
          help: 'Which overlay page each page gets.',
          options: {
            SequentialOverlay: 'One after another',
            InterleavedOverlay: 'The first page of each file in turn',
            FixedRepeatOverlay: 'Each file a number of times',
          },
        },
      ),
      counts: shown(
        listField(
          joi,
          joi.number().integer().min(0).max(1_000_000),
          'Required for FixedRepeatOverlay, otherwise ignored: how often each overlay file is repeated, one ' +
            'number per file',
        ).example([2, 1]),
        {
          label: 'Repetitions of each file',
          help: 'One number per overlay file.',
          when: { overlayMode: 'FixedRepeatOverlay' },
          requiredWhen: { overlayMode: 'FixedRepeatOverlay' },
        },
      ),
      overlayPosition: shown(
        offering(
          integerField(joi, '0 puts the overlays over the page content, any other number under it')
            .default(0)
            .example(0),
          { values: [0, 1] },
        ),
        {
          label: 'Position',
          help: '',
          widget: 'choice',
          options: { '0': 'Over the page content', '1': 'Under the page content' },
        },
      ),
    }),
  pipeline: false,
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'one page over each',
      files: ['handbook.pdf'],
      parts: { overlayFiles: 'two-pages.pdf' },
      params: { overlayMode: 'SequentialOverlay' },
      expect: { pages: [4], names: ['handbook_overlayed.pdf'] },
    },
    {
      title: 'under the first four pages',
      files: ['handbook.pdf'],
      parts: { overlayFiles: 'two-pages.pdf' },
      params: { overlayMode: 'FixedRepeatOverlay', counts: [2], overlayPosition: 1 },
      expect: { pages: [4] },
    },
    {
      title: 'counts that do not fit the files',
      files: ['handbook.pdf'],
      parts: { overlayFiles: 'two-pages.pdf' },
      params: { overlayMode: 'FixedRepeatOverlay', counts: [1, 2] },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'an overlay that is not a readable PDF',
      files: ['handbook.pdf'],
      parts: { overlayFiles: 'broken.pdf' },
      params: { overlayMode: 'InterleavedOverlay' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, { overlayMode, counts = [], overlayPosition }, ctx) => {
    const { overlayDocuments } = await import('../functions/pages/overlay-documents.js');
    const overlays = ctx.parts('overlayFiles');
    if (overlayMode === 'FixedRepeatOverlay' && counts.length !== overlays.length) {
      const detail =
        `"counts" has ${counts.length} numbers for ${overlays.length} overlay files; FixedRepeatOverlay needs ` +
        'one for each';
      throw new InputError('INPUT_INVALID', { detail }, [{ pointer: '/counts', detail }]);
    }
    const target = `${await ctx.folder()}/overlayed.pdf`;
    await overlayDocuments(
      file.path(),
      overlays.map((one) => one.path()),
      target,
      {
        mode: ctx.writing,
        spendsInput: true,
        modified: ctx.use(tokens.clock).now(),
        under: overlayPosition !== 0,
        plan: (pageCounts) => planOverlay(overlayMode, pageCounts, counts),
        signal: ctx.signal,
        onProgress: (done, total) => ctx.progress(done, total),
      },
    );
    return [await ctx.adopt(file, target)];
  },
});
