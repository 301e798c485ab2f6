import { expect } from 'chai';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expectProblem, file, json, pointers, post, send, type Answer } from '../support/client.js';
import { addUser, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';
import { expectShape } from '../support/shape.js';

/** A language data file with one component, enough for the checks. */
function languageData(fill: string): Buffer {
  const bytes = Buffer.alloc(200, fill);
  bytes.writeInt32LE(2, 0);
  bytes.writeBigInt64LE(-1n, 4);
  bytes.writeBigInt64LE(20n, 12);
  return bytes;
}

const answers: Record<string, Buffer | undefined> = {
  fra: languageData('a'),
  chi_sim: languageData('b'),
  ita: Buffer.from('<html>Sorry</html>'),
  spa: languageData('c').subarray(0, 15),
};

const stated = { licenseType: 'string', enabled: 'boolean', maxUsers: 'integer' };

describe('Administration of the installation', () => {
  let server: TestServer;
  let source: Server;
  const asked: string[] = [];
  let boss: { readonly authorization: string };
  before(async () => {
    source = createServer(({ url = '' }, response) => {
      asked.push(url);
      const answer = answers[url.replace(/^.*\//, '').replace('.traineddata', '')];
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(answer ?? '');
    });
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    server = await startWithLogin(
      {},
      {
        system: { tessdataUrl: `http://127.0.0.1:${(source.address() as AddressInfo).port}/data/` },
        premium: { maxUsers: 12 },
        licence: { tier: 'team' },
        legal: { loginAgreement: { enabled: true } },
      },
    );
    boss = await sessionOf(server);
  });
  after(async () => {
    await server.stop();
    source.close();
  });
  const get = (path: string, headers: Readonly<Record<string, string>> = boss): Promise<Answer> =>
    send(`${server.url}/api/v1/admin/${path}`, { headers });
  const key = (licenseKey: unknown): Promise<Answer> =>
    sendJson(server, '/api/v1/admin/license-key', { licenseKey }, boss);
  const kept = (): string => readFileSync(join(server.basePath, 'configs', 'settings.yml'), 'utf8');

  it('is for administrators only', async () => {
    await addUser(server, boss, 'ada');
    const ada = await sessionOf(server, 'ada', 'password of ada');
    const calls = [
      ['GET', 'installation-id'],
      ['GET', 'license-info'],
      ['POST', 'license-key'],
      ['POST', 'license/resync'],
      ['POST', 'license-file'],
      ['GET', 'login-agreement'],
      ['GET', 'login-agreement/de'],
      ['PUT', 'login-agreement/de'],
      ['GET', 'settings/policies/implied-folder-roots'],
      ['GET', '../ui-data/tessdata-languages'],
      ['POST', '../ui-data/tessdata/download'],
    ] as const;
    for (const [method, path] of calls) {
      for (const [headers, status, code] of [
        [{}, 401, 'KEY_INVALID'],
        [ada, 403, 'ADMIN_ONLY'],
      ] as const) {
        expectProblem(
          await send(new URL(`${server.url}/api/v1/admin/${path}`).href, {
            method,
            headers: { 'content-type': 'application/json', ...headers },
            ...(method === 'GET' ? {} : { body: '{}' }),
          }),
          status,
          code,
        );
      }
    }
  });

  it('has one id for the installation', async () => {
    const first = json(await get('installation-id'));
    expectShape(first, { installationId: 'string' });
    expect(first['installationId']).to.match(/^[0-9a-f-]{36}$/);
    expect(json(await get('installation-id'))).to.deep.equal(first);
  });

  it('stores a licence key as a secret, reports it as unverified, and only the tier decides', async () => {
    expectShape(json(await get('license-info')), { ...stated, hasKey: 'boolean' });
    expect(json(await get('license-info'))).to.deep.equal({
      licenseType: 'SERVER',
      enabled: true,
      maxUsers: 12,
      hasKey: false,
    });
    const answer = json<{ message: string }>(await key(' MY-KEY-7d1 '));
    expectShape(answer, { success: 'boolean', ...stated, requiresRestart: 'boolean', message: 'string' });
    expect(answer).to.include({ success: true, licenseType: 'SERVER', requiresRestart: false });
    expect(answer.message).to.include('not verified').and.include('licence.tier').and.not.include('MY-KEY');
    expect(kept()).to.include('MY-KEY-7d1');
    expect(json(await get('license-info'))).to.deep.equal({
      licenseType: 'SERVER',
      enabled: true,
      maxUsers: 12,
      hasKey: true,
      licenseKey: '********',
    });
    expect(json<{ message: string }>(await key('********')).message).to.include('was not changed');
    expect(kept()).to.include('MY-KEY-7d1');
    const resync = json<{ message: string }>(
      await send(`${server.url}/api/v1/admin/license/resync`, { method: 'POST', headers: boss }),
    );
    expectShape(resync, { success: 'boolean', ...stated, message: 'string' });
    expect(resync.message).to.include('not sent to any service');
    expect((await key('')).status).to.equal(200);
    expect(json(await get('license-info'))['hasKey']).to.equal(false);
    expect(kept())
      .not.to.include('MY-KEY')
      .and.not.to.match(/enabled: true\s*$/);
    for (const bad of [undefined, null, 7, 'a\u0000b', 'x'.repeat(10_001)])
      expect(pointers(expectProblem(await key(bad), 400, 'INPUT_INVALID')), String(bad).slice(0, 20)).to.deep.equal([
        '/licenseKey',
      ]);
  });

  it('stores a licence file beside the settings, complete, whatever path its name contains', async () => {
    const upload = (bytes: Buffer, name: string): Promise<Answer> =>
      post(`${server.url}/api/v1/admin/license-file`, [file(bytes, name, 'file')], boss);
    const text = Buffer.from('-----BEGIN LICENSE FILE-----\nabc\n-----END LICENSE FILE-----\n');
    const answer = json<{ filePath: string; message: string }>(await upload(text, 'quire.lic'));
    expectShape(answer, { success: 'boolean', ...stated, filename: 'string', filePath: 'string', message: 'string' });
    expect(answer).to.include({ filename: 'quire.lic', filePath: join(server.basePath, 'configs', 'quire.lic') });
    expect([readFileSync(answer.filePath).equals(text), kept().includes(`file:${answer.filePath}`)]).to.deep.equal([
      true,
      true,
    ]);
    const before = readdirSync(join(server.basePath, 'configs'));
    for (const [bytes, name] of [
      [text, 'settings.yml'],
      [text, 'a b.lic'],
      [text, '.lic'],
      [Buffer.from('MZ'), 'a.cert'],
      [Buffer.from(''), 'b.lic'],
    ] as const) {
      const refused = await upload(bytes, name);
      expect(refused.status, name).to.equal(400);
    }
    expectProblem(await upload(Buffer.from('no header'), 'c.lic'), 400, 'LICENCE_FILE_INVALID');
    expectProblem(await upload(Buffer.concat([text, Buffer.alloc(1024 * 1024)]), 'd.lic'), 413, 'INPUT_TOO_LARGE');
    expectProblem(await post(`${server.url}/api/v1/admin/license-file`, [], boss), 400, 'INPUT_FILE_MISSING');
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => upload(text, 'quire.lic')));
    expect(
      atOnce.map(({ status }) => status),
      'several at once',
    ).to.deep.equal(atOnce.map(() => 200));
    expect(readdirSync(join(server.basePath, 'configs'))).to.deep.equal(before);
    await key('');
  });

  it('writes the login agreement of a locale, which clients see at once', async () => {
    const put = (locale: string, content: unknown): Promise<Answer> =>
      sendJson(server, `/api/v1/admin/login-agreement/${locale}`, { content }, boss, 'PUT');
    const shown = async (lang: string): Promise<unknown> =>
      json(await send(`${server.url}/api/v1/config/login-disclaimer?lang=${lang}`))['content'];
    expect(json(await get('login-agreement'))).to.deep.equal({ locales: [] });
    const written = await put('de', '# Regeln\nSei **nett**.');
    expect([written.status, written.body.length]).to.deep.equal([204, 0]);
    expect((await put('en_GB', 'Be kind.')).status).to.equal(204);
    expect(json(await get('login-agreement'))).to.deep.equal({ locales: ['de', 'en_GB'] });
    expect(json(await get('login-agreement/de'))).to.deep.equal({ locale: 'de', content: '# Regeln\nSei **nett**.' });
    expect([await shown('de'), await shown('en_GB')]).to.deep.equal(['# Regeln\nSei **nett**.', 'Be kind.']);
    const atOnce = await Promise.all(Array.from({ length: 12 }, (_, i) => put('de', `${i}`)));
    expect(
      atOnce.map(({ status }) => status),
      'several at once',
    ).to.deep.equal(atOnce.map(() => 204));
    expect(readdirSync(join(server.basePath, 'customFiles', 'disclaimer')).sort()).to.deep.equal(['de.md', 'en_GB.md']);
    expect(json(await get('login-agreement/fr'))).to.deep.equal({ locale: 'fr', content: '' });
    expect((await put('de', ' ')).status).to.equal(204);
    expect(json(await get('login-agreement'))).to.deep.equal({ locales: ['en_GB'] });
    for (const locale of ['..%2Fx', 'd', 'de%00', 'de.md', 'x'.repeat(41)]) {
      expect((await put(locale, 'x')).status, locale).to.equal(400);
      expect((await get(`login-agreement/${locale}`)).status, locale).to.equal(400);
    }
    for (const content of [undefined, 7, 'ä'.repeat(140 * 1024)])
      expect(pointers(expectProblem(await put('de', content), 400, 'INPUT_INVALID'))).to.deep.equal(['/content']);
    expect(existsSync(join(server.basePath, 'customFiles', 'x.md'))).to.equal(false);
    // A file where the folder should be.
    rmSync(join(server.basePath, 'customFiles', 'disclaimer'), { recursive: true });
    mkdirSync(join(server.basePath, 'customFiles'), { recursive: true });
    writeFileSync(join(server.basePath, 'customFiles', 'disclaimer'), '');
    expectProblem(await put('de', 'x'), 503, 'FOLDER_NOT_WRITABLE');
  });

  it('lists the folders that runs without a caller use', async () => {
    const found = json(await get('settings/policies/implied-folder-roots'));
    expectShape(found, { roots: 'array' });
    expect(found).to.deep.equal({
      roots: ['watchedFolders', 'finishedFolders'].map((name) => join(server.basePath, 'pipeline', name)),
    });
  });

  it('downloads OCR languages from the configured address: complete and checked, or not at all', async () => {
    const list = async () =>
      json<{ installed: string[]; available: string[] }>(
        await send(`${server.url}/api/v1/ui-data/tessdata-languages`, { headers: boss }),
      );
    const download = (languages: unknown): Promise<Answer> =>
      sendJson(server, '/api/v1/ui-data/tessdata/download', { languages }, boss);
    const folder = join(server.basePath, 'customFiles', 'tessdata');
    const before = await list();
    expectShape(before, { installed: 'array', available: 'array', writable: 'boolean' });
    expect(before).to.include({ writable: true });
    expect(before.available).to.include.members(['fra', 'chi_sim', 'ita']).and.not.include('eng');
    for (const languages of [
      undefined,
      [],
      'fra',
      ['../eng'],
      ['fra/x'],
      ['a'],
      ['eng.traineddata'],
      ['fra', 'fra'],
      [7],
      Array.from({ length: 51 }, (_, i) => `l${i + 10}`),
    ]) {
      expectProblem(await download(languages), 400, 'INPUT_INVALID');
    }
    expect(asked).to.deep.equal([]);
    const [whole, partly, none] = [
      await download(['fra', 'chi_sim']),
      await download(['ita', 'fra', 'spa', 'xyz']),
      await download(['ita', 'xyz']),
    ];
    expect([whole.status, json(whole)]).to.deep.equal([
      200,
      { downloaded: ['fra', 'chi_sim'], failed: [], tessdataDir: folder },
    ]);
    expect([partly.status, json(partly)]).to.deep.equal([
      207,
      { downloaded: ['fra'], failed: ['ita', 'spa', 'xyz'], tessdataDir: folder },
    ]);
    const problem = expectProblemWithPath(none, 502, 'LANGUAGE_DATA_MISSED');
    expect(problem).to.deep.include({ downloaded: [], failed: ['ita', 'xyz'], tessdataDir: folder });
    expect(asked.slice(0, 2)).to.deep.equal(['/data/fra.traineddata', '/data/chi_sim.traineddata']);
    expect(readdirSync(folder).sort()).to.deep.equal(['chi_sim.traineddata', 'fra.traineddata']);
    expect(readFileSync(join(folder, 'fra.traineddata')).equals(languageData('a'))).to.equal(true);
    const after = await list();
    expect([
      after.installed.filter((name) => !before.installed.includes(name)),
      after.available.includes('fra'),
    ]).to.deep.equal([['chi_sim', 'fra'], false]);
    source.close();
    source.closeAllConnections();
    expect(expectProblemWithPath(await download(['ita']), 502, 'LANGUAGE_DATA_MISSED')['detail']).to.include(
      'could not be reached',
    );
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expectProblem(await download(['ita']), 403, 'LANGUAGE_FOLDER_CLOSED');
    expect(json(await send(`${server.url}/api/v1/ui-data/tessdata-languages`, { headers: boss }))['writable']).to.equal(
      false,
    );
  });

  /** The answer names a folder of the server, as the contract requires. */
  function expectProblemWithPath(answer: Answer, status: number, code: string): Record<string, unknown> {
    const problem = json(answer);
    expect([answer.status, answer.headers['content-type'], problem['code']]).to.deep.equal([
      status,
      'application/problem+json',
      code,
    ]);
    return problem;
  }
});
