import { defineOperation, tokens } from '@quire/registry';

type DecompressPdfParams = Record<string, never>;

/** Stores every stream without compression (`docs/interface/misc.yml`, decompress-pdf). */
export const decompressPdf = defineOperation<DecompressPdfParams>({
  path: 'misc/decompress-pdf',
  since: '0.2.0',
  summary: 'Decompress all streams of a PDF',
  title: 'Decompress a PDF',
  icon: 'expand',
  order: 240,
  keywords: ['uncompress', 'inflate', 'expand', 'debug', 'inspect', 'raw'],
  notes:
    'Every stream is stored without a filter and object streams are not used, so that the file can be read as ' +
    'text. JPEG, CCITT fax and JBIG2 images become raw samples in their own colour space, up to 384 MiB in ' +
    'total. JPEG 2000 images, broken streams and streams that cannot be decoded exactly stay as they are. A ' +
    'document that would grow beyond 1 GiB is refused. `X-Tool-Report` holds `decoded` (streams stored without ' +
    'a filter) and `kept` (streams left as they were).',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_decompressed', pages: 'same' },
  writes: 'rewrite',
  params: (joi) => joi.object<DecompressPdfParams, true>({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'an image',
      files: ['picture.pdf'],
      params: {},
      expect: { pages: [1], names: ['picture_decompressed.pdf'] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ editFile }, { decompressPdf }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/decompress-pdf.js'),
    ]);
    const target = `${await ctx.folder()}/decompressed.pdf`;
    const options = { mode: ctx.writing, objectStreams: false, modified: ctx.use(tokens.clock).now() } as const;
    const { decoded, kept } = await editFile(file.path(), target, options, (opened) =>
      decompressPdf(opened, (done, total) => {
        ctx.signal.throwIfAborted();
        ctx.progress(done, total);
      }),
    );
    ctx.report({ decoded, kept });
    return [await ctx.adopt(file, target)];
  },
});
