import { definePlugin, tokens } from '@quire/registry';
import { serverCertificateDelete } from './endpoints/server-certificate-delete.endpoint.js';
import { serverCertificateDownload } from './endpoints/server-certificate-download.endpoint.js';
import { serverCertificateEnabled } from './endpoints/server-certificate-enabled.endpoint.js';
import { serverCertificateGenerate } from './endpoints/server-certificate-generate.endpoint.js';
import { serverCertificateInfo } from './endpoints/server-certificate-info.endpoint.js';
import { serverCertificateUpload } from './endpoints/server-certificate-upload.endpoint.js';
import { serverCertificate, ServerCertificateStore } from './services/server-certificate-store.js';
import { StartedKeystore } from './services/started-keystore.js';

/** The server's certificate and its administration. */
export default definePlugin({
  endpoints: [serverCertificateInfo, serverCertificateDownload, serverCertificateEnabled, serverCertificateUpload, serverCertificateGenerate, serverCertificateDelete],
  services: [{
    token: serverCertificate,
    create: (ctx) => new ServerCertificateStore({ settings: ctx.use(tokens.settings), paths: ctx.use(tokens.paths), clock: ctx.use(tokens.clock), log: ctx.log }),
  }],
  offers: [{ token: tokens.serverKeystore, create: (ctx) => new StartedKeystore(ctx.use(serverCertificate)) }],
  start: async (ctx) => ctx.use(serverCertificate).prepare(),
  stop: async (ctx) => ctx.use(serverCertificate).settled(),
});
