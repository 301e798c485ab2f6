import { definePlugin, tokens } from '@quire/registry';
import { serverCertificateDownload } from './endpoints/server-certificate-download.endpoint.js';
import { serverCertificateEnabled } from './endpoints/server-certificate-enabled.endpoint.js';
import { serverCertificateInfo } from './endpoints/server-certificate-info.endpoint.js';
import { serverCertificate, ServerCertificateStore } from './services/server-certificate-store.js';

/** The server's certificate and its administration. */
export default definePlugin({
  endpoints: [serverCertificateInfo, serverCertificateDownload, serverCertificateEnabled],
  services: [{
    token: serverCertificate,
    create: (ctx) => new ServerCertificateStore({ settings: ctx.use(tokens.settings), paths: ctx.use(tokens.paths), clock: ctx.use(tokens.clock), log: ctx.log }),
  }],
  start: async (ctx) => ctx.use(serverCertificate).prepare(),
  stop: async (ctx) => ctx.use(serverCertificate).settled(),
});
