import { defineOperation, tokens } from '@quire/registry';
import { infoAnswer } from './info-answer.js';

type GetInfoOnPdfParams = Record<string, never>;

/** Tells what a PDF is and holds (`docs/interface/security.yml`, get-info-on-pdf). */
export const getInfoOnPdf = defineOperation<GetInfoOnPdfParams>({
  path: 'security/get-info-on-pdf',
  since: '0.2.0',
  summary: 'Report what a PDF is and holds, as JSON',
  notes:
    'The file is read and not changed. The answer has the members `Metadata`, `BasicInfo`, `DocumentInfo`, `Compliancy`, `Encryption`, `Permissions`, `FormFields`, `Other`, `PerPageInfo` (by `Page 1`, `Page 2` …) and `SummaryData`.\n\n' +
    'Fonts, images and XObjects of a page are those of its resources and of the forms and patterns in them, each once, drawn or not; pictures within the content itself are not among them. ' +
    "Words, lines (`ParagraphCount`) and characters are those of the page content; annotations are not read. `Content` in the structure tree is the text of an element's own marked content. " +
    'Sizes count `UserUnit`; boxes do not.\n\n' +
    'A document that declares PDF/A, PDF/UA or WTPDF in its XMP is checked by veraPDF; without it those keys of `Compliancy` are left out. ' +
    'A section that cannot be read is empty and leaves the others whole. `X-Tool-Report` then names sections: `unread`, and `cut` for a structure tree told in part; `unchecked` says why standards were not checked.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'json', name: 'response', holds: infoAnswer },
  params: (joi) => joi.object<GetInfoOnPdfParams, true>({}),
  needs: { services: [tokens.standardsValidator] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'pages turned and cropped',
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
