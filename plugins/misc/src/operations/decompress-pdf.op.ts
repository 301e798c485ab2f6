import { defineOperation, tokens } from '@quire/registry';

type DecompressPdfParams = Record<string, never>;

/** Stores every stream without compression (`docs/interface/misc.yml`, decompress-pdf). */
export const decompressPdf = defineOperation<DecompressPdfParams>({
  path: 'misc/decompress-pdf',
  since: '0.2.0',
  summary: 'Remove the compression of all streams',
  notes:
    'Every stream is stored without filter and no object streams are used, so that the file can be read as ' +
    'text. JPEG, facsimile and JBIG2 pictures become raw samples in their own colour space, up to 384 MiB of ' +
    'them; JPEG 2000 and what is broken or cannot be decoded exactly stays as it is. A document that would ' +
    'take more than 1 GiB is refused. `X-Tool-Report` holds `decoded` and `kept`: streams stored without ' +
    'filter, and those left.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_decompressed', pages: 'same' },
  writes: 'rewrite',
  params: (joi) => joi.object<DecompressPdfParams, true>({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a picture',
      files: ['picture.pdf'],
      params: {},
      expect: { pages: [1], names: ['picture_decompressed.pdf'] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ editFile }, functions] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/decompress-pdf.js'),
    ]);
    const target = `${await ctx.folder()}/decompressed.pdf`;
    const options = { mode: ctx.writing, objectStreams: false, modified: ctx.use(tokens.clock).now() } as const;
    const { decoded, kept } = await editFile(file.path(), target, options, (opened) =>
      functions.decompressPdf(opened, (done, total) => {
        ctx.signal.throwIfAborted();
        ctx.progress(done, total);
      }),
    );
    ctx.report({ decoded, kept });
    return [await ctx.adopt(file, target)];
  },
});
