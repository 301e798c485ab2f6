import { defineEndpoint } from '@quire/registry';
import { serverCertificate } from '../services/server-certificate-store.js';

export const serverCertificateGenerate = defineEndpoint({
  id: 'generateServerCertificate',
  method: 'POST',
  path: 'admin/server-certificate/generate',
  since: '0.2.0',
  summary: 'Generate a new server certificate',
  notes:
    'Takes effect for signing after a restart. While the feature is off nothing is created, and the old ' +
    'certificate stays.',
  tag: 'admin',
  access: { role: 'admin', area: 'certificates', needsLogin: true, hosting: 'selfHosted' },
  returns: { description: 'Confirmation', mediaType: 'text/plain' },
  errors: ['SERVER_CERTIFICATE_DISABLED'],
  handle: async (_request, ctx) => {
    await ctx.use(serverCertificate).generate();
    return { text: 'A new server certificate was generated. It takes effect for signing after a restart.' };
  },
});
