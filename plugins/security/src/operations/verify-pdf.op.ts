import { defineOperation, tokens } from '@quire/registry';

type VerifyPdfParams = Record<string, never>;

/** An item of the answer, for the examples. */
const item = (standard: string, text: string, profile: string | null, failures: readonly object[]): object => ({
  standard,
  standardName: text,
  validationProfile: profile === null ? null : standard,
  validationProfileName: profile,
  complianceSummary: text,
  declaredPdfa: profile !== null,
  compliant: failures.length === 0,
  totalFailures: failures.length,
  totalWarnings: 0,
  failures,
  warnings: [],
});
const undeclared = {
  ruleId: null,
  message: 'The XMP metadata has no PDF/A identification',
  location: null,
  specification: 'XMP pdfaid',
  clause: null,
  testNumber: null,
};

/** Checks a PDF against the standards that it declares (`docs/interface/security.yml`, verify-pdf). */
export const verifyPdf = defineOperation<VerifyPdfParams>({
  path: 'security/verify-pdf',
  since: '0.2.0',
  summary: 'Check PDF/A, PDF/UA and WTPDF as declared',
  notes: [
    'One item for each standard that the XMP metadata declares, PDF/A first, checked by veraPDF. Without a ' +
      'declaration of PDF/A the first item is `not-pdfa`, so the list is never empty; it is the only one where ' +
      'nothing is declared.',
    'A failure is a broken rule: in however many places it is broken, its first one is given, and their number ' +
      'in the message. Names and messages are texts of the program and may change with its version: rely on ' +
      '`standard`, `compliant`, `specification`, `clause` and `testNumber`.',
    'A standard whose check breaks down is not compliant, and its one failure says why. A document that ' +
      'veraPDF cannot read at all is refused as damaged, though other operations may mend it.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) => {
      const text = joi.string().allow(null, '').required();
      const issues = joi
        .array()
        .items(
          joi.object({
            ruleId: text,
            message: joi.string().required(),
            location: text,
            specification: text,
            clause: text,
            testNumber: text,
          }),
        )
        .required();
      return joi
        .array()
        .min(1)
        .items(
          joi.object({
            standard: joi.string().required(),
            standardName: joi.string().required(),
            validationProfile: text,
            validationProfileName: text,
            complianceSummary: joi.string().required(),
            declaredPdfa: joi.boolean().required(),
            compliant: joi.boolean().required(),
            totalFailures: joi.number().integer().required(),
            totalWarnings: joi.number().integer().required(),
            failures: issues,
            warnings: issues,
          }),
        );
    },
  },
  params: (joi) => joi.object<VerifyPdfParams, true>({}),
  needs: { programs: ['verapdf'], services: [tokens.standardsValidator] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a document that is PDF/A-2b',
      files: ['pdfa-2b.pdf'],
      params: {},
      expect: { json: { length: 1, 0: item('2b', 'PDF/A-2b compliant', 'PDF/A-2b validation profile', []) } },
    },
    {
      title: 'two standards declared and broken',
      files: ['declares-2b-and-ua1.pdf'],
      params: {},
      expect: { json: { length: 2 } },
    },
    {
      title: 'nothing declared',
      files: ['rotated-and-cropped.pdf'],
      params: {},
      expect: {
        json: { length: 1, 0: item('not-pdfa', 'Not PDF/A: the document does not declare it', null, [undeclared]) },
      },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const { verifyPdf: verify } = await import('../functions/verify-pdf.js');
    const validator = ctx.use(tokens.standardsValidator);
    return ctx.json(await verify(file.path(), (path) => validator.validate(path, ctx.signal)));
  },
});
