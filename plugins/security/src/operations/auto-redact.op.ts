import { booleanField, colourField, defineOperation, maxDpi, numberField, shown, tokens } from '@quire/registry';
import { ocrFor, VERIFY_TIMEOUT_MS, verifyFields, type VerifyParams, verifyServices } from './redaction-verify.js';

interface AutoRedactParams extends VerifyParams {
  listOfText: string;
  useRegex: boolean;
  wholeWordSearch: boolean;
  redactColor: string;
  customPadding: number;
  convertPDFToImage: boolean;
}

/** Finds text and removes it (`docs/interface/security.yml`, auto-redact). */
export const autoRedact = defineOperation<AutoRedactParams>({
  path: 'security/auto-redact',
  since: '0.2.0',
  summary: 'Search for text or patterns and redact them',
  title: 'Redact text',
  icon: 'text-search',
  order: 50,
  screen: 'document/redact',
  keywords: ['black out', 'blackout', 'censor', 'anonymize', 'search and redact', 'regex', 'hide text'],
  notes:
    'Matches are removed from the file: from page content and the forms it draws, annotations, field values, ' +
    'bookmarks, names, attachments, metadata and earlier revisions. A box is drawn in their place. Where a font ' +
    'says one text and shows another, both are searched, and so is text that the glyphs of a Type 3 font draw. ' +
    'Terms in names that no page shows (resources, fonts, tags, roles) are replaced, in identifiers, languages and ' +
    'inline images removed. Two engines ' +
    'then read the changed pages of the result again, and the second engine all others, except, in documents of 16 ' +
    'pages and more, those so plain that every engine reads the same text. If a match is left, the call fails with ' +
    '422 and returns no file. With `verify=ocr`, the pages of the result are also drawn and read with OCR. Case is ' +
    'always ignored. Plain terms are also found across line ends, hyphenation, spaced-out letters, ligatures ' +
    'and any number of spaces. Patterns use Java regular expression syntax; they see a page as words separated ' +
    'by one space and lines separated by one line feed, and they have a time limit (422). Text in images is ' +
    'not found; `verify=ocr` fails with 422 if it can be read. `X-Tool-Report` holds `matches`; `unreadable` and ' +
    '`unreadableFonts`, the number of characters whose font does not say which characters they are, and the names ' +
    'of these fonts; and `kept`, names with a term that cannot be changed. The last three are also in `X-Warnings`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_redacted', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<AutoRedactParams, true>({
      listOfText: shown(
        joi
          .string()
          .trim()
          .max(2_000_000)
          .required()
          .messages({
            'any.required': '{{#label}} is required (error.redaction.no.patterns)',
            'string.empty': '{{#label}} must not be blank (error.redaction.no.patterns)',
          })
          .description('Terms or patterns, one per line; surrounding spaces and blank lines are ignored')
          .example('John Doe\nsecret'),
        { label: 'Terms', help: 'One per line.', widget: 'multiline' },
      ),
      useRegex: shown(booleanField(joi, 'Treat each line as a regular expression in Java syntax'), {
        label: 'Terms are patterns',
        help: 'Regular expressions in Java syntax.',
      }),
      wholeWordSearch: shown(booleanField(joi, 'Match whole words only'), {
        label: 'Match whole words only',
        help: '',
      }),
      redactColor: shown(
        colourField(joi, 'Colour of the boxes in hexadecimal, with or without #; any other value means black', {
          fallback: '#000000',
        }),
        { label: 'Colour of the boxes', help: '' },
      ),
      customPadding: shown(
        numberField(joi, 'Extra height in points above and below each box; what it covers is removed as well')
          .min(0)
          .max(14_400)
          .default(0),
        {
          label: 'Extra height',
          help: 'Above and below each box; what it covers is removed as well.',
          unit: 'pt',
          advanced: true,
        },
      ),
      convertPDFToImage: shown(booleanField(joi, 'Convert every page of the result to one image'), {
        label: 'Convert pages to images',
        help: '',
        advanced: true,
      }),
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
      title: 'two terms',
      files: ['letter.pdf'],
      params: { listOfText: 'Jane Roe\nconfidential' },
      expect: { pages: [2], names: ['letter_redacted.pdf'] },
    },
    {
      title: 'numbers by pattern, in red',
      files: ['letter.pdf'],
      params: { listOfText: '\\b\\d{3}-\\d{2}-\\d{4}\\b', useRegex: true, redactColor: '#ff0000' },
      expect: { pages: [2] },
    },
    {
      title: 'whole words, pages as images',
      files: ['letter.pdf'],
      params: { listOfText: 'Roe', wholeWordSearch: true, customPadding: 2, convertPDFToImage: true },
      expect: { pages: [2] },
    },
    {
      title: 'refuses an invalid pattern',
      files: ['letter.pdf'],
      params: { listOfText: 'a\n(b', useRegex: true },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (
    file,
    {
      listOfText,
      useRegex: regex,
      wholeWordSearch: wholeWord,
      redactColor,
      customPadding: padding,
      convertPDFToImage,
      ...checking
    },
    ctx,
  ) => {
    const [{ searchFor, termsOfLines }, { redactionColour }, { redactFile }] = await Promise.all([
      import('../functions/redaction/terms.js'),
      import('../functions/redaction/boxes.js'),
      import('../functions/redaction/redact-file.js'),
    ]);
    const search = searchFor(
      termsOfLines(listOfText).map((text, i) => ({ text, regex, wholeWord, field: 'listOfText', number: i + 1 })),
    );
    const plan = { ...(search === undefined ? {} : { search }), colour: redactionColour(redactColor), padding };
    const { path, facts, warnings } = await redactFile(file.path(), await ctx.folder(), plan, {
      signal: ctx.signal,
      modified: ctx.use(tokens.clock).now(),
      progress: (done, total) => ctx.progress(done, total),
      dpi: convertPDFToImage ? maxDpi(ctx) : undefined,
      ocr: await ocrFor(checking, ctx),
    });
    ctx.report(facts);
    for (const warning of warnings) ctx.warn(warning);
    return [await ctx.adopt(file, path)];
  },
});
