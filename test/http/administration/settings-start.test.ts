import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { send } from '../support/client.js';
import { makeBase, startProcess, takePort, writeSettings } from '../support/process.js';

describe('The start of the server', () => {
  const bases: string[] = [];
  const base = (settings: Readonly<Record<string, unknown>> | string = {}): string => {
    const folder = makeBase(settings);
    bases.push(folder);
    return folder;
  };
  after(() => bases.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  /** Expects that the server does not start and explains why with these words, without a stack trace. */
  async function expectRefusal(
    folder: string,
    env: Readonly<Record<string, string>>,
    ...words: readonly RegExp[]
  ): Promise<void> {
    const server = await startProcess(folder, env);
    if (server.url !== '') server.child.kill('SIGKILL');
    expect(await server.exit, server.text()).to.equal(1);
    expect(server.text()).to.match(/^Quire did not start\.$/m);
    for (const word of words) expect(server.text()).to.match(word);
    expect(server.text()).not.to.match(/^\s+at /m);
  }

  it('is refused for an unknown key, with its line and the nearest known key', () =>
    expectRefusal(base('server:\n  prot: 9000\n'), {}, /settings\.yml:2/, /server\.prot/, /server\.port/));

  it('is refused for an invalid value, with the allowed values', () =>
    expectRefusal(base('server:\n  port: 70000\n'), {}, /server\.port/, /70000/));

  it("is refused for an invalid value in the environment, with the variable's name", () =>
    expectRefusal(base(), { SERVER_PORT: 'eighty' }, /SERVER_PORT/, /eighty/));

  it('is refused for a file that is not YAML, with its line', () =>
    expectRefusal(base('server:\n  port: [1\n'), {}, /settings\.yml/));

  it('is refused with every fault at once', () =>
    expectRefusal(
      base('server:\n  prot: 1\nlimitz:\n  workers: 1\nlogging:\n  level: loud\n'),
      {},
      /server\.prot/,
      /limitz/,
      /logging\.level/,
    ));

  it('is refused for an SQL database, with the settings that work, and without its password', async () => {
    const datasource = { enableCustomDatabase: true, type: 'postgresql', hostName: 'db', password: 'hunter2' };
    await expectRefusal(base({ system: { datasource } }), {}, /datasource\.type is postgresql/, /store\.mongodb\.url/);
    await expectRefusal(
      base(),
      {
        SYSTEM_DATASOURCE_ENABLECUSTOMDATABASE: 'true',
        SYSTEM_DATASOURCE_CUSTOMDATABASEURL: 'jdbc:postgresql://db/x?password=hunter2',
      },
      /SYSTEM_DATASOURCE_CUSTOMDATABASEURL/,
      /^(?![\s\S]*hunter2)/,
    );
  });

  it('is refused for a cluster whose store cannot be shared', () =>
    expectRefusal(base({ cluster: { enabled: true } }), {}, /cluster\.enabled is true/, /store\.mongodb\.url/));

  it('is refused for a plugin that is not installed', () =>
    expectRefusal(base("plugins:\n  - use: 'quire-plugin-nowhere'\n"), {}, /quire-plugin-nowhere/, /npm install/));

  it('is refused for settings of an operation that does not exist', () =>
    expectRefusal(
      base({ operations: { 'general/rotate-pfd': { concurrency: 2 } } }),
      {},
      /general\/rotate-pfd/,
      /general\/rotate-pdf/,
    ));

  it('is refused when the port is in use, with what to do', async () => {
    const { port, release } = await takePort();
    await expectRefusal(base(), { SERVER_PORT: String(port) }, new RegExp(`Port ${port} is in use`), /SERVER_PORT/);
    release();
  });

  it('is refused for a base folder that cannot be used', async () => {
    const folder = base();
    const file = join(folder, 'file');
    writeFileSync(file, 'not a folder');
    await expectRefusal(file, {}, /file/);
  });

  it('is refused on the base folder of a running server, which continues', async () => {
    const folder = base();
    const first = await startProcess(folder);
    expect(first.url, first.text()).not.to.equal('');
    await expectRefusal(folder, {}, new RegExp(folder));
    expect((await send(`${first.url}/livez`)).status).to.equal(200);
    first.child.kill('SIGTERM');
    expect(await first.exit, first.text()).to.equal(0);
  });

  it('succeeds after a server on the same folder was killed, and cleans up after it', async () => {
    const folder = base();
    const first = await startProcess(folder);
    first.child.kill('SIGKILL');
    await first.exit;
    const left = ['runs', 'programs', 'verapdf'].map((name) => join(folder, 'tmp', name, 'half', 'f0'));
    for (const path of left) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'half a file');
    }
    const second = await startProcess(folder);
    expect(second.url, second.text()).not.to.equal('');
    expect((await send(`${second.url}/readyz`)).status).to.equal(200);
    for (const path of left) expect(() => readFileSync(path), path).to.throw('ENOENT');
    second.child.kill('SIGINT');
    expect(await second.exit, second.text()).to.equal(0);
  });

  it('reports that it listens on loopback only while login is off', async () => {
    const folder = base();
    writeSettings(folder, { server: { port: 0 } });
    const server = await startProcess(folder);
    expect(server.url).to.match(/^http:\/\/(127\.0\.0\.1|localhost):\d+$/);
    expect(server.text()).to.contain('only this machine can connect');
    server.child.kill('SIGTERM');
    expect(await server.exit).to.equal(0);
  });

  it('accepts calls without the sub-path from a proxy that strips it, and answers with it', async () => {
    const folder = base();
    writeSettings(folder, {
      server: { port: 0, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] },
      system: { rootUriPath: '/tools' },
    });
    const server = await startProcess(folder);
    const root = server.url.replace(/\/tools$/, '');
    expect((await send(`${root}/api/v1/info/status`)).status).to.equal(200);
    const document = (await (await fetch(`${root}/v1/api-docs`)).json()) as {
      servers: { url: string }[];
      paths: object;
    };
    expect(document.servers[0]?.url).to.equal('/tools');
    const entry = await fetch(root);
    expect(await entry.text()).to.contain('<base href="./" />');
    const form = new FormData();
    form.append('fileInput', new Blob([(await makePdf({ pages: 1 })) as BlobPart]), 'a.pdf');
    const started = await fetch(`${root}/api/v1/general/rotate-pdf?async=true`, { method: 'POST', body: form });
    await started.arrayBuffer();
    expect(started.headers.get('location')).to.match(/^\/tools\/api\/v1\/general\/job\//);
    server.child.kill('SIGTERM');
    expect(await server.exit).to.equal(0);
  });

  it('serves everything under a sub-path when one is set', async () => {
    const folder = base();
    writeSettings(folder, { server: { port: 0, host: '127.0.0.1' }, system: { rootUriPath: '/tools' } });
    const server = await startProcess(folder);
    const root = server.url.replace(/\/tools$/, '');
    expect((await send(`${root}/tools/api/v1/info/status`)).status).to.equal(200);
    expect((await send(`${root}/tools/livez`)).status).to.equal(200);
    expect((await send(`${root}/api/v1/info/status`)).status).to.equal(404);
    // Probes of containers know no sub-path.
    expect((await send(`${root}/livez`)).status).to.equal(200);
    expect((await send(`${root}/readyz`)).status).to.equal(200);
    server.child.kill('SIGTERM');
    expect(await server.exit).to.equal(0);
  });
});
