// node examples/encrypt.mjs in.pdf out.pdf password: encrypts with AES-256; printing is allowed, changing is not.
import { createSecurity, encodePermissions } from '@quire/document/file/encryption';
import { withPdf, writePdf } from '@quire/document/file/open';

const [source, target, password] = process.argv.slice(2);
await withPdf({ path: source }, {}, (opened) => {
  const { context } = opened.document;
  const permissions = encodePermissions({ modify: false, assemble: false });
  writePdf(opened, target, {
    security: createSecurity({ context, scheme: 'AES-256', userPassword: password, permissions }),
  });
});
console.log('locked');
