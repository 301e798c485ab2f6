import { defineEndpoint, InputError } from '@quire/registry';
import { serverCertificate } from '../services/server-certificate-store.js';

/** Returns the server's public certificate, without key and chain (`docs/interface/signing.yml`). */
export const serverCertificateDownload = defineEndpoint({
  id: 'downloadServerCertificate',
  method: 'GET',
  path: 'admin/server-certificate/certificate',
  since: '0.1.0',
  summary: 'Download the public server certificate',
  tag: 'admin',
  access: { role: 'admin', area: 'certificates', needsLogin: true, hosting: 'selfHosted' },
  returns: {
    description: 'The certificate in DER, named server-cert.cer',
    mediaType: 'application/pkix-cert',
    fileName: 'server-cert.cer',
  },
  errors: ['NOT_FOUND', 'SERVICE_NOT_SET_UP'],
  handle: async (_request, ctx) => {
    const bytes = await ctx.use(serverCertificate).certificate();
    if (bytes === undefined) throw new InputError('NOT_FOUND');
    return { file: { name: 'server-cert.cer', mediaType: 'application/pkix-cert', bytes, size: bytes.length } };
  },
});
