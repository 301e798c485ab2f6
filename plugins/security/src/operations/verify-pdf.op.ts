import { defineOperation, tokens } from '@quire/registry';

type VerifyPdfParams = Record<string, never>;

/** An item of the result, for the examples. */
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
  summary: 'Check a PDF against PDF/A, PDF/UA and WTPDF',
  title: 'Check standards',
  icon: 'file-check',
  order: 120,
  keywords: ['validate', 'compliance', 'conformance', 'verapdf', 'pdf/a', 'pdf/ua', 'wtpdf', 'archive'],
  notes: [
    'Returns one item for each standard that the XMP metadata declares, PDF/A first, as checked by veraPDF. If ' +
      'PDF/A is not declared, the first item is `not-pdfa`, so the list is never empty; if no standard is ' +
      'declared, it is the only item.',
    'A failure is a broken rule. Each rule is listed once, with its first occurrence and, in the message, the ' +
      'number of occurrences. Names and messages come from veraPDF and may change with its version: rely on ' +
      '`standard`, `compliant`, `specification`, `clause` and `testNumber`.',
    'A standard whose check fails to complete is reported as not compliant, with a single failure that gives ' +
      'the reason. A document that veraPDF cannot read at all is refused as damaged, although other operations ' +
      'may be able to fix it.',
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
      title: 'a PDF/A-2b document',
      files: ['pdfa-2b.pdf'],
      params: {},
      expect: { json: { length: 1, 0: item('2b', 'PDF/A-2b compliant', 'PDF/A-2b validation profile', []) } },
    },
    {
      title: 'two standards declared but not met',
      files: ['declares-2b-and-ua1.pdf'],
      params: {},
      expect: { json: { length: 2 } },
    },
    {
      title: 'no standard declared',
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
