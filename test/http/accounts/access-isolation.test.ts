import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, keyOf, sessionOf, setEnabled, startWithLogin } from '../support/login.js';
import { until, type TestServer } from '../support/server.js';

const API = '/api/v1';
type Headers = Readonly<Record<string, string>>;

/** An answer without the members that differ in every answer. */
const shape = (answer: Answer): object => ({
  status: answer.status,
  ...json(answer),
  requestId: '',
  timestamp: '',
  instance: '',
  path: '',
});
const unknownId = '00000000-0000-4000-8000-000000000000';

describe('Data of another user', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  let boss: Headers;
  let anna: Headers;
  let bert: Headers;
  const jobUrl = (id: string, rest = ''): string => `${server.url}${API}/general/job/${encodeURIComponent(id)}${rest}`;
  const start = async (headers: Headers): Promise<string> =>
    json<{ jobId: string }>(await post(`${server.url}${API}/general/rotate-pdf?async=true`, [file(pdf)], headers))
      .jobId;
  const done = (id: string, headers: Headers): Promise<void> =>
    until('the job is complete', async () => json<{ complete: boolean }>(await send(jobUrl(id), { headers })).complete);

  before(async () => {
    server = await startWithLogin();
    pdf = await makePdf({ pages: 1 });
    boss = await sessionOf(server);
    for (const name of ['anna', 'bert']) await addUser(server, boss, name);
    anna = { 'x-api-key': await keyOf(server, await sessionOf(server, 'anna', 'password of anna')) };
    bert = { 'x-api-key': await keyOf(server, await sessionOf(server, 'bert', 'password of bert')) };
  });
  after(() => server.stop());

  it('looks non-existent: jobs, for every kind of request', async () => {
    const id = await start(anna);
    expect(id).to.match(/^anna:/);
    await done(id, anna);
    for (const caller of [bert, boss]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['GET', '/result'],
        ['GET', '/result/files'],
        ['GET', '/events'],
        ['DELETE', ''],
      ] as const) {
        const foreign = await send(jobUrl(id, rest), { method, headers: caller });
        expectProblem(foreign, 403, 'JOB_FORBIDDEN');
        for (const missing of [`anna:${unknownId}`, `bert:${unknownId}`, unknownId, 'nothing'])
          expect(
            shape(await send(jobUrl(missing, rest), { method, headers: caller })),
            `${method} ${rest}`,
          ).to.deep.equal(shape(foreign));
      }
    }
    expect((await send(jobUrl(id, '/result'), { headers: anna })).status, 'and is still there').to.equal(200);
    expectProblem(await send(jobUrl(id)), 401, 'KEY_INVALID');
  });

  it('looks non-existent: result files, downloaded or used as input', async () => {
    const id = await start(anna);
    await done(id, anna);
    const {
      allResultFiles: [result],
    } = json<{ allResultFiles: { fileId: string }[] }>(await send(jobUrl(id), { headers: anna }));
    const fileId = result?.fileId ?? '';
    for (const rest of ['', '/metadata']) {
      const url = (text: string): string => `${server.url}${API}/general/files/${encodeURIComponent(text)}${rest}`;
      expect((await send(url(fileId), { headers: anna })).status, rest).to.equal(200);
      const foreign = await send(url(fileId), { headers: bert });
      expect(foreign.status).to.be.oneOf([403, 404]);
      expect(shape(await send(url(unknownId), { headers: bert }))).to.deep.equal(shape(foreign));
    }
    const use = (text: string, headers: Headers): Promise<Answer> =>
      post(`${server.url}${API}/general/rotate-pdf`, [field('fileId', text)], headers);
    expect((await use(fileId, anna)).status).to.equal(200);
    expect(shape(await use(fileId, bert))).to.deep.equal(shape(await use(unknownId, bert)));
  });

  it('stays with its owner when a user name is reused', async () => {
    await addUser(server, boss, 'first');
    const first = await sessionOf(server, 'first', 'password of first');
    const id = await start(first);
    await done(id, first);
    expect(
      (await send(`${server.url}${API}/user/admin/deleteUser/first`, { method: 'POST', headers: boss })).status,
    ).to.equal(200);
    await addUser(server, boss, 'first');
    expectProblem(
      await send(jobUrl(id, '/result'), { headers: await sessionOf(server, 'first', 'password of first') }),
      403,
      'JOB_FORBIDDEN',
    );
  });
});

describe('A job that was queued during a restart', () => {
  it('runs with the rights its owner has then, and does not run for a disabled owner', async function () {
    this.timeout(60_000);
    const basePath = mkdtempSync(join(tmpdir(), 'quire-resume-'));
    // One job at a time: the second is queued behind the first.
    const start = (): Promise<TestServer> =>
      startWithLogin(
        {},
        { jobs: { concurrency: 1 }, server: { port: 0, host: '127.0.0.1', shutdownSeconds: 0 } },
        basePath,
      );
    try {
      const first = await start();
      const boss = await sessionOf(first);
      for (const name of ['anna', 'leaver']) await addUser(first, boss, name);
      const sessions = {
        anna: await sessionOf(first, 'anna', 'password of anna'),
        leaver: await sessionOf(first, 'leaver', 'password of leaver'),
      };
      const begin = async (path: string, fields: ReturnType<typeof field>[], headers: Headers): Promise<string> =>
        json<{ jobId: string }>(
          await post(`${first.url}${API}/${path}?async=true`, [file(await makePdf({ pages: 1 })), ...fields], headers),
        ).jobId;
      await begin('misc/unruly-slow', [field('ms', '4000')], boss);
      const jobs = {
        anna: await begin('general/rotate-pdf', [], sessions.anna),
        leaver: await begin('general/rotate-pdf', [], sessions.leaver),
      };
      await setEnabled(first, boss, 'leaver', false);
      await first.stop();
      const second = await start();
      const job = async (
        id: string,
        headers: Headers,
      ): Promise<{ complete: boolean; status: string; error: string | null }> =>
        json(await send(`${second.url}${API}/general/job/${encodeURIComponent(id)}`, { headers }));
      await until("anna's job is complete", async () => (await job(jobs.anna, sessions.anna)).complete, 40);
      expect(await job(jobs.anna, sessions.anna)).to.include({ status: 'succeeded' });
      const again = await sessionOf(second);
      // The owner is enabled again only after the last job was processed.
      await until(
        'every job has ended',
        async () =>
          json<{ activeJobs: number }>(await send(`${second.url}${API}/admin/job/stats`, { headers: again }))
            .activeJobs === 0,
        40,
      );
      await setEnabled(second, again, 'leaver', true);
      const leaver = await sessionOf(second, 'leaver', 'password of leaver');
      await until("the leaver's job is complete", async () => (await job(jobs.leaver, leaver)).complete);
      expect(await job(jobs.leaver, leaver)).to.include({ status: 'cancelled' });
      await second.stop();
    } finally {
      rmSync(basePath, { recursive: true, force: true });
    }
  });
});
