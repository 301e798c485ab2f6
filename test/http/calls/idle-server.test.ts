import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { productRoot, until } from '../support/server.js';

/** Runs before the server: on SIGUSR2 it prints which modules of packages and of Node have been loaded. */
const LISTING = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('SIGUSR2', () => console.log('LOADED ' + JSON.stringify([...loaded, ...process.moduleLoadList])));
`;

describe('An idle server', function () {
  this.timeout(120_000);
  let server: ServerProcess | undefined;

  afterEach(async () => {
    server?.child.kill('SIGTERM');
    await server?.exit;
    if (server !== undefined) await rm(server.basePath, { recursive: true, force: true });
  });

  it('has made its certificate, and keeps no libraries in memory that nobody has used', async () => {
    const { text, child } = (server = await startProcess(makeBase('server: { port: 0, host: 127.0.0.1 }'), {}, [
      process.execPath,
      '--import',
      `data:text/javascript,${encodeURIComponent(LISTING)}`,
      join(productRoot, 'core', 'dist', 'main.js'),
    ]));
    await until('the certificate is made', () => text().includes('made a server certificate'));
    child.kill('SIGUSR2');
    const list = /LOADED (\[.*\])\n/;
    await until('the modules are listed', () => list.test(text()));
    const loaded = JSON.parse(list.exec(text())?.[1] ?? '[]') as string[];
    expect(loaded.length).to.be.greaterThan(500);
    const unused =
      /\/node_modules\/(agenda|luxon|node-forge|asn1js|mongodb|undici|imapflow)\/|deps\/undici|http2\/core/;
    expect(loaded.filter((each) => unused.test(each))).to.deep.equal([]);
  });
});
