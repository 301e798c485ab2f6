import { defineEndpoint, InputError, tokens } from '@quire/registry';
import { serverCertificate } from '../services/server-certificate-store.js';

/** Keystores have some kilobytes; more is not read into memory. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Replaces the server's certificate with an uploaded keystore (`docs/interface/signing.yml`). */
export const serverCertificateUpload = defineEndpoint({
  id: 'uploadServerCertificate',
  method: 'POST',
  path: 'admin/server-certificate/upload',
  since: '0.2.0',
  summary: 'Upload a server certificate',
  notes:
    'Uses the first usable private key of the keystore with its certificate chain. It takes effect for signing ' +
    'after a restart.',
  tag: 'admin',
  access: { role: 'admin', area: 'certificates', needsLogin: true, hosting: 'selfHosted' },
  request: {
    payloadType: 'multipart',
    payload: (joi) =>
      joi.object({
        password: joi
          .string()
          .allow('')
          .required()
          .description('Password of the keystore and of the private key in it')
          .example('changeit'),
      }),
    files: [{ field: 'file', description: 'PKCS#12 keystore (.p12 or .pfx)', kinds: ['p12'], requiredWhen: 'always' }],
  },
  examples: [{ title: 'a keystore', payload: { password: 'changeit' }, files: { file: ['keystore.p12'] } }],
  returns: { description: 'Confirmation, with notes about the certificate', mediaType: 'text/plain' },
  errors: [
    'INPUT_FILE_MISSING',
    'INPUT_FILE_EMPTY',
    'INPUT_TOO_LARGE',
    'KEYSTORE_PASSWORD',
    'KEYSTORE_UNREADABLE',
    'KEYSTORE_NO_KEY',
    'KEY_UNUSABLE',
    'CERTIFICATE_NOT_VALID',
  ],
  handle: async ({ payload, files, signal }, ctx) => {
    const [file] = files['file'] ?? [];
    if (file === undefined) throw new InputError('INPUT_FILE_MISSING', { field: 'file' });
    if (file.size === 0) throw new InputError('INPUT_FILE_EMPTY', { field: 'file' });
    if (file.size > MAX_BYTES)
      throw new InputError('INPUT_TOO_LARGE', { limit: MAX_BYTES }, [
        { pointer: '/file', detail: 'a keystore is never that large' },
      ]);
    const [{ certificateFacts, openKeystore }, { certificateNotes, isOver }] = await Promise.all([
      import('@quire/document/signatures/certificates'),
      import('../functions/certificate-notes.js'),
    ]);
    const identity = await openKeystore(await file.bytes(), String(payload['password']), { field: 'file', signal });
    const facts = certificateFacts(identity.certificate);
    const now = ctx.use(tokens.clock).now();
    if (isOver(facts, now))
      throw new InputError(
        'CERTIFICATE_NOT_VALID',
        { field: 'file', from: facts.validFrom.toISOString(), to: facts.validTo.toISOString() },
        [{ pointer: '/file', detail: 'the certificate has expired' }],
      );
    await ctx.use(serverCertificate).replace(identity);
    const notes = certificateNotes(facts, now, ctx.use(serverCertificate).enabled);
    return {
      text: ['The server certificate was uploaded. It takes effect for signing after a restart.', ...notes].join(' '),
    };
  },
});
