import { expect } from 'chai';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import { addUser, globalKey, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { productRoot, until, type TestServer } from '../support/server.js';

const SETTINGS = '/api/v1/admin/settings';
const canary = 's3cr3t-canary-9d2f';
/** Secrets that are sent to the address of another setting, each with a new value of that one. */
const sentTo: readonly (readonly [secret: string, address: string, value: string | number | boolean])[] = [
  ['mail.password', 'mail.host', 'evil.example'],
  ['mail.password', 'mail.port', 2525],
  ['aiEngine.sharedSecret', 'aiEngine.url', 'https://evil.example'],
  ['aiEngine.models.apiKey', 'aiEngine.models.baseUrl', 'https://evil.example/v1'],
  ['aiEngine.rag.embeddingApiKey', 'aiEngine.rag.embeddingBaseUrl', 'https://evil.example/v1'],
  ['storage.s3.secretKey', 'storage.s3.endpoint', 'https://evil.example'],
  ['security.oauth2.clientSecret', 'security.oauth2.issuer', 'https://evil.example'],
];
const kept = Object.fromEntries(
  sentTo.filter(([secret]) => !secret.startsWith('mail.')).map(([secret]) => [secret, canary]),
);

describe('The settings API', () => {
  let server: TestServer;
  let boss: { readonly authorization: string };
  let settingsFile: string;
  let atFirst: string;

  before(async () => {
    server = await startWithLogin({}, { mail: { password: canary }, ...kept });
    boss = await sessionOf(server);
    settingsFile = join(server.basePath, 'configs', 'settings.yml');
    atFirst = readFileSync(settingsFile, 'utf8');
  });
  after(() => server.stop());
  afterEach(() => writeFileSync(settingsFile, atFirst));

  const get = (path = ''): Promise<Answer> => send(`${server.url}${SETTINGS}${path}`, { headers: boss });
  const put = (path: string, body: unknown): Promise<Answer> =>
    sendJson(server, `${SETTINGS}${path}`, body, boss, 'PUT');
  const delta = async (): Promise<{
    pendingChanges: Record<string, unknown>;
    hasPendingChanges: boolean;
    count: number;
  }> => json(await get('/delta'));

  it('is for administrators only, on every address', async () => {
    await addUser(server, boss, 'ada');
    const user = await sessionOf(server, 'ada', 'password of ada');
    const calls = [
      ['GET', ''],
      ['PUT', ''],
      ['GET', '/delta'],
      ['GET', '/section/system'],
      ['PUT', '/section/system'],
      ['GET', '/key/system.maxDPI'],
      ['PUT', '/key/system.maxDPI'],
      ['POST', '/restart'],
    ] as const;
    for (const [method, path] of calls) {
      for (const [headers, status, code] of [
        [{}, 401, 'KEY_INVALID'],
        [user, 403, 'ADMIN_ONLY'],
        [{ 'x-api-key': globalKey }, 403, 'ADMIN_ONLY'],
      ] as const) {
        expectProblem(
          await send(`${server.url}${SETTINGS}${path}`, {
            method,
            headers: { 'content-type': 'application/json', ...headers },
            ...(method === 'GET' ? {} : { body: '{"value": 1}' }),
          }),
          status,
          code,
        );
      }
    }
  });

  it('shows every section with its values, and no secret', async () => {
    const whole = json<Record<string, Record<string, unknown>>>(await get());
    expect(whole).to.include.all.keys(
      'security',
      'system',
      'ui',
      'endpoints',
      'metrics',
      'mail',
      'storage',
      'premium',
      'processExecutor',
      'autoPipeline',
      'legal',
      'telegram',
      'aiEngine',
      'mcp',
      'policies',
    );
    expect(whole['system']).to.include({ maxDPI: 500 });
    expect(whole['mail']).to.include({ password: '********', port: 587 });
    expect(json(await get('/key/mail.password'))).to.deep.equal({ key: 'mail.password', value: '********' });
    for (const path of ['', '?includePending=true', '/section/mail', '/section/security', '/delta'])
      expect((await get(path)).body.toString())
        .not.to.include(canary)
        .and.not.to.include(globalKey);
  });

  it('writes several values at once; they take effect after a restart and can be read meanwhile', async () => {
    const answer = await put('', {
      settings: { 'system.maxDPI': 300, 'ui.appNameNavbar': 'Papers', 'mail.password': '********' },
    });
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(json<{ message: string }>(answer).message).to.include('restart');
    expect(await delta()).to.deep.equal({
      pendingChanges: { 'system.maxDPI': 300, 'ui.appNameNavbar': 'Papers' },
      hasPendingChanges: true,
      count: 2,
    });
    expect(json<{ system: object }>(await get()).system).to.include({ maxDPI: 500 });
    expect(json<{ system: object }>(await get('?includePending=true')).system).to.include({ maxDPI: 300 });
    expect(json<{ maxDPI: number; _pending: object }>(await get('/section/system'))).to.deep.include({
      maxDPI: 500,
      _pending: { maxDPI: 300 },
    });
    expect(json(await get('/section/system?includePending=false'))).not.to.have.property('_pending');
    expect(readFileSync(settingsFile, 'utf8')).to.include(canary);
  });

  it('writes a section in its nested form, as it was read', async () => {
    const section = json<Record<string, unknown>>(await get('/section/system'));
    const answer = await put('/section/system', {
      ...section,
      maxDPI: 250,
      serverCertificate: { ...(section['serverCertificate'] as object), validity: 30 },
    });
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(answer.headers['content-type']).to.match(/^text\/plain/);
    expect((await delta()).pendingChanges).to.deep.equal({
      'system.maxDPI': 250,
      'system.serverCertificate.validity': 30,
    });
  });

  it('reads and writes single keys', async () => {
    expect(json(await get('/key/system.maxDPI'))).to.deep.equal({ key: 'system.maxDPI', value: 500 });
    expect(json<{ value: object }>(await get('/key/system.serverCertificate')).value).to.include({ validity: 365 });
    expect((await put('/key/system.maxDPI', { value: 222 })).status).to.equal(200);
    expect((await delta()).pendingChanges).to.deep.equal({ 'system.maxDPI': 222 });
    expect((await put('/key/system.maxDPI', { value: null })).status).to.equal(200);
    expect((await delta()).count).to.equal(0);
  });

  it('refuses what the settings file would refuse, each fault with its path, and writes nothing', async () => {
    const answer = await put('', {
      settings: { 'system.maxDIP': 300, 'system.maxDPI': 'high', 'ui.appNameNavbar': 'Papers', plugins: [] },
    });
    const problem = expectProblem(answer, 400, 'SETTINGS_REJECTED');
    expect(json<{ error: string }>(answer).error).to.equal(problem.detail);
    expect(pointers(problem)).to.deep.equal([
      '/settings/system.maxDIP',
      '/settings/system.maxDPI',
      '/settings/plugins',
    ]);
    expect(problem.detail).to.include('Did you mean system.maxDPI?');
    expect(
      pointers(
        expectProblem(
          await put('/section/system', { maxDPI: -1, serverCertificate: { validty: 3 } }),
          400,
          'SETTINGS_REJECTED',
        ),
      ),
    ).to.deep.equal(['/maxDPI', '/serverCertificate/validty']);
    expect(
      pointers(expectProblem(await put('/key/system.maxDPI', { value: [] }), 400, 'SETTINGS_REJECTED')),
    ).to.deep.equal(['/value']);
    for (const path of ['/key/no.such.key', '/key/plugins', '/section/plugins', '/section/sytem', '/section/__proto__'])
      expectProblem(await get(path), 400, 'SETTINGS_REJECTED');
    expect(expectProblem(await get('/section/sytem'), 400, 'SETTINGS_REJECTED').detail).to.include(
      'did you mean system?',
    );
    expectProblem(await put(`/key/${['system', ...'abcdefghij'].join('.')}`, { value: 1 }), 400, 'SETTINGS_REJECTED');
    for (const body of [{}, { settings: {} }, { settings: [] }, { settings: 'x' }, [], 7, null])
      expectProblem(await put('', body), 400, 'INPUT_INVALID');
    expect(readFileSync(settingsFile, 'utf8')).to.equal(atFirst);
  });

  it('refuses to name files, folders and programs of the machine, or the store, on every address', async () => {
    const places = {
      'system.customPaths.pipeline.webUIConfigsDir': '/etc',
      'system.customPaths.pipeline.watchedFoldersDirs': ['/root'],
      'system.tempFileManagement.baseTmpDir': '/',
      'system.tessdataDir': '/etc',
      'system.caBundle': '/etc/passwd',
      'storage.local.basePath': '/',
      'store.mongodb.url': 'mongodb://evil.example',
    };
    const problem = expectProblem(await put('', { settings: places }), 400, 'SETTINGS_REJECTED');
    expect(pointers(problem)).to.have.members(Object.keys(places).map((path) => `/settings/${path}`));
    for (const [path, value] of Object.entries(places)) {
      const { detail } = expectProblem(await put(`/key/${path}`, { value }), 400, 'SETTINGS_REJECTED');
      expect(detail).to.contain(path).and.contain('settings.yml');
    }
    expectProblem(
      await put('/section/system', { customPaths: { pipeline: { webUIConfigsDir: '/etc' } } }),
      400,
      'SETTINGS_REJECTED',
    );
    expect(readFileSync(settingsFile, 'utf8')).to.equal(atFirst);
  });

  it('refuses to send a kept secret to another address', async () => {
    for (const settings of [
      { 'mail.host': 'evil.example' },
      { 'mail.host': 'evil.example', 'mail.password': '********' },
    ]) {
      const problem = expectProblem(await put('', { settings }), 400, 'SETTINGS_REJECTED');
      expect(problem.detail).to.contain('mail.password again').and.not.contain(canary);
    }
    expect((await put('', { settings: { 'mail.host': 'new.example', 'mail.password': 'new' } })).status).to.equal(200);
  });

  for (const [secret, address, value] of sentTo)
    it(`asks for ${secret} again when ${address} changes`, async () => {
      const problem = expectProblem(await put('', { settings: { [address]: value } }), 400, 'SETTINGS_REJECTED');
      expect(problem.detail).to.contain(`${secret} again`).and.not.contain(canary);
      const again = Object.fromEntries(sentTo.map(([each]) => [each, 'another one']));
      const both = await put('', { settings: { [address]: value, ...again } });
      expect(both.status, both.body.toString()).to.equal(200);
    });

  it('refuses a sub-path that is not a URL path', async () => {
    for (const value of ['tools', '/../x', '/a b', '//evil.example', '/{p*}'])
      expectProblem(await put('/key/system.rootUriPath', { value }), 400, 'SETTINGS_REJECTED');
  });

  it('refuses malicious bodies', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    for (const body of [
      `{"settings": {"system": ${deep}}}`,
      '{"settings": {"__proto__": {"polluted": true}}}',
      '{"settings": {"constructor.prototype.polluted": true}}',
    ]) {
      const answer = await send(`${server.url}${SETTINGS}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...boss },
        body,
      });
      expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(400);
    }
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect(readFileSync(settingsFile, 'utf8')).to.equal(atFirst);
  });

  it('loses no value when writes race', async () => {
    const values = Object.fromEntries([
      ['system.maxDPI', 111],
      ['limits.maxPages', 112],
      ['limits.maxParts', 113],
      ['jobs.cleanupIntervalMinutes', 14],
      ['ui.appNameNavbar', 'P'],
      ['mail.inviteLinkExpiryHours', 15],
      ['endpoints.toRemove', ['crop']],
      ['server.keepAliveSeconds', 16],
      ['metrics.enabled', false],
      ['legal.impressum', 'x'],
    ] as const);
    const answers = await Promise.all(Object.entries(values).map(([key, value]) => put(`/key/${key}`, { value })));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    expect((await delta()).pendingChanges).to.deep.equal(values);
  });

  it('leaves a broken file unchanged and reports what is wrong with it', async () => {
    for (const broken of ['server:\n\tport: 1\n', 'server:\n  prot: 1\n', 'server:\n  port: many\n']) {
      writeFileSync(settingsFile, broken);
      for (const answer of [
        await put('', { settings: { 'system.maxDPI': 300 } }),
        await get('/delta'),
        await sendJson(server, `${SETTINGS}/restart`, {}, boss),
      ]) {
        expect(json<{ code: string }>(answer).code, answer.body.toString()).to.match(
          /^(SETTINGS_FILE_BROKEN|RESTART_IMPOSSIBLE)$/,
        );
      }
      expect(readFileSync(settingsFile, 'utf8')).to.equal(broken);
    }
    expect((await get()).status).to.equal(200);
  });

  it('does not restart a server without a supervisor', async () => {
    const answer = await sendJson(server, `${SETTINGS}/restart`, {}, boss);
    expectProblem(answer, 503, 'RESTART_IMPOSSIBLE');
    expect(json<{ error: string }>(answer).error).to.include('npm start');
  });

  it('does not exist while login is off', async () => {
    const open = await startWithLogin({ enableLogin: false });
    try {
      expectProblem(await send(`${open.url}${SETTINGS}`), 404, 'LOGIN_REQUIRED');
      expectProblem(await sendJson(open, `${SETTINGS}/restart`, {}), 404, 'LOGIN_REQUIRED');
    } finally {
      await open.stop();
    }
  });
});

describe('A restart by an administrator', () => {
  let basePath: string;
  const servers: ServerProcess[] = [];
  beforeEach(() => {
    basePath = makeBase({
      security: { enableLogin: true, initialLogin: { username: 'boss', password: 'the-password-of-the-boss' } },
    });
  });
  afterEach(() => {
    servers.splice(0).forEach(({ child }) => child.exitCode === null && child.kill('SIGKILL'));
    rmSync(basePath, { recursive: true, force: true });
  });
  const start = async (env: Record<string, string>, command?: readonly string[]): Promise<ServerProcess> => {
    const server = await startProcess(basePath, env, command);
    servers.push(server);
    expect(server.url, server.text()).not.to.equal('');
    return server;
  };
  const urls = (server: ServerProcess): string[] =>
    [...server.text().matchAll(/listening on (http:\S+)/g)].map((match) => match[1] ?? '');

  it('applies written settings under npm start, repeatedly, and a signal still ends it gracefully', async () => {
    const server = await start({}, [process.execPath, join(productRoot, 'deploy', 'start.mjs')]);
    for (const round of [1, 2]) {
      const url = urls(server).at(-1) ?? '';
      const boss = await sessionOf({ url });
      expect(
        (await sendJson({ url }, SETTINGS, { settings: { 'system.maxDPI': 100 + round } }, boss, 'PUT')).status,
      ).to.equal(200);
      const answer = await sendJson({ url }, `${SETTINGS}/restart`, {}, boss);
      expect(answer.status, answer.body.toString()).to.equal(200);
      await until('the server is back', () => urls(server).length === round + 1);
      const back = { url: urls(server).at(-1) ?? '' };
      const again = await sessionOf(back);
      expect(
        json<{ value: number }>(await send(`${back.url}${SETTINGS}/key/system.maxDPI`, { headers: again })).value,
      ).to.equal(100 + round);
      expect(json<{ count: number }>(await send(`${back.url}${SETTINGS}/delta`, { headers: again })).count).to.equal(0);
    }
    server.child.kill('SIGTERM');
    expect(await server.exit, server.text()).to.equal(0);
    expect(existsSync(join(basePath, 'tmp', 'runs'))).to.equal(false);
  }).timeout(90_000);

  it('ends the process with the agreed code under another supervisor, and pins environment values', async () => {
    const server = await start({ QUIRE_SUPERVISED: '1', SYSTEM_MAXDPI: '200', ENDPOINTS_TOREMOVE: 'rotate-pdf' });
    const boss = await sessionOf(server);
    const pinned = expectProblem(
      await sendJson(server, `${SETTINGS}/key/system.maxDPI`, { value: 300 }, boss, 'PUT'),
      400,
      'SETTINGS_REJECTED',
    );
    expect(pinned.detail).to.include('SYSTEM_MAXDPI');
    const held = expectProblem(
      await sendJson(
        server,
        '/api/v1/admin/plugins',
        { operation: 'general/rotate-pdf', enabled: true },
        boss,
        'PATCH',
      ),
      409,
      'SWITCH_PINNED',
    );
    expect(held.detail).to.include('ENDPOINTS_TOREMOVE');
    writeFileSync(
      join(basePath, 'configs', 'settings.yml'),
      `${readFileSync(join(basePath, 'configs', 'settings.yml'), 'utf8')}nonsense: 1\n`,
    );
    expectProblem(await sendJson(server, `${SETTINGS}/restart`, {}, boss), 409, 'SETTINGS_FILE_BROKEN');
    writeFileSync(
      join(basePath, 'configs', 'settings.yml'),
      readFileSync(join(basePath, 'configs', 'settings.yml'), 'utf8').replace('nonsense: 1\n', ''),
    );
    expect((await sendJson(server, `${SETTINGS}/restart`, {}, boss)).status).to.equal(200);
    expect(await server.exit, server.text()).to.equal(75);
  });
});
