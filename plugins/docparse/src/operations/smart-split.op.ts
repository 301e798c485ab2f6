import {
  defineOperation,
  InputError,
  integerField,
  maxDpi,
  OperationalError,
  type OutputFile,
  shown,
  tokens,
} from '@quire/registry';
import { modelEffects } from './fields-run.js';
import { parsingSettings, requireParsing } from './reading.js';

interface SmartSplitParams {
  rule: string;
  maxParts: number;
}

/** Splits a PDF by a rule in words (`docs/interface/docparse.yml`, smart-split). */
export const smartSplit = defineOperation<SmartSplitParams>({
  path: 'docparse/smart-split',
  name: 'smartSplit',
  since: '0.2.0',
  summary: 'Split a PDF by a rule in words',
  title: 'Split by a rule in words',
  icon: 'scissors',
  order: 80,
  keywords: ['divide', 'separate', 'batch'],
  notes:
    'Understood without a language model, in English, German, French and Spanish:\n\n- page ranges: `1-3, 4-6, ' +
    '7-`\n- `every 5 pages`, `each page`, `into 3 parts`\n- `at each chapter`, `by bookmarks`, `at each ' +
    'heading`\n- `at blank pages`, which are left out\n- `where the text matches /Invoice\\s+\\d+/`, `at ' +
    '"Invoice"`: such a page begins a part; `after "End of letter"`: it ends one\n- `per invoice number`, and ' +
    'order, customer and VAT numbers, names, dates: a part goes on as long as the value stays the same\n\n' +
    'Pages before the first part are a part of their own. Any other rule is asked of the language model, whose ' +
    'page ranges are checked; 503 where none is set up. Parts keep bookmarks, links, fields, tags and page ' +
    'labels of their pages. 422 where the rule finds nothing, or more than `maxParts`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_{n}', many: { archive: '{base}_split' }, pages: 'any' },
  writes: 'assemble',
  effects: modelEffects,
  params: (joi) =>
    joi.object<SmartSplitParams, true>({
      rule: shown(
        joi
          .string()
          .trim()
          .min(1)
          .max(1000)
          .pattern(/^[\P{Cc}\t\n\r]*[\p{L}\p{N}][\P{Cc}\t\n\r]*$/u, 'words')
          .required()
          .description('Rule for the parts, in words')
          .example('every 5 pages'),
        { help: 'For example "every 5 pages" or "at each invoice".' },
      ),
      maxParts: shown(
        integerField(joi, 'Most parts; a rule that makes more is refused').min(1).max(500).default(500).example(100),
        { label: 'Most parts', help: 'A rule that makes more is refused.' },
      ),
    }),
  needs: { services: [tokens.clock, tokens.settings, tokens.languageModel], settings: parsingSettings },
  limits: { timeoutMs: 600_000 },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'SPLIT_NO_PARTS',
    'PATTERN_TOO_SLOW',
    'INPUT_TEXT_TOO_LONG',
    'INPUT_TOO_MANY_PAGES',
  ],
  examples: [
    {
      title: 'every two pages',
      files: ['bundle.pdf'],
      params: { rule: 'every 2 pages' },
      expect: { pages: [2, 2, 1], names: ['bundle_1.pdf', 'bundle_2.pdf', 'bundle_3.pdf'] },
    },
    { title: 'at blank pages', files: ['bundle.pdf'], params: { rule: 'at blank pages' }, expect: { pages: [3, 1] } },
    {
      title: 'per invoice number',
      files: ['bundle.pdf'],
      params: { rule: 'one file per invoice number' },
      expect: { pages: [2, 3], names: ['bundle_1_A-1.pdf', 'bundle_2_A-2.pdf'] },
    },
    {
      title: 'a text that is not there',
      files: ['bundle.pdf'],
      params: { rule: 'at "Contract"' },
      expect: { refused: 'SPLIT_NO_PARTS' },
    },
    {
      title: 'pages that are not there',
      files: ['bundle.pdf'],
      params: { rule: 'pages 1-3, 4-9' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'a damaged file',
      files: ['header-only.pdf'],
      params: { rule: 'every page' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, { rule, maxParts }, ctx) => {
    requireParsing(ctx);
    const [{ parseRule }, { planParts }, { splitToFiles }, { baseName }, { compileFault }] = await Promise.all([
      import('../functions/split/parse-rule.js'),
      import('../functions/split/plan-parts.js'),
      import('@quire/document/structure/split'),
      import('@quire/registry'),
      import('@quire/document/redaction/search'),
    ]);
    const understood = parseRule(rule);
    const watch = {
      signal: ctx.signal,
      progress: (done: number, total: number) => ctx.progress(done, total * 2),
      maxDpi: maxDpi(ctx),
    };
    if (understood?.kind === 'text' && compileFault(understood) !== undefined) {
      const detail = `the pattern in "rule" is not a regular expression: ${compileFault(understood)}`;
      throw new InputError('INPUT_INVALID', { detail }, [{ pointer: '/rule', detail }]);
    }
    let parts = understood === undefined ? [] : await planParts(file.path(), understood, watch);
    if (understood === undefined) {
      const model = ctx.use(tokens.languageModel);
      const detail = `the rule "${rule.slice(0, 100)}" is not understood without one`;
      if (!model.usable('docparse'))
        throw new OperationalError('SERVICE_NOT_SET_UP', { service: 'The language model', detail });
      const [{ askForParts }, { readEvidence }] = await Promise.all([
        import('../functions/split/ask-for-parts.js'),
        import('../functions/fields/read-evidence.js'),
      ]);
      parts = await askForParts(rule, await readEvidence(file.path(), watch), maxParts, {
        limits: model.limits,
        ask: (question) => model.ask({ feature: 'docparse', tier: 'smart', ...question }, ctx.signal),
      });
    }
    if (parts.length === 0)
      throw new InputError('SPLIT_NO_PARTS', {
        field: 'fileInput',
        rule: rule.slice(0, 100),
        detail: 'it fits nothing in the document',
      });
    if (parts.length > maxParts)
      throw new InputError('SPLIT_NO_PARTS', {
        field: 'fileInput',
        rule: rule.slice(0, 100),
        detail: `it makes ${parts.length} parts, more than the ${maxParts} of maxParts`,
      });
    const folder = await ctx.folder();
    const outputs: OutputFile[] = [];
    await splitToFiles(
      file.path(),
      (pageCount) => {
        // The page tree counts pages that it does not contain, which only the part itself would show.
        if (parts.some(({ pages }) => pages.some((page) => page >= pageCount)))
          throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'the number of pages is not clear' });
        return parts.map(({ pages }) => ({ pages, keepDocumentLevel: pages.length === pageCount }));
      },
      (n) => `${folder}/${n}.pdf`,
      {
        modified: ctx.use(tokens.clock).now(),
        onPart: async (path, n, count) => {
          ctx.signal.throwIfAborted();
          const title = parts[n - 1]?.title?.replace(/\s+/g, ' ').trim() ?? '';
          outputs.push(
            await ctx.adopt(
              file,
              path,
              title === '' ? { n } : { name: `${baseName(file.name)}_${n}_${title.slice(0, 80)}` },
            ),
          );
          ctx.progress(count + n, count * 2);
        },
      },
    );
    return outputs;
  },
});
