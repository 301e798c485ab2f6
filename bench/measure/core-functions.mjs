// A worker that calls document functions for which there is no operation yet; plain JavaScript, so that nothing but the build is loaded.
import { rm, stat } from 'node:fs/promises';

const functions = {
  async countPages([input]) {
    const { inspectPdf } = await import('@quire/document/inspect');
    return (await inspectPdf({ path: input })).pages;
  },
  async encrypt([input], target) {
    const [{ withPdf, writePdf }, { createSecurity }] = await Promise.all([import('@quire/document/open'), import('@quire/document/encryption')]);
    const options = { scheme: 'AES-256', userPassword: 'user', ownerPassword: 'owner', permissions: -4 };
    await withPdf({ path: input }, {}, (opened) => writePdf(opened, target, { security: createSecurity({ ...options, context: opened.document.context }) }));
    return (await stat(target)).size;
  },
  async pack([input], target) {
    const { packFile } = await import('@quire/document/compress');
    await packFile(input, target);
    return (await stat(target)).size;
  },
};

process.on('message', async ({ name, inputs, target }) => {
  const begin = performance.now();
  try {
    const value = await functions[name](inputs, target);
    const took = performance.now() - begin;
    await rm(target, { force: true });
    process.send({ took, value });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit(0));
process.send('ready');
