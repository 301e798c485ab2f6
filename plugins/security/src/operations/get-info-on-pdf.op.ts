import { defineOperation, tokens } from '@quire/registry';
import { infoAnswer } from './info-answer.js';

type GetInfoOnPdfParams = Record<string, never>;

/** Describes a PDF and its contents (`docs/interface/security.yml`, get-info-on-pdf). */
export const getInfoOnPdf = defineOperation<GetInfoOnPdfParams>({
  path: 'security/get-info-on-pdf',
  name: 'getPdfInfo',
  since: '0.2.0',
  summary: 'Get detailed information about a PDF',
  title: 'Show all details',
  icon: 'info',
  order: 130,
  keywords: ['metadata', 'properties', 'details', 'inspect', 'fonts', 'pdf version', 'permissions'],
  notes: [
    'The file is not changed. The result has the members `Metadata`, `BasicInfo`, `DocumentInfo`, ' +
      '`Compliancy`, `Encryption`, `Permissions`, `FormFields`, `Other`, `PerPageInfo` (by `Page 1`, `Page 2` ' +
      '…) and `SummaryData`.',
    'Fonts, images and XObjects of a page are those of its resources and of the forms and patterns in them, ' +
      'each listed once, whether they are drawn or not; inline images are not included. Words, lines ' +
      '(`ParagraphCount`) and characters are those of the page content, without annotations. `Content` in the ' +
      "structure tree is the text of an element's own marked content. Sizes take `UserUnit` into account; boxes " +
      'do not.',
    'A document that declares PDF/A, PDF/UA or WTPDF in its XMP metadata is checked by veraPDF; without ' +
      'veraPDF those keys of `Compliancy` are absent. A section that cannot be read is empty; the other ' +
      'sections are complete. `X-Tool-Report` lists such sections: `unread`, and `cut` for a structure tree ' +
      'that is returned only in part; `unchecked` gives the reason why standards were not checked.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'json', name: 'response', holds: infoAnswer },
  params: (joi) => joi.object<GetInfoOnPdfParams, true>({}),
  needs: { services: [tokens.standardsValidator] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'rotated and cropped pages',
      files: ['rotated-and-cropped.pdf'],
      params: {},
      expect: { names: ['response.json'] },
    },
    {
      title: 'two standards declared',
      files: ['declares-2b-and-ua1.pdf'],
      params: {},
      expect: { names: ['response.json'] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ documentInfo }, { checkStandards }] = await Promise.all([
      import('../functions/get-info.js'),
      import('../functions/get-info-standards.js'),
    ]);
    const validator = ctx.use(tokens.standardsValidator);
    const checking = checkStandards(file.path(), (path) => validator.validate(path, ctx.signal));
    const { info, facts } = await documentInfo(file.path(), {
      size: file.size,
      standards: checking.then(({ standards }) => standards),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    const { unchecked } = await checking;
    ctx.report({ ...facts, ...(unchecked === undefined ? {} : { unchecked }) });
    return [await ctx.output(file, Buffer.from(JSON.stringify(info, null, 2)))];
  },
});
