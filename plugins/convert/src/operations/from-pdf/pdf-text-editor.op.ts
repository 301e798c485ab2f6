import { defineOperation, shown } from '@quire/registry';
import { editorDocumentSchema } from '../../endpoints/editor-answers.js';

interface PdfTextEditorParams {
  lightweight: boolean;
}

/** Writes a PDF as an editable JSON document (`docs/interface/convert.yml`, pdf/text-editor). */
export const pdfTextEditor = defineOperation<PdfTextEditorParams>({
  path: 'convert/pdf/text-editor',
  name: 'convertPdfToTextEditor',
  since: '0.2.0',
  summary: 'Convert a PDF to an editable JSON document',
  title: 'Convert PDF to editable JSON',
  icon: 'braces',
  order: 260,
  keywords: ['edit text', 'json'],
  notes:
    'Coordinates are points from the lower left corner of the page as it is shown before rotation (its crop ' +
    'box, times `UserUnit`). A text element is what one operator shows; `textMatrix` leads from text space, in ' +
    'which the font has the size `fontSize`, to the page. `fontId` names a font of `fonts[]` by what it is ' +
    'made of, so it stays the same when the document is rewritten; `zOrder` is the place in the order of ' +
    'painting. Null members and empty lists are left out.\n\nImages are inside (JPEG as it is, all else PNG), ' +
    'because this call reports no session; with `lightweight` they are not, `lazyImages` is true, ' +
    'and font programs, form fields, resources, streams and trees are left out as well. To fetch page by page, ' +
    'begin with `convert/pdf/text-editor/metadata`. `conversionCandidates`, `pdfProgram` and ' +
    '`pdfProgramFormat` are never there: no font is converted for PDF. `webProgram` is the embedded program as ' +
    'browsers load it, with a map of characters made of what the document says of its codes.\n\nBeside the ' +
    'members of the interface there are `ref` of trees and pages (objects of one name are one object), ' +
    '`sharedObjects` (what is large or used often, by that name), `documentCatalog` (bookmarks, destinations, ' +
    'page labels, layers, tags, attachments), `acroForm`, and `mediaBox`, `cropBox`, `userUnit`, `group` and ' +
    '`structParents` of pages: whoever sends them back to `convert/text-editor/pdf` gets the whole document ' +
    'again. A string in a tree is base64 of its bytes.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'json', name: '{base}', holds: editorDocumentSchema },
  params: (joi) =>
    joi.object<PdfTextEditorParams, true>({
      lightweight: shown(
        joi.boolean().default(false).description('A smaller answer: only where text is and which fonts it uses'),
        { label: 'Short answer', help: 'Only where text is and which fonts it uses.' },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    { title: 'all of it', files: ['editor-sample.pdf'], params: {}, expect: { names: ['editor-sample.json'] } },
    {
      title: 'a smaller answer',
      files: ['editor-sample.pdf'],
      params: { lightweight: true },
      expect: { names: ['editor-sample.json'] },
    },
    { title: 'a damaged file', files: ['editor-damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { lightweight }, ctx) => {
    const { documentToJson } = await import('../../functions/editor/document-json.js');
    const target = `${await ctx.folder()}/document.json`;
    await documentToJson(file.path(), target, {
      lightweight,
      signal: ctx.signal,
      onPage: (done, total) => ctx.progress(done, total),
    });
    return [await ctx.adopt(file, target)];
  },
});
