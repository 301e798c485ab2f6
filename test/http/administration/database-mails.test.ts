import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../suites/job-harness.js';
import { file, post, send, type Answer } from '../support/client.js';
import { addUser, bossPassword, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { MailServer } from '../support/mail-server.js';
import type { TestServer } from '../support/server.js';

const all = { successful: true, failed: true };

describe('Mails about backups of the database', () => {
  let basePath: string;
  let mails: MailServer;
  let server: TestServer;
  let boss: { readonly authorization: string };
  const start = async (databaseNotifications: object, mail: object = mails.settings): Promise<void> => {
    server = await startWithLogin(
      { initialLogin: { username: 'boss@example.org', password: bossPassword } },
      { mail: { ...mail }, premium: { enterpriseFeatures: { databaseNotifications } } },
      basePath,
    );
    boss = await sessionOf(server, 'boss@example.org');
  };
  beforeEach(async () => {
    basePath = mkdtempSync(join(tmpdir(), 'quire-backup-mails-'));
    mails = await MailServer.start();
  });
  afterEach(async () => {
    await server.stop();
    await mails.stop();
    rmSync(basePath, { recursive: true, force: true });
  });
  const backUp = (): Promise<Answer> =>
    send(`${server.url}/api/v1/database/createDatabaseBackup`, { method: 'GET', headers: boss });
  const restore = (bytes: Buffer): Promise<Answer> =>
    post(`${server.url}/api/v1/database/import-database`, [file(bytes, 'backup.db')], boss);
  const count = (expected: number): Promise<true> =>
    until(() => (mails.mails.length === expected ? (true as const) : undefined));

  it('go to each enabled administrator with a mail address, in their language', async () => {
    await start({ backups: all });
    await addUser(server, boss, 'anna@example.org', 'ROLE_ADMIN');
    await addUser(server, boss, 'otto@example.org', 'ROLE_USER');
    await addUser(server, boss, 'plain-admin', 'ROLE_ADMIN');
    const anna = await sessionOf(server, 'anna@example.org', 'password of anna@example.org');
    await sendJson(server, '/api/v1/user/updateUserSettings', { language: 'de' }, anna);
    expect((await backUp()).status).to.equal(200);
    await count(2);
    expect(mails.lastTo('boss@example.org')).to.match(/Subject: Backup of Quire made[\s\S]*backup_\d{8}T\d{6}Z\.db/);
    expect(Buffer.from(mails.lastTo('anna@example.org'), 'latin1').toString()).to.include(
      'Die Datenbank von Quire wurde gesichert.',
    );
  });

  it('say why a backup failed, or was not accepted', async () => {
    await start({ backups: all, imports: all });
    writeFileSync(join(basePath, 'store', 'backups'), 'in the way');
    expect((await backUp()).status).to.equal(500);
    await count(1);
    expect(mails.lastTo('boss@example.org')).to.match(
      /Subject: Backup of Quire failed[\s\S]*The log of the server says why/,
    );
    expect((await restore(Buffer.from('no database'))).status).to.equal(400);
    await count(2);
    expect(mails.lastTo('boss@example.org')).to.match(/Subject: Restoring a backup[\s\S]*not a database file/);
  });

  it('report a backup that waits to be restored', async () => {
    await start({ imports: all });
    const { fileName } = (JSON.parse((await backUp()).body.toString()) as { backup: { fileName: string } }).backup;
    const restored = await send(`${server.url}/api/v1/database/import-database-file/${fileName}`, {
      method: 'GET',
      headers: boss,
    });
    expect(restored.status).to.equal(200);
    await count(1);
    expect(mails.lastTo('boss@example.org')).to.match(/Subject: A backup of Quire will be restored/);
  });

  it('are sent only for what the settings name', async () => {
    await start({ backups: { failed: true }, imports: { successful: true } });
    expect((await backUp()).status).to.equal(200);
    expect((await restore(Buffer.from('no database'))).status).to.equal(400);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(mails.mails).to.deep.equal([]);
  });

  it('that cannot be sent change nothing about the backup', async () => {
    await start({ backups: all }, { ...mails.settings, port: 1 });
    expect((await backUp()).status).to.equal(200);
  });
});
