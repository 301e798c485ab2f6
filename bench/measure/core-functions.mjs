// A worker that calls document functions that no operation uses yet; plain JavaScript, so that only the build is
// loaded.
import { rm, stat } from 'node:fs/promises';

const functions = {
  async countPages([input]) {
    const { inspectPdf } = await import('@quire/document/file/inspection');
    return (await inspectPdf({ path: input })).pages;
  },
  async pack([input], target) {
    const { packFile } = await import('@quire/document/file/compression');
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
