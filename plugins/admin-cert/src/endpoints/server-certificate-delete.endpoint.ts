import { defineEndpoint } from '@quire/registry';
import { serverCertificate } from '../services/server-certificate-store.js';

export const serverCertificateDelete = defineEndpoint({
  id: 'deleteServerCertificate',
  method: 'DELETE',
  path: 'admin/server-certificate',
  since: '0.2.0',
  summary: 'Delete the server certificate',
  notes: 'Signing with it stops at once. The next start creates a new one while the feature is on.',
  tag: 'admin',
  access: { role: 'admin', area: 'certificates', needsLogin: true, hosting: 'selfHosted' },
  returns: { description: 'Confirmation, also if there was none', mediaType: 'text/plain' },
  errors: [],
  handle: async (_request, ctx) => {
    const store = ctx.use(serverCertificate);
    const there = await store.remove();
    const next = store.enabled ? ' The next start of the server creates a new one.' : '';
    const done = 'The server certificate was deleted; nothing is signed with it any more.';
    return { text: `${there ? done : 'There was no server certificate.'}${next}` };
  },
});
