import type { JoiRoot } from '@quire/registry';
import { defineOperation, maxDpi, shown, tokens } from '@quire/registry';
import type { RedactionTargets } from '../functions/redaction/targets.js';
import { termFields } from './redaction-terms.js';
import { ocrFor, VERIFY_TIMEOUT_MS, verifyFields, type VerifyParams, verifyServices } from './redaction-verify.js';

type RedactExecuteParams = { -readonly [K in keyof RedactionTargets]: RedactionTargets[K] } & VerifyParams;

const aText = (joi: JoiRoot) => joi.string().allow('').max(100_000);
/** A repeated field of texts, or a single one; numbers, from JSON, count as texts. */
const several = (joi: JoiRoot, description: string) =>
  joi.array().items(aText(joi), joi.number()).single().max(10_000).description(description);
/** A repeated field of page numbers, or a single one; the operation ignores texts that are not numbers. */
const pageNumbers = (joi: JoiRoot, description: string) =>
  joi.array().items(joi.number(), aText(joi)).single().max(10_000).description(description);
const json = (joi: JoiRoot, description: string) =>
  joi.string().trim().allow('').max(20_000_000).default('').description(description);

/** Runs several kinds of redaction at once (`docs/interface/security.yml`, redact-execute). */
export const redactExecute = defineOperation<RedactExecuteParams>({
  path: 'security/redact-execute',
  name: 'redactPdf',
  since: '0.2.0',
  summary: 'Redact text, ranges, images and pages in one call',
  title: 'Redact in one call',
  icon: 'list-x',
  order: 70,
  screen: 'document/redact',
  keywords: ['black out', 'blackout', 'censor', 'anonymize', 'bulk redact', 'hide text', 'regex'],
  notes:
    'At least one target is required. Text is redacted as in auto-redact, areas as in redact, and the result ' +
    'is checked before it is returned (422). A list field that is sent once may contain commas: the whole ' +
    'value and each of its parts are searched for, in `regexPatterns` only if every part is a valid pattern. A ' +
    'range goes from its start phrase to the next end phrase in reading order, column by column; ranges whose ' +
    'phrases are not found are skipped and counted in `X-Tool-Report` (`rangesSkipped`). The strategy ' +
    'OVERLAY_ONLY removes text just as AUTO does: text never remains under a box. Matches named in `keep` stay ' +
    '(`keptMatches` in the report): of their terms, every other match on pages is removed where it stands, and ' +
    'outside of the content of pages (bookmarks, properties, annotations, form fields, attachments) every one; the ' +
    'result is checked for them only at these places.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_redacted', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<RedactExecuteParams>({
      textValues: shown(
        several(joi, 'Phrases to redact, matched exactly except for case; repeat the field for several')
          .default([])
          .example(['Jane Roe', 'secret']),
        { label: 'Phrases', help: 'Matched exactly except for case.' },
      ),
      regexPatterns: shown(
        several(joi, 'Regular expressions in Java syntax; repeat the field for several')
          .default([])
          .example(['\\d{3}-\\d{2}-\\d{4}']),
        { label: 'Patterns', help: 'Regular expressions in Java syntax.' },
      ),
      ...termFields(joi),
      keep: shown(
        several(
          joi,
          'Ids of matches that stay, from redact-preview of the same file and terms; repeat the field, or join them ' +
            'by commas',
        )
          .default([])
          .example(['3f0c51b2a4d9e687']),
        { label: 'Matches that stay', help: 'Ids of matches from Preview redaction.', advanced: true },
      ),
      wipePages: shown(
        pageNumbers(joi, 'Pages to empty, from 1; values that are not page numbers are ignored')
          .default([])
          .example([2]),
        { label: 'Pages to empty', help: 'Page numbers from 1.' },
      ),
      ranges: shown(
        json(
          joi,
          'JSON list of {startString, endString}; without endString the range goes to the end of the document',
        ).example('[{"startString": "Dear", "endString": "Ltd."}]'),
        {
          label: 'Ranges',
          help: 'A list of {startString, endString}; without an end to the end of the document.',
          widget: 'json',
          advanced: true,
        },
      ),
      imageBoxes: shown(
        json(
          joi,
          'JSON list of {pageIndex, x1, y1, x2, y2}; pages count from 0, coordinates are points from the bottom left',
        ).example('[{"pageIndex": 0, "x1": 50, "y1": 50, "x2": 150, "y2": 110}]'),
        {
          label: 'Boxes',
          help: 'A list of {pageIndex, x1, y1, x2, y2}; pages count from 0, points from the bottom left.',
          widget: 'json',
          advanced: true,
        },
      ),
      redactImagePages: shown(
        several(joi, 'Pages to remove images from, from 1; empty means all pages, absent means none')
          .optional()
          .example([1]),
        { label: 'Pages without their images', help: 'Page numbers from 1.', advanced: true },
      ),
      style: shown(
        json(
          joi,
          'JSON {color, caption, padding, convertToImage, strategy}; caption is written into the boxes; strategy is ' +
            'AUTO, OVERLAY_ONLY or IMAGE_FINALIZE, which converts every page to one image',
        ).example('{"color": "#000000", "padding": 0}'),
        {
          help: '{color, caption, padding, convertToImage, strategy}.',
          widget: 'json',
          advanced: true,
        },
      ),
      ...verifyFields(joi),
    }),
  needs: { services: verifyServices },
  limits: { timeoutMs: VERIFY_TIMEOUT_MS },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PATTERN_TOO_SLOW',
    'REDACTION_INCOMPLETE',
    'IMAGE_TOO_LARGE',
    'OCR_LANGUAGES_UNKNOWN',
  ],
  examples: [
    {
      title: 'phrases and patterns',
      files: ['letter.pdf'],
      params: { textValues: ['Jane Roe'], regexPatterns: ['\\d{3}-\\d{2}-\\d{4}'], style: '{"color": "#003366"}' },
      expect: { pages: [2], names: ['letter_redacted.pdf'] },
    },
    {
      title: 'a range, a box and an emptied page',
      files: ['letter.pdf'],
      params: {
        ranges: '[{"startString": "your number", "endString": "may read it"}]',
        imageBoxes: '{"pageIndex": 0, "x1": 50, "y1": 50, "x2": 150, "y2": 110}',
        wipePages: [2],
      },
      expect: { pages: [2] },
    },
    {
      title: 'images of all pages, and pages as images',
      files: ['letter.pdf'],
      params: { redactImagePages: [''], style: '{"strategy": "IMAGE_FINALIZE"}' },
      expect: { pages: [2] },
    },
    {
      title: 'refuses a call without targets',
      files: ['letter.pdf'],
      params: {},
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ planTargets }, { redactFile }] = await Promise.all([
      import('../functions/redaction/targets.js'),
      import('../functions/redaction/redact-file.js'),
    ]);
    const { plan, style, skipped } = planTargets(params, ctx.signal);
    const { path, facts, warnings } = await redactFile(file.path(), await ctx.folder(), plan, {
      signal: ctx.signal,
      modified: ctx.use(tokens.clock).now(),
      progress: (done, total) => ctx.progress(done, total),
      dpi: style.convertToImage || style.strategy === 'IMAGE_FINALIZE' ? maxDpi(ctx) : undefined,
      ocr: await ocrFor(params, ctx),
    });
    for (const warning of warnings) ctx.warn(warning);
    ctx.report({
      ...facts,
      ...(skipped() > 0 ? { rangesSkipped: skipped() } : {}),
      ...(style.strategy === 'OVERLAY_ONLY' ? { strategy: 'AUTO' } : {}),
    });
    return [await ctx.adopt(file, path)];
  },
});
