import { booleanField, defineOperation, shown, tokens } from '@quire/registry';

interface AddAttachmentsParams {
  convertToPdfA3b: boolean;
}

/** Embeds files in a PDF (`docs/interface/misc.yml`, add-attachments). */
export const addAttachments = defineOperation<AddAttachmentsParams>({
  path: 'misc/add-attachments',
  since: '0.2.0',
  summary: 'Attach files to a PDF',
  title: 'Attach files',
  icon: 'paperclip',
  order: 150,
  screen: 'document/attachments',
  keywords: ['embed', 'embedded file', 'include file', 'pdf/a-3', 'zugferd', 'factur-x'],
  notes: [
    'Each file is embedded under its own name, with its size, media type, checksum and description; its dates ' +
      'are set to the current time. An existing attachment with the same name is replaced. If two uploaded files ' +
      'share a name, the second gets a number (`name_1.ext`). Viewers show the list of attachments when they ' +
      'open the document.',
    'With `convertToPdfA3b` the document is first converted to PDF/A-3, level B, the way `convert/pdf/pdfa` ' +
      'does it: in place if possible, otherwise with pages that Ghostscript renders again. The result declares ' +
      'PDF/A-3 only if veraPDF confirms it; `X-Tool-Report` has `way`, `checked` and `compliant`. Without ' +
      "veraPDF, Ghostscript's own verdict counts. A document that is already PDF/A-3 is not converted.",
    'A document that declares a part of PDF/A which forbids such attachments loses that declaration (`withdrawn`).',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'attachments',
      label: 'Files to attach',
      description: 'Files to attach, at most 50 MB each and 200 MB together; repeat the field for several',
      kinds: ['any'],
      requiredWhen: 'always',
      many: true,
    },
  ],
  returns: {
    kind: 'pdf',
    name: '{base}_with_attachments',
    nameWhen: { when: { convertToPdfA3b: true }, name: '{base}_with_attachments_PDFA-3b' },
    pages: 'same',
  },
  writes: 'append',
  rewritesWhen: { convertToPdfA3b: true },
  params: (joi) =>
    joi.object<AddAttachmentsParams, true>({
      convertToPdfA3b: shown(booleanField(joi, 'Convert the document to PDF/A-3b first'), {
        label: 'Convert to PDF/A-3b first',
        help: '',
      }),
    }),
  needs: { services: [tokens.clock, tokens.pdfToPdfA, tokens.standardsValidator] },
  pipeline: false,
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'ATTACHMENT_TOO_LARGE',
    'ATTACHMENTS_TOO_LARGE',
    'PDFA_IMPOSSIBLE',
  ],
  examples: [
    {
      title: 'a note',
      files: ['picture.pdf'],
      parts: { attachments: 'note.txt' },
      params: {},
      expect: { pages: [1], names: ['picture_with_attachments.pdf'] },
    },
    {
      title: 'a note attached as PDF/A-3b',
      files: ['attached.pdf'],
      parts: { attachments: 'note.txt' },
      params: { convertToPdfA3b: true },
      expect: { pages: [1], names: ['attached_with_attachments_PDFA-3b.pdf'] },
    },
    { title: 'no file to attach', files: ['picture.pdf'], params: {}, expect: { refused: 'INPUT_INVALID' } },
  ],
  run: async (file, { convertToPdfA3b }, ctx) => {
    const { attachFiles, attachToPdfA3, checkAttachments } = await import('../functions/attach-files.js');
    const attachments = ctx
      .parts('attachments')
      .map(({ name, path, size, mediaType }) => ({ name, path: path(), size, mediaType }));
    checkAttachments(attachments);
    const [folder, scratch] = [await ctx.folder(), await ctx.folder()];
    const target = `${folder}/attached.pdf`;
    const options = {
      mode: ctx.writing,
      now: ctx.use(tokens.clock).now(),
      scratch,
      signal: ctx.signal,
      progress: (done: number, total: number) => ctx.progress(done, total),
    };
    if (!convertToPdfA3b) {
      ctx.report({ ...(await attachFiles(file.path(), target, attachments, { ...options, spendsInput: true })) });
      return [await ctx.adopt(file, target)];
    }
    const { path, facts, images } = await attachToPdfA3(
      file.path(),
      attachments,
      {
        draw: (part, input, output) =>
          ctx.use(tokens.pdfToPdfA).convert({ part, conformance: 'B' }, input, output, ctx.signal),
        check: async (made, goal) =>
          (await import('@quire/document/standards/pdfa')).checkWith(
            (input) => ctx.use(tokens.standardsValidator).validate(input, ctx.signal),
            made,
            goal,
          ),
      },
      options,
    );
    ctx.report({ ...facts });
    if (images !== undefined)
      ctx.warn(
        `Ghostscript could not draw the document: ${images.reason}. Its pages became images, so their text cannot be ` +
          'selected.',
      );
    return [await ctx.adopt(file, path)];
  },
});
