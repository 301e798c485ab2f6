import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { expectProblem, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, sendFields, sessionOf, startWithLogin } from '../support/login.js';
import { testDatabase } from '../support/mongo.js';
import type { TestServer } from '../support/server.js';
import { expectShape } from '../support/shape.js';

interface Backup {
  readonly fileName: string;
  readonly fileSize: number;
  readonly creationDate: string;
}

describe('Backups by administrators', () => {
  let basePath: string;
  let server: TestServer;
  let boss: { readonly authorization: string };
  let ada: { readonly authorization: string };
  const start = async (tier = 'enterprise'): Promise<void> => {
    server = await startWithLogin({}, { licence: { tier } }, basePath);
    boss = await sessionOf(server);
  };
  before(async () => {
    basePath = mkdtempSync(join(tmpdir(), 'quire-backups-http-'));
    await start();
    await addUser(server, boss, 'ada');
    ada = await sessionOf(server, 'ada', 'password of ada');
  });
  after(async () => {
    await server.stop();
    rmSync(basePath, { recursive: true, force: true });
  });
  const call = (path: string, method = 'GET', headers: Readonly<Record<string, string>> = boss): Promise<Answer> =>
    send(`${server.url}/api/v1/${path}`, { method, headers });
  const page = async () =>
    json<{ backupFiles: Backup[]; restoreWaiting: boolean }>(await call('proprietary/ui-data/database'));
  const create = async (): Promise<Backup> =>
    json<{ backup: Backup }>(await call('database/createDatabaseBackup')).backup;

  it("are for administrators only, and a browser's cookies do not authenticate", async () => {
    const calls = [
      ['GET', 'createDatabaseBackup'],
      ['GET', 'download/a.db'],
      ['GET', 'delete/a.db'],
      ['GET', 'import-database-file/a.db'],
      ['POST', 'import-database'],
      ['DELETE', 'deleteLast'],
      ['DELETE', 'deleteAll'],
    ] as const;
    for (const [method, path] of calls) {
      expectProblem(await call(`database/${path}`, method, {}), 401, 'KEY_INVALID');
      expectProblem(
        await call(`database/${path}`, method, {
          cookie: `access_token=${boss.authorization.slice(7)}; session=${boss.authorization.slice(7)}`,
        }),
        401,
        'KEY_INVALID',
      );
      expectProblem(await call(`database/${path}`, method, ada), 403, 'ADMIN_ONLY');
    }
    expect(existsSync(join(basePath, 'store', 'backups'))).to.equal(false);
  });

  it('are created, listed, downloaded and deleted by name', async () => {
    const answer = json<{ backup: Backup }>(await call('database/createDatabaseBackup'));
    expectShape(answer, { message: 'string', backup: 'object' });
    expectShape(answer.backup, { fileName: 'string', fileSize: 'integer', creationDate: 'string' });
    const { fileName, fileSize } = answer.backup;
    const shown = await page();
    expectShape(shown, {
      databaseType: 'string',
      databaseVersion: 'string',
      versionUnknown: 'boolean',
      backupsPossible: 'boolean',
      restoreWaiting: 'boolean',
      backupFiles: 'array',
    });
    expect(shown).to.deep.include({
      databaseType: 'embedded',
      backupsPossible: true,
      restoreWaiting: false,
      backupFiles: [answer.backup],
    });
    const download = await call(`database/download/${fileName}`);
    expect([
      download.status,
      download.headers['content-type'],
      download.body.length,
      download.body.subarray(0, 15).toString(),
    ]).to.deep.equal([200, 'application/vnd.sqlite3', fileSize, 'SQLite format 3']);
    expect(download.headers['content-disposition']).to.include(`filename="${fileName}"`);
    for (const name of [
      'none.db',
      '..%2Fquire.db',
      '..%2F..%2Fconfigs%2Fsettings.yml',
      '%2E%2E',
      'settings.yml',
      `${'a'.repeat(150)}.db`,
    ]) {
      for (const verb of ['download', 'delete', 'import-database-file'])
        expect((await call(`database/${verb}/${name}`)).status, `${verb} ${name}`).to.equal(404);
    }
    expectProblem(await call(`database/download/none.db`), 404, 'BACKUP_UNKNOWN');
    expect(
      (await call(`database/delete/${fileName}`, 'HEAD')).status,
      'a question for the head alone deletes nothing',
    ).to.equal(405);
    const gone = json(await call(`database/delete/${fileName}`));
    expectShape(gone, { message: 'string' });
    expectProblem(await call(`database/delete/${fileName}`), 404, 'BACKUP_UNKNOWN');
  });

  it('are deleted newest first, or all at once', async () => {
    expectProblem(await call('database/deleteLast', 'DELETE'), 404, 'BACKUP_UNKNOWN');
    const made = [await create(), await create(), await create()].map(({ fileName }) => fileName);
    const newest = (await page()).backupFiles[0]?.fileName;
    expect(json(await call('database/deleteLast', 'DELETE'))).to.deep.include({ deleted: [newest] });
    const all = json<{ deleted: string[] }>(await call('database/deleteAll', 'DELETE'));
    expectShape(all, { message: 'string', deleted: 'array', failed: 'array' });
    expect(all.deleted.sort()).to.deep.equal(made.filter((name) => name !== newest).sort());
    expect((await page()).backupFiles).to.deep.equal([]);
  });

  it('refuse files that are not backups', async () => {
    const upload = (bytes: Buffer, name = 'backup.sql'): Promise<Answer> =>
      post(`${server.url}/api/v1/database/import-database`, [file(bytes, name)], boss);
    expectProblem(await upload(Buffer.from('CREATE TABLE users(id int);')), 400, 'BACKUP_UNFIT');
    expectProblem(await upload(Buffer.from(`SQLite format 3\0${'z'.repeat(9000)}`), 'backup.db'), 400, 'BACKUP_UNFIT');
    expectProblem(await post(`${server.url}/api/v1/database/import-database`, [], boss), 400, 'INPUT_FILE_MISSING');
    expect((await page()).restoreWaiting).to.equal(false);
  });

  it('restore deleted accounts at the next start, stored or uploaded, and keep the previous data', async () => {
    const { fileName } = await create();
    const bytes = (await call(`database/download/${fileName}`)).body;
    await sendFields(server, '/api/v1/user/admin/deleteUser/ada', {}, boss);
    await addUser(server, boss, 'zoe');
    const restored = json<{ records: number; message: string }>(
      await call(`database/import-database-file/${fileName}`),
    );
    expectShape(restored, { message: 'string', records: 'integer', requiresRestart: 'boolean' });
    expect(restored).to.include({ requiresRestart: true });
    expect((await page()).restoreWaiting).to.equal(true);
    const names = async (): Promise<unknown[]> =>
      json<{ users: { username: string }[] }>(await call('proprietary/ui-data/admin-settings')).users.map(
        ({ username }) => username,
      );
    expect(await names(), 'the running server goes on as it is').to.deep.equal(['boss', 'zoe']);
    await server.stop();
    await start('team');
    expect(await names()).to.deep.equal(['ada', 'boss']);
    await sessionOf(server, 'ada', 'password of ada');
    expect((await page()).restoreWaiting).to.equal(false);
    expect((await page()).backupFiles.map(({ fileName: name }) => name.replace(/_.*/, '')).sort()).to.deep.equal([
      'backup',
      'before-restore',
    ]);
    expect(
      (await post(`${server.url}/api/v1/database/import-database`, [file(bytes, 'backup.db')], boss)).status,
    ).to.equal(200);
    for (const path of ['deleteLast', 'deleteAll'])
      expectProblem(await call(`database/${path}`, 'DELETE'), 403, 'LICENCE_TOO_LOW');
    expectProblem(await call('proprietary/ui-data/usage-endpoint-statistics'), 403, 'LICENCE_TOO_LOW');
  });
});

describe('Backups where the data is in MongoDB', () => {
  it('are refused with the reason, and the page says so', async function () {
    this.timeout(60_000);
    const url = await mongoTestUrl();
    if (url === undefined) return this.skip();
    const database = testDatabase(url);
    const server = await startWithLogin(
      {},
      { store: { mongodb: { url, database: database.name }, secret: '0123456789abcdef'.repeat(4) } },
    );
    try {
      const boss = await sessionOf(server);
      const call = (path: string, method = 'GET'): Promise<Answer> =>
        send(`${server.url}/api/v1/${path}`, { method, headers: boss });
      const page = json(await call('proprietary/ui-data/database'));
      expect(page).to.deep.include({
        databaseType: 'mongodb',
        backupsPossible: false,
        restoreWaiting: false,
        backupFiles: [],
      });
      expect(page['databaseVersion']).to.match(/^\d+\./);
      for (const [method, path] of [
        ['GET', 'createDatabaseBackup'],
        ['GET', 'download/a.db'],
        ['GET', 'delete/a.db'],
        ['GET', 'import-database-file/a.db'],
        ['DELETE', 'deleteLast'],
        ['DELETE', 'deleteAll'],
      ] as const) {
        expectProblem(await call(`database/${path}`, method), 409, 'BACKUPS_ELSEWHERE');
      }
      expectProblem(
        await post(`${server.url}/api/v1/database/import-database`, [file(Buffer.from('x'), 'a.db')], boss),
        409,
        'BACKUPS_ELSEWHERE',
      );
      expect(json(await call('admin/installation-id'))['installationId']).to.match(/^[0-9a-f-]{36}$/);
    } finally {
      await server.stop();
      await database.drop();
    }
  });
});
