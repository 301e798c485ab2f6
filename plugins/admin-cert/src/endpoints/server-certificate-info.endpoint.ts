import { defineEndpoint } from '@quire/registry';
import { serverCertificate } from '../services/server-certificate-store.js';

const nothing = { exists: false, subject: null, issuer: null, validFrom: null, validTo: null };

/** Shows subject, issuer and validity of the server's certificate (`docs/interface/signing.yml`). */
export const serverCertificateInfo = defineEndpoint({
  id: 'getServerCertificate',
  method: 'GET',
  path: 'admin/server-certificate/info',
  since: '0.1.0',
  summary: 'Show the server certificate',
  notes:
    'Without a certificate `exists` is false and the rest null. A changed certificate takes effect for signing ' +
    'after a restart.',
  tag: 'admin',
  access: { role: 'admin', area: 'certificates', needsLogin: true, hosting: 'selfHosted' },
  returns: {
    description: 'The current certificate',
    json: (joi) =>
      joi.object({
        exists: joi.boolean().required().description('There is a certificate'),
        subject: joi.string().allow(null).required().description('RFC 2253 name'),
        issuer: joi.string().allow(null).required().description('RFC 2253 name'),
        validFrom: joi.string().isoDate().allow(null).required().description('ISO 8601'),
        validTo: joi.string().isoDate().allow(null).required().description('ISO 8601'),
      }),
  },
  errors: ['SERVICE_NOT_SET_UP'],
  handle: async (_request, ctx) => {
    const der = await ctx.use(serverCertificate).certificate();
    if (der === undefined) return { json: nothing };
    const { certificateFacts } = await import('@quire/document/signatures/certificates');
    const { subject, issuer, validFrom, validTo } = certificateFacts(der);
    return {
      json: { exists: true, subject, issuer, validFrom: validFrom.toISOString(), validTo: validTo.toISOString() },
    };
  },
});
