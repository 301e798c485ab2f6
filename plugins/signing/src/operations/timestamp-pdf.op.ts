import { defineOperation, shown, tokens } from '@quire/registry';

interface TimestampPdfParams {
  tsaUrl: string;
}

/** Appends a document time stamp (`docs/interface/security.yml`, timestamp-pdf). */
export const timestampPdf = defineOperation<TimestampPdfParams>({
  path: 'security/timestamp-pdf',
  since: '0.2.0',
  summary: 'Add an RFC 3161 document time stamp',
  title: 'Add a time stamp',
  icon: 'clock',
  order: 110,
  keywords: ['time stamp', 'rfc 3161', 'tsa'],
  notes: [
    'Only the SHA-256 digest of the document and a random number are sent to the time stamp authority. Its ' +
      'answer is verified: status, digest, number, signature, and a certificate for time stamps only.',
    'The stamp is appended, so signatures that the document has stay valid; certified documents may always be stamped.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_timestamped', pages: 'same' },
  writes: 'append',
  certified: 1,
  effects: ['needsNetwork', 'nondeterministic'],
  params: (joi) =>
    joi.object<TimestampPdfParams, true>({
      tsaUrl: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(2000)
          .default('')
          .description(
            'Time stamp authority: one of the presets, the default or a custom server of the settings (`GET ' +
              '/api/v1/config/app-config` lists them). Blank takes `security.timestamp.defaultTsaUrl`',
          )
          .example('http://timestamp.digicert.com'),
        { label: 'Time stamp authority', help: 'Address of one that the settings allow; the usual one if empty.' },
      ),
    }),
  needs: { services: [tokens.timeStampAuthority] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'TSA_NOT_ALLOWED',
    'ADDRESS_REFUSED',
  ],
  examples: [
    {
      title: 'stamped by the default authority',
      files: ['plain.pdf'],
      params: {},
      expect: { pages: [1], names: ['plain_timestamped.pdf'] },
    },
    {
      title: 'an authority that is not allowed',
      files: ['plain.pdf'],
      params: { tsaUrl: 'http://tsa.example.com/' },
      expect: { refused: 'TSA_NOT_ALLOWED' },
    },
    { title: 'a damaged document', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { tsaUrl }, ctx) => {
    const authority = ctx.use(tokens.timeStampAuthority);
    // Before the document is read, and before anything leaves.
    await authority.check(tsaUrl);
    const { timestampPdf: stamp } = await import('../functions/timestamp-pdf.js');
    const target = `${await ctx.folder()}/timestamped.pdf`;
    await stamp(file.path(), target, {
      mode: ctx.writing,
      remote: 'The time stamp authority',
      ask: async (request) =>
        Buffer.from(await authority.ask(tsaUrl, Buffer.from(request).toString('base64'), ctx.signal), 'base64'),
    });
    return [await ctx.adopt(file, target)];
  },
});
