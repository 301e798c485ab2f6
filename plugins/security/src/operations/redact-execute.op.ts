import type { JoiRoot } from '@quire/registry';
import { defineOperation, maxDpi, tokens } from '@quire/registry';
import type { RedactionTargets } from '../functions/redaction/redaction-targets.js';

type RedactExecuteParams = { -readonly [K in keyof RedactionTargets]: RedactionTargets[K] };

/** A repeated field of texts or numbers, or a single one. */
const several = (joi: JoiRoot, description: string) =>
  joi.array().items(joi.string().allow('').max(100_000), joi.number()).single().max(10_000).description(description);
const json = (joi: JoiRoot, description: string) =>
  joi.string().trim().allow('').max(20_000_000).default('').description(description);

/** Runs a plan of several kinds of redaction (`docs/interface/security.yml`, redact-execute). */
export const redactExecute = defineOperation<RedactExecuteParams>({
  path: 'security/redact-execute',
  since: '0.2.0',
  summary: 'Remove text, ranges, pictures and pages by a plan',
  notes:
    'At least one target must be named. Found text is removed as auto-redact does, areas as redact does, and ' +
    'the result is read again before it is handed out (422). A list field sent once may hold commas: it is ' +
    'taken as it stands and by its parts as well, patterns only where each part is one. A range goes from its ' +
    'start phrase to the first end phrase behind it in reading order, column by column; ranges whose phrases ' +
    'are not found are skipped and counted in `X-Tool-Report` (`rangesSkipped`). The strategy OVERLAY_ONLY ' +
    'removes text like AUTO: text never stays under a box.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_redacted', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<RedactExecuteParams>({
      textValues: several(
        joi,
        'Phrases, looked for to the letter without regard to case; the field repeated for several',
      )
        .default([])
        .example(['Jane Roe', 'secret']),
      regexPatterns: several(joi, 'Regular expressions in the notation of Java; the field repeated for several')
        .default([])
        .example(['\\d{3}-\\d{2}-\\d{4}']),
      wipePages: several(joi, 'Pages that are emptied, from 1; what is no page number is dropped')
        .default([])
        .example([2]),
      ranges: json(joi, 'JSON list of {startString, endString}; without endString to the end of the document').example(
        '[{"startString": "Dear", "endString": "Ltd."}]',
      ),
      imageBoxes: json(
        joi,
        'JSON list of {pageIndex, x1, y1, x2, y2}; pages count from 0, points from the origin at the bottom left',
      ).example('[{"pageIndex": 0, "x1": 50, "y1": 50, "x2": 150, "y2": 110}]'),
      redactImagePages: several(
        joi,
        'Pages whose pictures are removed, from 1; sent empty for all pages, absent for none',
      )
        .optional()
        .example([1]),
      style: json(
        joi,
        'JSON {color, padding, convertToImage, strategy}; strategy is AUTO, OVERLAY_ONLY or IMAGE_FINALIZE, ' +
          'which makes every page one picture',
      ).example('{"color": "#000000", "padding": 0}'),
    }),
  needs: { services: [tokens.settings, tokens.clock] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PATTERN_TOO_SLOW',
    'REDACTION_INCOMPLETE',
    'IMAGE_TOO_LARGE',
  ],
  examples: [
    {
      title: 'phrases and patterns',
      files: ['letter.pdf'],
      params: { textValues: ['Jane Roe'], regexPatterns: ['\\d{3}-\\d{2}-\\d{4}'], style: '{"color": "#003366"}' },
      expect: { pages: [2], names: ['letter_redacted.pdf'] },
    },
    {
      title: 'a range, a box and a wiped page',
      files: ['letter.pdf'],
      params: {
        ranges: '[{"startString": "your number", "endString": "may read it"}]',
        imageBoxes: '{"pageIndex": 0, "x1": 50, "y1": 50, "x2": 150, "y2": 110}',
        wipePages: [2],
      },
      expect: { pages: [2] },
    },
    {
      title: 'pictures of all pages, pages as pictures',
      files: ['letter.pdf'],
      params: { redactImagePages: [''], style: '{"strategy": "IMAGE_FINALIZE"}' },
      expect: { pages: [2] },
    },
    {
      title: 'refuses a plan without targets',
      files: ['letter.pdf'],
      params: {},
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ planTargets }, { redactFile }] = await Promise.all([
      import('../functions/redaction/redaction-targets.js'),
      import('../functions/redaction/redact-file.js'),
    ]);
    const { plan, style, skipped } = planTargets(params, ctx.signal);
    const { path, facts } = await redactFile(file.path(), await ctx.folder(), plan, {
      signal: ctx.signal,
      modified: ctx.use(tokens.clock).now(),
      progress: (done, total) => ctx.progress(done, total),
      dpi: style.convertToImage || style.strategy === 'IMAGE_FINALIZE' ? maxDpi(ctx) : undefined,
    });
    ctx.report({
      ...facts,
      ...(skipped() > 0 ? { rangesSkipped: skipped() } : {}),
      ...(style.strategy === 'OVERLAY_ONLY' ? { strategy: 'AUTO' } : {}),
    });
    return [await ctx.adopt(file, path)];
  },
});
