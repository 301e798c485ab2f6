import { defineEndpoint } from '@quire/registry';
import { serverCertificate } from '../services/server-certificate-store.js';

/**
 * Replaces the server's certificate with a new self-signed one, made from the settings (`docs/interface/signing.yml`).
 */
export const serverCertificateGenerate = defineEndpoint({
  id: 'serverCertificateGenerate',
  method: 'POST',
  path: 'admin/server-certificate/generate',
  since: '0.2.0',
  summary: 'Replace the server certificate with a new one',
  notes:
    'Takes effect for signing after a restart. While the feature is off nothing is made, and the old ' +
    'certificate stays.',
  tag: 'admin',
  access: { role: 'admin', needsLogin: true, hosting: 'selfHosted' },
  returns: { description: 'What was done', mediaType: 'text/plain' },
  errors: ['SERVER_CERTIFICATE_DISABLED'],
  handle: async (_request, ctx) => {
    await ctx.use(serverCertificate).generate();
    return { text: 'A new server certificate was generated. It takes effect for signing after a restart.' };
  },
});
