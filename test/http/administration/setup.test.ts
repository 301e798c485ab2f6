import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, bossName, bossPassword, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { startServer, type TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;
interface Folder {
  readonly purpose: string;
  readonly path: string;
  readonly setting?: string;
  readonly exists: boolean;
  readonly writable: boolean;
  readonly freeBytes: number | null;
}
interface Setup {
  readonly open: boolean;
  readonly login: { readonly enabled: boolean; readonly afterRestart: boolean; readonly environment?: string };
  readonly password?: { readonly username: string; readonly fromSettings: boolean };
  readonly settingsFile: string;
  readonly canRestart: boolean;
  readonly folders: readonly Folder[];
}

const getSetup = (server: TestServer, headers: Headers = {}): Promise<Answer> =>
  send(`${server.url}/api/v1/admin/setup`, { headers });
const finish = (server: TestServer, headers: Headers = {}): Promise<Answer> =>
  send(`${server.url}/api/v1/admin/setup/finish`, { method: 'POST', headers });
const isOffered = async (server: TestServer, headers: Headers = {}): Promise<unknown> =>
  json<{ setupOpen: unknown }>(await send(`${server.url}/api/v1/config/app-config`, { headers })).setupOpen;

describe('The first steps on a new server with login', () => {
  let server: TestServer;
  let boss: Headers;
  before(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  it('name the folders of the server and whether it can write there', async () => {
    const { folders, settingsFile } = json<Setup & Record<string, unknown>>(await getSetup(server, boss));
    expect(folders.map(({ purpose }) => purpose)).to.deep.equal([
      'data',
      'configs',
      'store',
      'temporary',
      'logs',
      'watched',
      'results',
    ]);
    expect(folders[0]).to.deep.include({ path: server.basePath, setting: 'QUIRE_BASE_PATH', exists: true });
    for (const { path, writable, freeBytes } of folders) {
      expect(writable, path).to.equal(true);
      expect(freeBytes, path).to.be.greaterThan(0);
    }
    expect(settingsFile).to.equal(join(server.basePath, 'configs', 'settings.yml'));
  });

  it('say that the first password is still the one of the settings, until it is changed', async () => {
    const state = async (): Promise<Setup['password']> =>
      json<Setup & Record<string, unknown>>(await getSetup(server, boss)).password;
    expect(await state()).to.deep.equal({ username: bossName, fromSettings: true });
    const fields = { currentPassword: bossPassword, newPassword: 'a password of my own' };
    expect((await sendFields(server, '/api/v1/user/change-password', fields, boss)).status).to.equal(200);
    expect(await state()).to.deep.equal({ username: bossName, fromSettings: false });
  });

  it('say what login is now and after a restart', async () => {
    const login = async (): Promise<Setup['login']> =>
      json<Setup & Record<string, unknown>>(await getSetup(server, boss)).login;
    expect(await login()).to.deep.equal({ enabled: true, afterRestart: true });
    for (const enabled of [false, true]) {
      const body = { settings: { 'security.enableLogin': enabled } };
      expect((await sendJson(server, '/api/v1/admin/settings', body, boss, 'PUT')).status).to.equal(200);
      expect(await login()).to.deep.equal({ enabled: true, afterRestart: enabled });
    }
  });

  it('are for administrators only', async () => {
    const { username, password } = await addUser(server, boss, 'ann');
    const ann = await sessionOf(server, username, password);
    expect([await isOffered(server, ann), await isOffered(server)]).to.deep.equal([false, false]);
    for (const call of [getSetup, finish]) {
      expectProblem(await call(server, ann), 403, 'ADMIN_ONLY');
      expectProblem(await call(server), 401, 'KEY_INVALID');
    }
  });

  it('are offered until one administrator is done, also after a restart', async () => {
    const { username, password } = await addUser(server, boss, 'second.boss', 'ROLE_ADMIN');
    const second = await sessionOf(server, username, password);
    expect([await isOffered(server, boss), await isOffered(server, second)]).to.deep.equal([true, true]);
    for (let i = 0; i < 2; i += 1) expect(json<object>(await finish(server, second))).to.deep.equal({ open: false });
    expect([await isOffered(server, boss), await isOffered(server, second)]).to.deep.equal([false, false]);
    expect(json(await getSetup(server, boss))['open']).to.equal(false);
  });

  it('are not offered again after a restart', async () => {
    const basePath = await mkdtemp(join(tmpdir(), 'quire-setup-'));
    try {
      const first = await startWithLogin({}, {}, basePath);
      await finish(first, await sessionOf(first)).finally(() => first.stop());
      const second = await startWithLogin({}, {}, basePath);
      await isOffered(second, await sessionOf(second))
        .then((offered) => expect(offered).to.equal(false))
        .finally(() => second.stop());
    } finally {
      await rm(basePath, { recursive: true, force: true });
    }
  });
});

describe('The first steps on a new server without login', () => {
  it('are for callers on the same machine', async () => {
    const server = await startServer({ server: { port: 0, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] } });
    try {
      const far = { 'x-forwarded-for': '203.0.113.9' };
      expect([await isOffered(server), await isOffered(server, far)]).to.deep.equal([true, false]);
      for (const call of [getSetup, finish]) expectProblem(await call(server, far), 403, 'ADMIN_ONLY');
      const setup = json<Setup & Record<string, unknown>>(await getSetup(server));
      expect(setup).to.deep.include({ open: true, login: { enabled: false, afterRestart: false } });
      expect(setup).not.to.have.property('password');
      expect((await finish(server)).status).to.equal(200);
      expect(await isOffered(server)).to.equal(false);
    } finally {
      await server.stop();
    }
  });

  it('are not offered where console.welcome is off', async () => {
    const server = await startServer({ console: { welcome: false } });
    try {
      expect(await isOffered(server)).to.equal(false);
      expect(json(await getSetup(server))['open'], 'but can be opened').to.equal(true);
    } finally {
      await server.stop();
    }
  });

  it('name a folder that the server cannot create', async () => {
    const finishedFoldersDir = '/dev/null/results';
    const server = await startServer({ system: { customPaths: { pipeline: { finishedFoldersDir } } } });
    try {
      const { folders } = json<Setup & Record<string, unknown>>(await getSetup(server));
      expect(folders.find(({ purpose }) => purpose === 'data')).to.include({ writable: true });
      expect(folders.find(({ purpose }) => purpose === 'results')).to.include({
        path: finishedFoldersDir,
        exists: false,
        writable: false,
      });
    } finally {
      await server.stop();
    }
  });
});
