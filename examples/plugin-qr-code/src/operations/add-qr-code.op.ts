import { defineOperation, integerField, shown, tokens } from '@quire/registry';

interface AddQrCodeParams {
  text: string;
  size: number;
}

/** Puts a QR code in the lower right corner of the first page. */
export const addQrCode = defineOperation<AddQrCodeParams>({
  path: 'misc/add-qr-code', // POST /api/v1/misc/add-qr-code
  since: '0.1.0',
  summary: 'Add a QR code to the first page', // a verb phrase, at most 60 characters
  title: 'Add a QR code', // in the console: at most 30 characters
  icon: 'qr-code', // a name of https://lucide.dev
  keywords: ['barcode', 'link', 'url'], // what people type that is not in path or summary
  notes: 'The code is drawn as vectors with a quiet zone of four modules, in the lower right corner of the crop box.',
  accepts: ['pdf'],
  files: 'each', // one run for each file; 'all': one run for all files of the call
  returns: { kind: 'pdf', name: '{base}_qr', pages: 'same' },
  writes: 'append', // the bytes of the input stay
  params: (joi) =>
    joi.object<AddQrCodeParams, true>({
      text: joi.string().max(500).required().description('Text or address in the code').example('https://example.org'),
      // The console derives the rest: labels from names, inputs from types, help from descriptions.
      size: shown(integerField(joi, 'Width and height').min(36).max(300).default(90), { unit: 'pt' }),
    }),
  needs: { services: [tokens.clock] }, // services of the server that `run` uses
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  // The conformance kit and the documentation run them.
  examples: [
    {
      title: 'a letter',
      files: ['letter.pdf'],
      params: { text: 'https://example.org/invoice/42', size: 72 },
      expect: { pages: [2], names: ['letter_qr.pdf'] },
    },
    { title: 'no text', files: ['letter.pdf'], params: { text: '' }, expect: { refused: 'INPUT_INVALID' } },
  ],
  run: async (file, { text, size }, ctx) => {
    const [{ editFile }, { drawQrCode }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/add-qr-code.js'),
    ]);
    const target = `${await ctx.folder()}/result.pdf`;
    const modified = ctx.use(tokens.clock).now();
    await editFile(file.path(), target, { mode: ctx.writing, modified }, ({ document }) =>
      drawQrCode(document, text, size),
    );
    return [await ctx.adopt(file, target)];
  },
});
