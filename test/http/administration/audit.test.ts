import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, bossName, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';
import { expectShape } from '../support/shape.js';

interface Event {
  readonly id: string;
  readonly timestamp: string;
  readonly principal: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const pages = [
  'audit-dashboard',
  'audit-events',
  'audit-charts',
  'audit-event-types',
  'audit-users',
  'audit-stats',
  'audit-export',
  'infrastructure/audit-log',
].map((path) => `proprietary/ui-data/${path}`);
const own = [
  'data',
  'stats',
  'stats/range',
  'types',
  'export/csv',
  'export/json',
  'principals',
  'types/USER_LOGIN/principals',
  'latest',
].map((path) => `audit/${path}`);

describe('The audit log', () => {
  let server: TestServer;
  let boss: { readonly authorization: string };
  let ada: { readonly authorization: string };
  let firstDay: string;
  const get = (path: string, headers: Readonly<Record<string, string>> = boss): Promise<Answer> =>
    send(`${server.url}/api/v1/${path}`, { headers });
  const data = async (query: string) =>
    json<{ content: Event[]; currentPage: number; size: number; totalPages: number; totalElements: number }>(
      await get(`audit/data?${query}`),
    );
  /** The newest event of this type, once the server has recorded it: it may come a moment after its answer. */
  const eventOf = async (type: string, fits: (event: Event) => boolean = () => true): Promise<Event> => {
    for (let i = 0; i < 200; i++) {
      const found = (await data(`type=${type}&size=200`)).content.find(fits);
      if (found !== undefined) return found;
    }
    return expect.fail(`no event ${type}`);
  };

  before(async () => {
    firstDay = new Date().toISOString().slice(0, 10);
    server = await startWithLogin(
      {},
      {
        premium: {
          enterpriseFeatures: {
            audit: {
              level: 3,
              retentionDays: -1,
              captureFileHash: true,
              captureOperationResults: true,
              capturePdfAuthor: true,
            },
          },
        },
      },
    );
    boss = await sessionOf(server, 'BOSS');
    await addUser(server, boss, 'ada');
    ada = await sessionOf(server, 'ada', 'password of ada');
  });
  after(() => server.stop());

  it('records who logged in, who failed to, and who logged out, by account name', async () => {
    const login = await eventOf('USER_LOGIN', ({ principal }) => principal === bossName);
    expectShape(login, { id: 'string', timestamp: 'string', principal: 'string', type: 'string', data: 'object' });
    expectShape(login.data, {
      method: 'string',
      path: 'string',
      status: 'integer',
      ms: 'integer',
      address: 'string',
      origin: 'string',
      requestId: 'string',
      subject: 'string',
    });
    expect(login.data).to.include({
      method: 'POST',
      path: '/api/v1/auth/login',
      status: 200,
      origin: 'ANONYMOUS',
      subject: 'BOSS',
    });
    expect(
      (await sendJson(server, '/api/v1/auth/login', { username: '=Nobody', password: 'a-guessed-password' })).status,
    ).to.equal(401);
    expect(await eventOf('USER_FAILED_LOGIN', ({ principal }) => principal === '=Nobody'))
      .to.have.property('data')
      .that.includes({ status: 401 });
    await get('user/users', { 'x-api-key': 'a-guessed-key' });
    expect((await eventOf('USER_FAILED_LOGIN', ({ principal }) => principal === 'anonymous')).data).to.include({
      path: '/api/v1/user/users',
      status: 401,
    });
    await send(`${server.url}/api/v1/auth/logout`, { method: 'POST', headers: await sessionOf(server) });
    expect(await eventOf('USER_LOGOUT')).to.deep.include({ principal: bossName });
  });

  it('records changes of people and settings, work on documents and refused calls, without secrets', async () => {
    expect((await eventOf('USER_PROFILE_UPDATE')).data).to.include({
      subject: 'ada',
      origin: 'WEB',
      path: '/api/v1/user/admin/saveUser',
    });
    expectProblem(await sendJson(server, '/api/v1/admin/settings', { settings: {} }, ada, 'PUT'), 403, 'ADMIN_ONLY');
    expect(await eventOf('SETTINGS_CHANGED')).to.have.property('principal', 'ada');
    const key = json<{ apiKey: string }>(
      await send(`${server.url}/api/v1/user/get-api-key`, { method: 'POST', headers: ada }),
    ).apiKey;
    await send(`${server.url}/api/v1/general/rotate-pdf`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="angle"\r\n\r\n90\r\n--b--\r\n',
    });
    const work = await eventOf('PDF_PROCESS');
    expect(work).to.deep.include({ principal: 'ada' });
    expect(work.data).to.include({ operation: 'general/rotate-pdf', status: 400, origin: 'API' });
    const everything = (await get('audit/export/json')).body.toString();
    for (const secret of [
      'a-guessed-password',
      'a-guessed-key',
      'password of ada',
      'the-password-of-the-boss',
      key,
      ada.authorization.slice(7),
    ])
      expect(everything).not.to.include(secret);
  });

  it('returns pages, filters, names and sums, with the names that existing clients use', async () => {
    const page = await data('size=2&page=1');
    expect([page.content.length, page.currentPage, page.size, page.totalPages]).to.deep.equal([
      2,
      1,
      2,
      Math.ceil(page.totalElements / 2),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect(
      (await data(`eventType=USER_LOGIN&username=ada&startDate=2020-01-01&endDate=${today}&pageSize=5`)).content.map(
        ({ type, principal }) => [type, principal],
      ),
    ).to.deep.equal([['USER_LOGIN', 'ada']]);
    expect((await data('to=2020-01-01T00:00:00')).totalElements).to.equal(0);
    expect((await data('type=&principal=&from=&to=&page=&size=')).size).to.equal(30);
    expectProblem(await get('audit/data?to=2026-02-30'), 400, 'INPUT_INVALID');
    expect(json(await get('audit/types/USER_LOGIN/principals'))).to.deep.equal(['ada', bossName]);
    expect(json(await get('audit/principals'))).to.deep.equal(['=Nobody', 'ada', 'anonymous', bossName]);
    const sums = json<{ eventsByType: Record<string, number>; totalEvents: number }>(
      await get(`audit/stats/range?from=${firstDay}`),
    );
    expectShape(sums, {
      totalEvents: 'integer',
      eventsByType: 'object',
      eventsByPrincipal: 'object',
      eventsByDay: 'object',
      complete: 'boolean',
    });
    expect([
      sums.eventsByType['USER_LOGIN'],
      Object.values(sums.eventsByType).reduce((sum, n) => sum + n, 0),
    ]).to.deep.equal([3, sums.totalEvents]);
    expect(json<Event[]>(await get('audit/latest?count=3')).length).to.equal(3);
    for (const query of [
      'type=X',
      'from=yesterday',
      'from=2026',
      'type=USER_LOGIN&eventType=USER_LOGOUT',
      'from=2026-02-02&to=2026-02-01',
      'size=0',
      'page=-1',
      'size=9999',
    ])
      expectProblem(await get(`audit/data?${query}`), 400, 'INPUT_INVALID');
    expectProblem(await get('audit/types/X/principals'), 400, 'INPUT_INVALID');
    expectProblem(
      await send(`${server.url}/api/v1/audit/cleanup/before`, { method: 'DELETE', headers: boss }),
      400,
      'INPUT_INVALID',
    );
  });

  it('returns the data that the pages of clients show', async () => {
    const state = {
      auditEnabled: 'boolean',
      auditLevel: 'string',
      auditLevelInt: 'integer',
      retentionDays: 'integer',
      auditLevels: 'array',
      auditEventTypes: 'array',
      totalEvents: 'integer',
      waitingEvents: 'integer',
      droppedEvents: 'integer',
    };
    const dashboard = json(await get('proprietary/ui-data/audit-dashboard'));
    expectShape(dashboard, state);
    expect(dashboard).to.include({
      auditEnabled: true,
      auditLevel: 'VERBOSE',
      auditLevelInt: 3,
      retentionDays: -1,
      droppedEvents: 0,
    });
    expectShape(json(await get('proprietary/ui-data/infrastructure/audit-log')), { ...state, latestEvents: 'array' });
    const { events } = json<{ events: object[] }>(await get('proprietary/ui-data/audit-events?eventType=USER_LOGOUT'));
    expectShape(events[0], {
      id: 'string',
      timestamp: 'string',
      eventType: 'string',
      username: 'string',
      ipAddress: 'string',
      details: 'object',
    });
    const charts = json<{ eventsByUser: { labels: string[]; values: number[] } }>(
      await get('proprietary/ui-data/audit-charts?type=USER_LOGIN'),
    );
    expect([charts.eventsByUser.labels, charts.eventsByUser.values]).to.deep.equal([
      [bossName, 'ada'],
      [2, 1],
    ]);
  });

  it('can be exported to a file in which no name is a formula', async () => {
    const csv = await get('audit/export/csv?type=USER_FAILED_LOGIN');
    expect([csv.status, csv.headers['content-type'], csv.headers['content-disposition']]).to.deep.equal([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="audit-log.csv"; filename*=UTF-8\'\'audit-log.csv',
    ]);
    expect(
      csv.body
        .toString()
        .split('\r\n')
        .map((line) => line.split(',')[2]),
    ).to.deep.equal(['"principal"', '"anonymous"', '"\'=Nobody"', undefined]);
    const [one, other] = [
      await get('proprietary/ui-data/audit-export?format=JSON&type=USER_LOGIN'),
      await get('audit/export/json?type=USER_LOGIN'),
    ];
    expect([one.headers['content-type'], JSON.parse(one.body.toString())]).to.deep.equal([
      'application/json; charset=utf-8',
      JSON.parse(other.body.toString()),
    ]);
  });

  it('is for administrators only', async () => {
    for (const path of [...pages, ...own]) {
      expectProblem(await get(path, {}), 401, 'KEY_INVALID');
      expectProblem(await get(path, ada), 403, 'ADMIN_ONLY');
      expect((await get(path)).status, path).to.equal(200);
    }
    for (const [method, path] of [
      ['POST', 'proprietary/ui-data/audit-clear-all'],
      ['DELETE', 'audit/cleanup/before?date=2020-01-01'],
    ] as const)
      expectProblem(await send(`${server.url}/api/v1/${path}`, { method, headers: ada }), 403, 'ADMIN_ONLY');
  });

  it('can be cleared up to a date or entirely, and records who did it', async () => {
    const cleaned = await send(`${server.url}/api/v1/audit/cleanup/before?date=2020-01-01`, {
      method: 'DELETE',
      headers: boss,
    });
    expect(json(cleaned)).to.deep.equal({ deletedRecords: 0, cutoffDate: '2020-01-01T00:00:00.000Z' });
    const cleared = json<{ deletedRecords: number }>(
      await send(`${server.url}/api/v1/proprietary/ui-data/audit-clear-all`, { method: 'POST', headers: boss }),
    );
    expect(cleared.deletedRecords).to.be.greaterThan(20);
    expect(
      await eventOf('SETTINGS_CHANGED', ({ data: { path } }) => path === '/api/v1/proprietary/ui-data/audit-clear-all'),
    ).to.have.property('principal', bossName);
    expect((await data('type=USER_LOGIN')).totalElements).to.equal(0);
  });

  it('records digests of uploads and outputs where configured, and the end of jobs of deleted users', async () => {
    const document = await PDFDocument.create();
    document.addPage([200, 200]);
    document.catalog.set(PDFName.of('Perms'), document.context.obj({ UR3: { Type: 'Sig', Reference: [] } }));
    const pdf = await document.save();
    const turned = await post(`${server.url}/api/v1/general/rotate-pdf`, [file(pdf)], ada);
    expect(
      [turned.status, JSON.parse(String(turned.headers['x-tool-report']))],
      'usage rights end with the change, which is reported',
    ).to.deep.equal([200, { usageRights: 'removed' }]);
    const files = [{ sha256: createHash('sha256').update(pdf).digest('hex'), size: pdf.length }];
    expect((await eventOf('PDF_PROCESS', ({ data: { status } }) => status === 200)).data).to.deep.include({
      operation: 'general/rotate-pdf',
      files,
      result: 'application/pdf',
    });
    document.setAuthor('=Grace Hopper');
    const named = await post(`${server.url}/api/v1/general/rotate-pdf`, [file(await document.save())], ada);
    expect(named.status).to.equal(200);
    const withAuthor = await eventOf(
      'PDF_PROCESS',
      ({ data: { files: sent } }) =>
        (sent as readonly { author?: string }[] | undefined)?.some(({ author }) => author === '=Grace Hopper') === true,
    );
    expect(withAuthor.data).to.include({ operation: 'general/rotate-pdf', status: 200 });
    const csv = (await get('audit/export/csv?type=PDF_PROCESS')).body.toString();
    expect(csv.split('\r\n')[0]).to.match(/"authors"$/);
    expect(csv, 'no formula for a spreadsheet').to.include('"\'=Grace Hopper"');
    const { jobId } = json<{ jobId: string }>(
      await post(`${server.url}/api/v1/misc/unruly-slow?async=true`, [file(pdf), field('ms', '60000')], ada),
    );
    expect((await eventOf('PDF_PROCESS', ({ data: { operation } }) => operation === 'misc/unruly-slow')).data)
      .to.deep.include({ method: 'POST', files })
      .and.have.property('result')
      .that.includes(jobId);
    expect(
      (await send(`${server.url}/api/v1/user/admin/deleteUser/ada`, { method: 'POST', headers: boss })).status,
    ).to.equal(200);
    expect(await eventOf('PDF_PROCESS', ({ data: { method } }) => method === 'JOB'))
      .to.deep.include({ principal: 'ada' })
      .and.have.property('data')
      .that.includes({ jobId, outcome: 'cancelled', status: 499, path: '/api/v1/misc/unruly-slow', origin: 'WEB' });
  });
});
