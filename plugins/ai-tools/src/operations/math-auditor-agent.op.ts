import { defineOperation, OperationalError, shown, tokens } from '@quire/registry';

interface MathAuditorParams {
  tolerance: number;
}

/** Finds arithmetic contradictions in a PDF (`docs/interface/ai.yml`, math-auditor-agent). */
export const mathAuditorAgent = defineOperation<MathAuditorParams>({
  path: 'ai/tools/math-auditor-agent',
  name: 'auditArithmetic',
  since: '0.2.0',
  summary: 'Find arithmetic contradictions in a PDF',
  title: 'Check the arithmetic',
  icon: 'calculator',
  order: 30,
  keywords: ['check numbers', 'calculation', 'audit', 'totals'],
  notes: [
    'Everything is calculated here, with exact decimals: totals of tables and of lists of amounts (`tally`), ' +
      'quantity times price and arithmetic that is written out (`arithmetic`), shares, sums, differences and ' +
      'changes in percent in sentences (`statement`), and amounts such as an invoice total that are named twice ' +
      'differently (`consistency`).',
    'The language model reads the sentences that hold several numbers, and proposes claims in them; a proposal ' +
      'counts when its quotation is on the page and its numbers are in the quotation, and it is calculated like ' +
      'all others. Nothing but such sentences leaves the server.',
    "Numbers are read as `1,234.56`, `1.234,56`, `1 234,56` and `1'234.56`. A number that can be read in two " +
      'ways is reported only when it is wrong in both. `warning`: rounding may explain it, or a person should ' +
      'look whether the numbers belong together.',
    '`unauditablePages` have no text: recognise it first with `misc/ocr-pdf`. As a step of a pipeline the JSON ' +
      'takes the place of the file.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        type: joi.string().valid('math-audit').required().description('Always math-audit'),
        sessionId: joi.string().required().description('Names this audit'),
        discrepancies: joi
          .array()
          .required()
          .items(
            joi.object({
              page: joi.number().integer().required(),
              kind: joi.string().valid('tally', 'arithmetic', 'consistency', 'statement').required(),
              severity: joi.string().valid('error', 'warning').required(),
              description: joi.string().required(),
              stated: joi.string().required(),
              expected: joi.string().required(),
              context: joi.string().required(),
            }),
          ),
        pagesExamined: joi.array().items(joi.number().integer()).required(),
        roundsTaken: joi.number().integer().required().description('Questions to the language model'),
        summary: joi.string().required(),
        clean: joi.boolean().required().description('Nothing was found'),
        unauditablePages: joi.array().items(joi.number().integer()).required(),
      }),
  },
  effects: ['needsNetwork', 'nondeterministic'],
  needs: { services: [tokens.languageModel], settings: ['aiEngine.enabled', 'aiEngine.features.mathAuditor'] },
  limits: { maxBytes: 50 * 1024 * 1024, timeoutMs: 600_000 },
  params: (joi) =>
    joi.object<MathAuditorParams, true>({
      tolerance: shown(
        joi
          .number()
          .min(0)
          .max(1_000_000_000)
          .default(0.01)
          .description('Differences below this are ignored')
          .example('0.05'),
        { help: 'Smaller differences are ignored.' },
      ),
    }),
  errors: ['INPUT_TEXT_TOO_LONG'],
  examples: [
    {
      title: 'an invoice with errors',
      files: ['invoice-with-errors.pdf'],
      params: {},
      expect: { json: { type: 'math-audit', clean: false } },
    },
    {
      title: 'a clean invoice',
      files: ['invoice.pdf'],
      params: { tolerance: 0.05 },
      expect: { json: { clean: true, discrepancies: [] } },
    },
    {
      title: 'refuses a negative tolerance',
      files: ['invoice.pdf'],
      params: { tolerance: -1 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { tolerance }, ctx) => {
    const model = ctx.use(tokens.languageModel);
    if (!model.usable('mathAuditor'))
      throw new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'mathAuditor',
        detail: 'aiEngine.enabled or aiEngine.features.mathAuditor is false',
      });
    const [{ auditDocument }, { proposeClaims }, { decimal }, { randomUUID }] = await Promise.all([
      import('../functions/audit/audit-document.js'),
      import('../functions/audit/propose-claims.js'),
      import('../functions/audit/rational.js'),
      import('node:crypto'),
    ]);
    const { discrepancies, pagesExamined, unauditablePages, rounds } = await auditDocument(
      { path: file.path() },
      {
        tolerance: decimal(tolerance.toFixed(12).replace('.', ''), 12),
        signal: ctx.signal,
        progress: (done, total) => ctx.progress(done, total),
        propose: (prose) =>
          proposeClaims(prose, model.limits, ({ instructions, text, schema }) =>
            model.ask(
              { feature: 'mathAuditor', tier: 'smart', instructions, text, answer: { name: 'claims', schema } },
              ctx.signal,
            ),
          ),
      },
    );
    const errors = discrepancies.filter(({ severity }) => severity === 'error').length;
    const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
    const blind =
      unauditablePages.length === 0
        ? ''
        : ` ${counted(unauditablePages.length, 'page')} without text could not be examined.`;
    return ctx.json({
      type: 'math-audit',
      sessionId: randomUUID(),
      discrepancies,
      pagesExamined,
      roundsTaken: rounds,
      summary:
        (discrepancies.length === 0
          ? 'No contradictions were found '
          : `${counted(errors, 'error')} and ${counted(discrepancies.length - errors, 'warning')} were found `) +
        `on ${counted(pagesExamined.length, 'page')}.${blind}`,
      clean: discrepancies.length === 0,
      unauditablePages,
    });
  },
});
