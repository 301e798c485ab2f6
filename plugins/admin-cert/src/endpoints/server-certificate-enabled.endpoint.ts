import { defineEndpoint } from '@quire/registry';
import { serverCertificate } from '../services/server-certificate-store.js';

/** Returns whether users may sign with the server's certificate, as a bare boolean (`docs/interface/signing.yml`). */
export const serverCertificateEnabled = defineEndpoint({
  id: 'checkServerCertificateEnabled',
  method: 'GET',
  path: 'admin/server-certificate/enabled',
  since: '0.1.0',
  summary: 'Check whether the server certificate is enabled',
  tag: 'admin',
  access: { role: 'admin', area: 'certificates', needsLogin: true, hosting: 'selfHosted' },
  returns: { description: 'True or false', json: (joi) => joi.boolean() },
  errors: [],
  handle: async (_request, ctx) => ({ json: ctx.use(serverCertificate).enabled }),
});
