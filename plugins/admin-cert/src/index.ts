import { definePlugin, tokens } from '@quire/registry';
import { serverCertificateDelete } from './endpoints/server-certificate-delete.endpoint.js';
import { serverCertificateDownload } from './endpoints/server-certificate-download.endpoint.js';
import { serverCertificateEnabled } from './endpoints/server-certificate-enabled.endpoint.js';
import { serverCertificateGenerate } from './endpoints/server-certificate-generate.endpoint.js';
import { serverCertificateInfo } from './endpoints/server-certificate-info.endpoint.js';
import { serverCertificateUpload } from './endpoints/server-certificate-upload.endpoint.js';
import { KeystoreFile, SharedKeystore } from './services/keystore-place.js';
import { serverCertificate, ServerCertificateStore } from './services/server-certificate-store.js';
import { StartedKeystore } from './services/started-keystore.js';

/** The server's certificate and its administration. */
export default definePlugin({
  endpoints: [
    serverCertificateInfo,
    serverCertificateDownload,
    serverCertificateEnabled,
    serverCertificateUpload,
    serverCertificateGenerate,
    serverCertificateDelete,
  ],
  services: [
    {
      token: serverCertificate,
      create: (ctx) => {
        const files = ctx.use(tokens.sharedFiles);
        const place = files.shared
          ? new SharedKeystore(files)
          : new KeystoreFile(ctx.use(tokens.paths).configs, ctx.log);
        return new ServerCertificateStore({
          settings: ctx.use(tokens.settings),
          place,
          clock: ctx.use(tokens.clock),
          log: ctx.log,
        });
      },
    },
  ],
  offers: [{ token: tokens.serverKeystore, create: (ctx) => new StartedKeystore(ctx.use(serverCertificate)) }],
  start: async (ctx) => ctx.use(serverCertificate).prepare(),
  stop: async (ctx) => ctx.use(serverCertificate).settled(),
});
