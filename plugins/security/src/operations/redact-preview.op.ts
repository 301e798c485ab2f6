import { defineOperation } from '@quire/registry';
import { InputError } from '@quire/registry/errors';
import type { TermFields } from '../functions/redaction/named-terms.js';
import { termFields } from './redaction-terms.js';
import { VERIFY_TIMEOUT_MS } from './redaction-verify.js';

/** Lists what redaction would remove. */
export const redactPreview = defineOperation<TermFields>({
  path: 'security/redact-preview',
  name: 'previewRedaction',
  since: '0.3.0',
  summary: 'List the matches that redaction would remove',
  title: 'Preview redaction',
  icon: 'scan-search',
  order: 75,
  keywords: ['find', 'search', 'matches', 'review', 'black out', 'censor', 'regex', 'personal data'],
  notes: [
    'Searches exactly as redact-execute does, with both of its readers on every page, and changes nothing. Send the ' +
      '`id` of matches that must stay to redact-execute as `keep`, with the same file, `terms` and `presets`.',
    'Matches that overlap are one match with several `terms`. `letters` and `boxes` are corners of quadrilaterals ' +
      '(x0, y0, … x3, y3), one for each line of the match, in points of the own coordinates of the page. ' +
      '`elsewhere` counts what redaction of these terms would remove or change outside of the content of pages, ' +
      'where no match can be kept: annotations, form fields, strings such as titles and bookmarks, attachments. ' +
      'If anything is redacted on a page, author, subject, keywords and XMP are removed in any case.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) => {
      const count = joi.number().integer();
      const quads = joi.array().items(joi.array().items(joi.number()).length(8)).required();
      return joi.object({
        pages: count.required().description('Pages of the document').example(2),
        matches: joi
          .array()
          .items(
            joi.object({
              id: joi.string().required().description('For `keep` of redact-execute').example('3f0c51b2a4d9e687'),
              page: count.min(1).required().description('From 1').example(1),
              terms: joi
                .array()
                .items(count.min(1))
                .required()
                .description('Numbers of the terms that match here, from 1; those of `presets` follow those of `terms`')
                .example([1]),
              before: joi.string().allow('').required().description('Text before the match').example('Dear '),
              text: joi.string().required().description('The match as it was read').example('Jane Roe'),
              after: joi.string().allow('').required().description('Text after the match').example(', your number'),
              letters: quads.description('The letters, line by line'),
              boxes: quads.description('The boxes that are drawn over them'),
            }),
          )
          .required()
          .description('In the order of pages and lines'),
        elsewhere: joi
          .object()
          .pattern(joi.string(), count)
          .required()
          .description(
            'What is removed or changed outside of pages: `annotations`, `widgets` (form fields), `strings`, ' +
              '`streams`, `names`, `actions`, `files`, `hiddenPages`; those without any are absent',
          )
          .example({ strings: 2, files: 1 }),
        unreadable: count
          .required()
          .description('Characters that cannot be searched, because their fonts do not say which they are')
          .example(0),
        unreadableFonts: joi.array().items(joi.string().allow('')).required().description('Names of these fonts'),
      });
    },
  },
  params: (joi) => joi.object<TermFields>(termFields(joi)),
  limits: { timeoutMs: VERIFY_TIMEOUT_MS },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'PATTERN_TOO_SLOW'],
  examples: [
    {
      title: 'a name, as a whole word',
      files: ['letter.pdf'],
      params: { terms: '[{"text": "roe", "wholeWord": true}]' },
      expect: { json: { pages: 2 } },
    },
    {
      title: 'e-mail addresses and phone numbers',
      files: ['letter.pdf'],
      params: { presets: ['email', 'phone'] },
      expect: { json: { pages: 2 } },
    },
    {
      title: 'refuses an invalid pattern',
      files: ['letter.pdf'],
      params: { terms: '[{"text": "(b", "regex": true}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses a call without terms',
      files: ['letter.pdf'],
      params: {},
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ namedTerms }, { searchFor }, { previewRedaction }] = await Promise.all([
      import('../functions/redaction/named-terms.js'),
      import('../functions/redaction/terms.js'),
      import('../functions/redaction/preview.js'),
    ]);
    const search = searchFor(namedTerms(params));
    if (search === undefined)
      throw new InputError('INPUT_INVALID', { detail: 'Nothing to search for: send terms or presets' }, [
        { pointer: '/terms', detail: 'is empty, and so is presets; send one of them' },
      ]);
    const { unreadable, ...preview } = await previewRedaction(file.path(), search, {
      signal: ctx.signal,
      onPage: (done, total) => ctx.progress(done, total),
    });
    return ctx.json({
      ...preview,
      unreadable: [...unreadable.values()].reduce((sum, count) => sum + count, 0),
      unreadableFonts: [...unreadable.keys()],
    });
  },
});
