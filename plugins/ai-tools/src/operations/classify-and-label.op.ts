import { defineOperation, tokens } from '@quire/registry';
import { refuseUnlessUsable } from '../functions/model-use.js';

/** Stores what kind of document it is in the document (`docs/interface/ai.yml`, classify-and-label). */
export const classifyAndLabel = defineOperation<Record<never, never>>({
  path: 'ai/tools/classify-and-label',
  name: 'classifyDocument',
  since: '0.2.0',
  summary: 'Tell what kind of document it is, and store it there',
  title: 'Classify a document',
  icon: 'tags',
  order: 10,
  keywords: ['category', 'document type', 'tag'],
  notes:
    'A language model is given the text of the first two and the last two pages, and chooses one of a fixed ' +
    'list of kinds. The entry `Classification` of the information dictionary then holds it as JSON: `id` ' +
    '(`invoice`), `name` (`Invoice`) and `confidence` (0 to 1); `X-Tool-Report` holds the same. A document ' +
    'whose pages have no text comes back as it was, with `labelled` false in the report.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', pages: 'same' },
  writes: 'append',
  effects: ['needsNetwork', 'nondeterministic'],
  needs: {
    services: [tokens.languageModel, tokens.clock],
    settings: ['aiEngine.enabled', 'aiEngine.features.classify'],
  },
  limits: { timeoutMs: 600_000, maxBytes: 50 * 1024 * 1024 },
  params: (joi) => joi.object<Record<never, never>, true>({}),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'INPUT_TEXT_TOO_LONG'],
  examples: [
    { title: 'a letter', files: ['letter.pdf'], params: {}, expect: { pages: [2], names: ['letter.pdf'] } },
    { title: 'refuses a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const model = ctx.use(tokens.languageModel);
    refuseUnlessUsable(model, 'classify');
    const [{ editFile }, { changeInfo }, { readPageTexts }, { askClass, tellingPages }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/structure/metadata'),
      import('../functions/texts/page-texts.js'),
      import('../functions/classify/ask-class.js'),
    ]);
    const { pages } = await readPageTexts(file.path(), { signal: ctx.signal, choose: tellingPages });
    if (pages.length === 0) {
      ctx.report({ labelled: false });
      return [ctx.keep(file)];
    }
    const label = await askClass(pages, model.limits, (question) => model.ask(question, ctx.signal));
    const target = `${await ctx.folder()}/labelled.pdf`;
    await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      ({ document: { context } }) => changeInfo(context, { Classification: JSON.stringify(label) }),
    );
    ctx.report({ labelled: true, ...label });
    return [await ctx.adopt(file, target)];
  },
});
