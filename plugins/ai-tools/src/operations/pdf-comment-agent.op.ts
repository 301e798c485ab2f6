import { InputError, defineOperation, shown, tokens } from '@quire/registry';
import { refuseUnlessUsable } from '../functions/model-use.js';

interface PdfCommentParams {
  prompt: string;
}

const MARKS = { author: 'Quire AI', subject: 'AI comment' } as const;

/** Adds sticky notes that a language model writes (`docs/interface/ai.yml`, pdf-comment-agent). */
export const pdfCommentAgent = defineOperation<PdfCommentParams>({
  path: 'ai/tools/pdf-comment-agent',
  name: 'writeComments',
  since: '0.2.0',
  summary: 'Add sticky notes that a language model writes',
  title: 'Review with comments',
  icon: 'message-square-text',
  order: 20,
  keywords: ['review', 'annotate', 'notes'],
  notes:
    'The model is given the text of the document and `prompt`, and answers notes with the words that they are ' +
    'about. A note stands before the line in which these words begin, or in the margin of its page when they ' +
    'are nowhere. `X-Tool-Report` holds `annotationsApplied`, `instructionsReceived` (notes that the model ' +
    'wrote) and `rationale`. Text beyond what one question may hold is asked about in portions, twenty at most.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}-commented', pages: 'same' },
  writes: 'append',
  effects: ['needsNetwork', 'nondeterministic'],
  needs: {
    services: [tokens.languageModel, tokens.clock],
    settings: ['aiEngine.enabled', 'aiEngine.features.pdfComment'],
  },
  limits: { timeoutMs: 600_000, maxBytes: 50 * 1024 * 1024 },
  params: (joi) =>
    joi.object<PdfCommentParams, true>({
      prompt: shown(
        joi
          .string()
          .trim()
          .min(1)
          .max(4000)
          .required()
          .description('Subject of the comments')
          .example('Point out terms that are unusual for a rental contract.'),
        { label: 'What to comment on', help: '', widget: 'multiline' },
      ),
    }),
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PDF_WITHOUT_TEXT',
    'INPUT_TEXT_TOO_LONG',
  ],
  examples: [
    {
      title: 'notes on a letter',
      files: ['letter.pdf'],
      params: { prompt: 'Point out amounts.' },
      expect: { pages: [2], names: ['letter-commented.pdf'] },
    },
    {
      title: 'refuses a blank prompt',
      files: ['letter.pdf'],
      params: { prompt: '  ' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses a document without text',
      files: ['no-text.pdf'],
      params: { prompt: 'Point out amounts.' },
      expect: { refused: 'PDF_WITHOUT_TEXT' },
    },
  ],
  run: async (file, { prompt }, ctx) => {
    const model = ctx.use(tokens.languageModel);
    refuseUnlessUsable(model, 'pdfComment');
    const [{ editFile }, { addComments }, { readPageTexts }, { askComments, guideLength }, { placeComments }] =
      await Promise.all([
        import('@quire/document/file/open'),
        import('@quire/document/structure/annotations'),
        import('../functions/texts/page-texts.js'),
        import('../functions/comments/ask-comments.js'),
        import('../functions/comments/place-comments.js'),
      ]);
    const { pages } = await readPageTexts(file.path(), { signal: ctx.signal });
    if (pages.length === 0) throw new InputError('PDF_WITHOUT_TEXT', { field: 'fileInput' });
    const answer = await askComments(
      pages,
      prompt,
      model.limits,
      (question) => model.ask(question, ctx.signal),
      (done, total) => ctx.progress(done, total + 1),
    );
    if (answer === undefined)
      throw new InputError('INPUT_TEXT_TOO_LONG', {
        found: guideLength(prompt) + pages.reduce((sum, { text }) => sum + text.length, 0),
        limit: model.limits.characters,
      });
    const placed = await placeComments(file.path(), answer.comments, MARKS, ctx.signal);
    const now = ctx.use(tokens.clock).now();
    const target = `${await ctx.folder()}/commented.pdf`;
    const added = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: now, spendsInput: true },
      (opened) => addComments(opened, placed, { now, uuid: () => crypto.randomUUID() }),
    );
    ctx.report({
      annotationsApplied: added,
      instructionsReceived: answer.comments.length,
      ...(answer.rationale === undefined ? {} : { rationale: answer.rationale }),
    });
    return [await ctx.adopt(file, target)];
  },
});
