import { booleanField, defineOperation, tokens } from '@quire/registry';

interface AddAttachmentsParams {
  convertToPdfA3b: boolean;
}

/** Embeds files in a PDF (`docs/interface/misc.yml`, add-attachments). */
export const addAttachments = defineOperation<AddAttachmentsParams>({
  path: 'misc/add-attachments',
  since: '0.2.0',
  summary: 'Embed files in a PDF',
  notes: [
    'Each file is embedded under its own name, with its size, media type, check sum, description, and now as ' +
      'its dates; an attachment of that name is replaced. Of two files sent under one name the second gets a ' +
      'number (`name_1.ext`). Readers show the list when they open the document.',
    'With `convertToPdfA3b` the document is made PDF/A-3, level B, first, as `convert/pdf/pdfa` does: in place ' +
      'where that serves, else with pages that Ghostscript draws anew. The result claims to be PDF/A-3 only when ' +
      "veraPDF finds it so; `X-Tool-Report` has `way`, `checked` and `compliant`. Without veraPDF Ghostscript's " +
      'own judgement counts. A document that is PDF/A-3 already is taken as it is.',
    'A document that claims to be PDF/A of a part that takes no such files claims it no longer (`withdrawn`).',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'attachments',
      description: 'Files to embed, each up to 50 MB, together up to 200 MB; repeat the field',
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
      convertToPdfA3b: booleanField(joi, 'Makes the document PDF/A-3b first'),
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
      title: 'a note in PDF/A-3b',
      files: ['attached.pdf'],
      parts: { attachments: 'note.txt' },
      params: { convertToPdfA3b: true },
      expect: { pages: [1], names: ['attached_with_attachments_PDFA-3b.pdf'] },
    },
    { title: 'no file to embed', files: ['picture.pdf'], params: {}, expect: { refused: 'INPUT_INVALID' } },
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
      ctx.report({ ...(await attachFiles(file.path(), target, attachments, options)) });
      return [await ctx.adopt(file, target)];
    }
    const { path, facts } = await attachToPdfA3(
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
    return [await ctx.adopt(file, path)];
  },
});
