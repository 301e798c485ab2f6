import { booleanField, defineOperation, maxDpi, numberField, tokens } from '@quire/registry';

interface AutoRedactParams {
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
  summary: 'Find text or patterns and remove them',
  notes:
    'What is found leaves the file: page content, forms drawn on it, annotations, field values, bookmarks, ' +
    'names, attachments, metadata and earlier revisions; a box is drawn where it stood. The result is read ' +
    'again by two engines: should anything be left, the answer is 422 and no file. Case never counts. Plain ' +
    'terms are found across line ends, hyphenation, spaced-out letters, ligatures and any number of blanks. ' +
    'Patterns are those of Java, see a page as words joined by one blank and lines by one line feed, and run ' +
    'under a time limit (422). Text in pictures is not read. `X-Tool-Report` holds `matches`, and as ' +
    '`unreadable` how many characters have a font that does not tell what they are.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_redacted', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<AutoRedactParams, true>({
      listOfText: joi
        .string()
        .trim()
        .max(2_000_000)
        .required()
        .messages({
          'any.required': '{{#label}} is required (error.redaction.no.patterns)',
          'string.empty': '{{#label}} must not be blank (error.redaction.no.patterns)',
        })
        .description('Terms or patterns, one on each line; blanks around them and blank lines do not count')
        .example('John Doe\nsecret'),
      useRegex: booleanField(joi, 'Takes each line as a regular expression in the notation of Java'),
      wholeWordSearch: booleanField(joi, 'Takes only what neither begins nor ends within a word'),
      redactColor: joi
        .string()
        .trim()
        .empty('')
        .max(100)
        .default('#000000')
        .description('Colour of the boxes, hexadecimal, the leading # optional; anything else gives black')
        .example('#000000'),
      customPadding: numberField(joi, 'Points added above and below each box; what it covers then leaves as well')
        .min(0)
        .max(14_400)
        .default(0),
      convertPDFToImage: booleanField(joi, 'Turns every page of the result into one picture'),
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
      title: 'two terms',
      files: ['letter.pdf'],
      params: { listOfText: 'Jane Roe\nconfidential' },
      expect: { pages: [2], names: ['letter_redacted.pdf'] },
    },
    {
      title: 'numbers by their pattern, in red',
      files: ['letter.pdf'],
      params: { listOfText: '\\b\\d{3}-\\d{2}-\\d{4}\\b', useRegex: true, redactColor: '#ff0000' },
      expect: { pages: [2] },
    },
    {
      title: 'whole words, pages as pictures',
      files: ['letter.pdf'],
      params: { listOfText: 'Roe', wholeWordSearch: true, customPadding: 2, convertPDFToImage: true },
      expect: { pages: [2] },
    },
    {
      title: 'refuses a broken pattern',
      files: ['letter.pdf'],
      params: { listOfText: 'a\n(b', useRegex: true },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (
    file,
    { listOfText, useRegex: regex, wholeWordSearch: wholeWord, redactColor, customPadding: padding, convertPDFToImage },
    ctx,
  ) => {
    const [{ searchFor, termsOfLines }, { redactionColour }, { redactFile }] = await Promise.all([
      import('../functions/redaction/redaction-terms.js'),
      import('../functions/redaction/redaction-boxes.js'),
      import('../functions/redaction/redact-file.js'),
    ]);
    const search = searchFor(
      termsOfLines(listOfText).map((text, i) => ({ text, regex, wholeWord, field: 'listOfText', number: i + 1 })),
    );
    const plan = { ...(search === undefined ? {} : { search }), colour: redactionColour(redactColor), padding };
    const { path, facts } = await redactFile(file.path(), await ctx.folder(), plan, {
      signal: ctx.signal,
      modified: ctx.use(tokens.clock).now(),
      progress: (done, total) => ctx.progress(done, total),
      dpi: convertPDFToImage ? maxDpi(ctx) : undefined,
    });
    ctx.report(facts);
    return [await ctx.adopt(file, path)];
  },
});
