import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { showOperation } from '@quire/catalog';
import { createTestServer, type TestServerOptions } from '@quire/core';
import type { Availability, ConsoleCatalog, ShownOperation } from '@quire/registry';
import { expect } from 'chai';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, bossName, bossPassword, globalKey, sendJson, sessionOf } from '../support/login.js';
import { productRoot, type TestServer } from '../support/server.js';

const meteredPlugin = fileURLToPath(new URL('../../fixtures/metered-plugin', import.meta.url));
type Headers = Readonly<Record<string, string>>;

describe('The catalog of the console', () => {
  const servers: TestServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });
  async function start(
    settings: Readonly<Record<string, unknown>> = {},
    plugins?: TestServerOptions['plugins'],
  ): Promise<TestServer> {
    const server = await createTestServer({ settings, ...(plugins === undefined ? {} : { plugins }) });
    servers.push(server);
    await server.start();
    return server;
  }
  const withLogin = {
    enableLogin: true,
    customGlobalAPIKey: globalKey,
    initialLogin: { username: bossName, password: bossPassword },
  };
  const ask = (server: TestServer, headers: Headers = {}): Promise<Answer> =>
    send(`${server.url}/api/v1/console/catalog`, { headers });
  const operations = async (server: TestServer, headers: Headers = {}): Promise<Map<string, ShownOperation>> => {
    const answer = await ask(server, headers);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return new Map(json<ConsoleCatalog>(answer).operations.map((operation) => [operation.path, operation]));
  };
  const availability = async (server: TestServer, path: string, headers: Headers = {}): Promise<Availability> =>
    (await operations(server, headers)).get(path)?.availability ?? expect.fail(`${path} is not in the catalog`);

  it('makes a worker ready when an allowed caller asks for it, since a call of a tool will follow', async () => {
    const server = await start({ security: withLogin });
    expect((await ask(server)).status).to.equal(401);
    expect(server.workerPids()).to.have.length(0);
    await operations(server, { 'x-api-key': globalKey });
    await operations(server, { 'x-api-key': globalKey });
    expect(server.workerPids()).to.have.length(1);
  });

  it('is prepared by the build for every shipped operation, as its declaration says', async () => {
    const server = await start();
    const file = join(productRoot, 'core', 'dist', 'console', 'prepared', 'operations.json');
    const prepared = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>).map(
      (text) => JSON.parse(`${text}}`) as ShownOperation,
    );
    const shown = await operations(server);
    for (const entry of server.catalog.operations.values()) {
      const { availability: _, ...found } = shown.get(entry.operation.path)!;
      expect(found).to.deep.equal({ ...showOperation(entry, () => undefined), examples: found.examples });
      expect(prepared).to.deep.include(found);
    }
  });

  it('describes every operation with its fields, parts, result and examples', async () => {
    const server = await start();
    const catalog = json<ConsoleCatalog>(await ask(server));
    expect(catalog.operations.map(({ path }) => path)).to.have.members([...server.catalog.operations.keys()]);
    expect(catalog.categories.map(({ id }) => id)).to.have.members([
      ...new Set(catalog.operations.map(({ category }) => category)),
    ]);
    const rotate = catalog.operations.find(({ path }) => path === 'general/rotate-pdf');
    expect(rotate).to.deep.include({
      category: 'general',
      files: 'each',
      pipeline: true,
      job: true,
      returns: { type: 'file', kinds: ['pdf'], many: false, mayDrop: false },
      availability: { state: 'available' },
    });
    expect(rotate?.parts).to.deep.equal([
      {
        field: 'fileInput',
        label: 'PDF',
        kinds: ['pdf'],
        extensions: ['.pdf'],
        required: true,
        many: false,
      },
    ]);
    expect(rotate?.fields).to.have.length(1);
    expect(rotate?.fields[0]).to.include({
      name: 'angle',
      label: 'Rotation',
      type: 'integer',
      widget: 'choice',
      unit: '°',
      default: 90,
    });
    expect(rotate?.examples[0]).to.include.keys('title', 'files', 'parts', 'params');
    const watermark = catalog.operations.find(({ path }) => path === 'security/add-watermark');
    expect(watermark?.fields.find(({ name }) => name === 'watermarkText')).to.deep.include({
      requiredWhen: { watermarkType: 'text' },
    });
    expect(watermark?.parts.find(({ field }) => field === 'watermarkImage')).to.deep.include({
      requiredWhen: { watermarkType: 'image' },
      when: { watermarkType: 'image' },
    });
  });

  it('is compressed as the client allows, and uncompressed for others', async () => {
    const server = await start();
    const plain = await ask(server);
    expect(plain.headers).not.to.include.keys('content-encoding');
    const forms = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const [encoding, decompress] of Object.entries(forms)) {
      const answer = await ask(server, { 'accept-encoding': encoding });
      expect(answer.headers['content-encoding']).to.equal(encoding);
      expect(answer.headers['etag'], 'every encoding has its own ETag').not.to.equal(plain.headers['etag']);
      expect(answer.headers['vary']).to.include('accept-encoding');
      expect(answer.body.length).to.be.below(plain.body.length / 3);
      expect(decompress(answer.body).equals(plain.body)).to.equal(true);
    }
    const wrong = await ask(server, { 'accept-encoding': ';;gzip;;q=,' });
    expect([wrong.status, wrong.headers['content-encoding']]).to.deep.equal([200, undefined]);
  });

  it('answers 304 to its ETag until something changes', async () => {
    const server = await start({ security: withLogin });
    const boss = await sessionOf(server);
    const first = await ask(server, boss);
    const etag = String(first.headers['etag']);
    expect(first.headers['cache-control']).to.equal('private, no-cache');
    for (const known of [etag, `"other", W/${etag}`]) {
      const again = await ask(server, { ...boss, 'if-none-match': known });
      expect([again.status, again.body.length, again.headers['etag']], known).to.deep.equal([304, 0, etag]);
    }
    expect((await ask(server, { ...boss, 'if-none-match': '"other"' })).status).to.equal(200);

    const target = { operation: 'general/rotate-pdf', enabled: false };
    expect((await sendJson(server, '/api/v1/admin/plugins', target, boss, 'PATCH')).status).to.equal(200);
    const changed = await ask(server, { ...boss, 'if-none-match': etag });
    expect(changed.status).to.equal(200);
    expect(await availability(server, 'general/rotate-pdf', boss)).to.deep.equal({
      state: 'off',
      reason: "/api/v1/general/rotate-pdf is turned off on this server by an administrator's switch.",
    });
    await sendJson(server, '/api/v1/admin/plugins', { ...target, enabled: null }, boss, 'PATCH');
    expect((await ask(server, { ...boss, 'if-none-match': etag })).status, 'as before').to.equal(304);
  });

  it('names the setting that turned an operation off, and the command for a missing program', async () => {
    const server = await start({
      endpoints: { toRemove: ['merge-pdfs'] },
      // A program set to a path where nothing exists is missing on every machine.
      system: { customPaths: { operations: { soffice: '/nowhere/soffice' } } },
    });
    expect(await availability(server, 'general/merge-pdfs')).to.deep.equal({
      state: 'off',
      reason: '/api/v1/general/merge-pdfs is turned off on this server by the setting endpoints.toRemove.',
    });
    expect(await availability(server, 'convert/file/pdf')).to.deep.equal({
      state: 'missing',
      reason: 'It needs libreoffice, which is not installed on the server.',
      missing: [{ name: 'libreoffice', install: 'sudo sh deploy/install-programs.sh' }],
    });
  });

  it('names the settings that an operation still needs', async () => {
    const without = await start({}, ['@quire/plugin-general']);
    expect(await availability(without, 'general/send-email')).to.deep.equal({
      state: 'missing',
      reason: 'It is not set up on this server: set mail.enabled and mail.from.',
      missing: [{ name: 'mail.enabled' }, { name: 'mail.from' }],
    });
    const mail = { enabled: true, host: 'mail.example.org', from: 'quire@example.org' };
    const ready = await start({ mail }, ['@quire/plugin-general']);
    expect(await availability(ready, 'general/send-email')).to.deep.equal({ state: 'available' });
  });

  it('says what the licence, the hosting and the login leave out', async () => {
    const server = await start({ licence: { tier: 'team' } }, [meteredPlugin]);
    const all = await operations(server);
    const stateOf = (name: string): Availability | undefined => all.get(`misc/metered-${name}`)?.availability;
    expect(stateOf('team')).to.deep.equal({ state: 'available' });
    expect(stateOf('enterprise')).to.deep.equal({ state: 'licence', reason: 'It needs the enterprise licence.' });
    expect(stateOf('cloud')).to.deep.equal({
      state: 'licence',
      reason: 'It is available only in the hosted product.',
    });
    expect(stateOf('login')).to.deep.equal({ state: 'off', reason: 'It is available only while login is on.' });
    expect(stateOf('admin'), 'everybody is an administrator without login').to.deep.equal({ state: 'available' });
  });

  it('depends on the role of the caller and on the limits of the key', async () => {
    const server = await start({ security: withLogin }, [meteredPlugin, '@quire/plugin-filter']);
    expectProblem(await ask(server), 401, 'KEY_INVALID');
    const boss = await sessionOf(server);
    const { username, password } = await addUser(server, boss, 'anna');
    const anna = await sessionOf(server, username, password);
    const admin = 'misc/metered-admin';
    expect(await availability(server, admin, boss)).to.deep.equal({ state: 'available' });
    expect(await availability(server, admin, anna)).to.deep.equal({
      state: 'role',
      reason: 'Only administrators can use it.',
    });
    const made = await sendJson(
      server,
      '/api/v1/proprietary/ui-data/infrastructure/api-keys',
      { name: 'limited', categories: ['filter'] },
      anna,
    );
    const key = { 'x-api-key': json<{ secret: string }>(made).secret };
    expect(await availability(server, 'filter/filter-page-count', key)).to.deep.equal({ state: 'available' });
    const refused = await availability(server, 'misc/metered-one', key);
    expect(refused.state).to.equal('role');
    expect(refused.reason).to.match(/^This API key may not use it: it is limited to the categories filter/);
    const etags = [boss, anna, key].map(async (caller) => (await ask(server, caller)).headers['etag']);
    expect(new Set(await Promise.all(etags)).size, 'ETags').to.equal(3);
  });

  it('offers the files of its examples, byte for byte, to save and not to display', async () => {
    const server = await start();
    for (const { category, examples, path } of (await operations(server)).values()) {
      const folder = server.catalog.operations.get(path)?.plugin.root ?? '';
      for (const { files, parts } of examples.slice(0, 1)) {
        for (const name of [...files, ...Object.values(parts)]) {
          const answer = await send(`${server.url}/api/v1/console/samples/${category}/${encodeURIComponent(name)}`);
          expect(answer.status, `${path} ${name}`).to.equal(200);
          expect(answer.headers['content-type']).to.equal('application/octet-stream');
          expect(answer.headers['content-disposition']).to.match(/^attachment/);
          const wanted = [name, name.replace(/^plugin-[^-]+-/, '')].map((file) => join(folder, 'fixtures', file));
          const found = wanted.find((file) => existsSync(file)) ?? '';
          expect(answer.body.equals(readFileSync(found)), `${path} ${name}`).to.equal(true);
        }
      }
    }
  });

  it('offers no other file', async () => {
    const server = await start();
    const package_ = join(productRoot, 'plugins', 'general', 'package.json');
    expect(existsSync(package_)).to.equal(true);
    const names = [
      'general/unknown.pdf',
      'unknown/two-pages.pdf',
      'general/..%2Fpackage.json',
      'general/..%2f..%2fgeneral%2ffixtures%2ftwo-pages.pdf',
      'general/%2e%2e%2fpackage.json',
      `general/${encodeURIComponent(package_)}`,
      'general/two-pages.pdf%00',
      '..%2Fgeneral/two-pages.pdf',
      '__proto__/constructor',
    ];
    for (const name of names)
      expectProblem(await send(`${server.url}/api/v1/console/samples/${name}`), 404, 'NOT_FOUND');
  });

  it('does not exist while the console is off', async () => {
    const server = await start({ console: { enabled: false } });
    for (const path of ['catalog', 'samples/general/two-pages.pdf']) {
      const problem = expectProblem(await send(`${server.url}/api/v1/console/${path}`), 403, 'FEATURE_OFF');
      expect(problem.detail).to.include('console.enabled');
    }
  });
});
