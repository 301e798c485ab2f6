import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, pointers, post, send, type Answer, type Part } from '../support/client.js';
import { sessionOf, startWithLogin } from '../support/login.js';
import { userRights, userWithRole, type Headers } from '../support/roles.js';
import { until, type TestServer } from '../support/server.js';

const API = '/api/v1';

interface JobAnswer {
  readonly complete: boolean;
  readonly status: string;
  readonly error: string | null;
  readonly failureCode: string | null;
  readonly notes: readonly string[];
}

describe('Limits of a role', () => {
  let server: TestServer;
  let boss: Headers;
  let session: Headers;
  let two: Uint8Array;
  let three: Uint8Array;

  const call = (path: string, parts: readonly Part[], headers = session): Promise<Answer> =>
    post(`${server.url}${API}/${path}`, [...parts], headers);
  const turn = field('angle', '90');

  before(async function () {
    this.timeout(60_000);
    server = await startWithLogin();
    boss = await sessionOf(server);
    const limits = { pagesPerDocument: 2, jobsAtOnce: 1, jobsWaiting: 20 };
    ({ session } = await userWithRole(server, boss, 'ROLE_DESK', { ...userRights, limits }));
    [two, three] = [await makePdf({ pages: 2 }), await makePdf({ pages: 3 })];
  });
  after(() => server.stop());

  describe('for the pages of a document', () => {
    const says = (text: string): void => {
      for (const part of ['3 pages', 'Title of ROLE_DESK', '(ROLE_DESK)', 'allows 2 in one document'])
        expect(text).to.include(part);
    };

    it('hold for every way to send one', async () => {
      const steps = { pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 } }] };
      const ways: readonly (readonly [name: string, path: string, parts: readonly Part[], at?: string])[] = [
        ['a call', 'general/rotate-pdf', [turn, file(three)]],
        ['the second of two files', 'general/merge-pdfs', [file(two), file(three)]],
        [
          'a file of another field',
          'general/overlay-pdfs',
          [
            file(two),
            file(three, 'over.pdf', 'overlayFiles'),
            field('overlayMode', 'SequentialOverlay'),
            field('overlayPosition', '0'),
          ],
          '/overlayFiles',
        ],
        ['a tool that opens files itself', 'misc/repair', [file(three)]],
        ['a pipeline', 'pipeline/handleData', [file(three), field('json', JSON.stringify(steps))]],
      ];
      for (const [name, path, parts, at = '/fileInput'] of ways) {
        const problem = expectProblem(await call(path, parts), 413, 'ROLE_PAGES_EXCEEDED');
        says(problem.detail);
        if (!path.startsWith('pipeline')) expect(pointers(problem), name).to.deep.equal([at]);
        expect((await call(path, parts, boss)).status, `${name}, of an administrator`).to.equal(200);
      }
      expect((await call('general/rotate-pdf', [turn, file(two)])).status, 'as many as allowed').to.equal(200);
    });

    it('hold for what a step of a pipeline has made', async () => {
      const steps = ['merge-pdfs', 'rotate-pdf'].map((name) => ({
        operation: `${API}/general/${name}`,
        parameters: {},
      }));
      const sent = [file(two), file(two), field('json', JSON.stringify({ pipeline: steps }))];
      const problem = expectProblem(await call('pipeline/handleData', sent), 413, 'ROLE_PAGES_EXCEEDED');
      expect(problem.step?.index).to.equal(1);
      expect(problem.detail).to.include('4 pages');
    });

    it('end a job with the same error', async () => {
      const { jobId } = json<{ jobId: string }>(await call('general/rotate-pdf?async=true', [turn, file(three)]));
      const record = async (): Promise<JobAnswer> =>
        json(await send(`${server.url}${API}/general/job/${jobId}`, { headers: session }));
      await until('the job is complete', async () => (await record()).complete);
      const ended = await record();
      expect(ended.failureCode).to.equal('ROLE_PAGES_EXCEEDED');
      says(String(ended.error));
    });
  });

  it('are those of the caller in the capabilities', async () => {
    const limitsOf = async (headers: Headers): Promise<Record<string, unknown>> =>
      json<{ limits: Record<string, unknown> }>(await send(`${server.url}${API}/capabilities`, { headers })).limits;
    expect(await limitsOf(session)).to.include({ maxPages: 2, jobsAtOnce: 1, jobsWaiting: 20 });
    expect(await limitsOf(boss)).to.include({ maxPages: 50_000, jobsAtOnce: null, jobsWaiting: null });
  });

  it('below one are refused where nothing could be done at all', async () => {
    for (const limits of [{ pagesPerDocument: 0 }, { jobsAtOnce: 0 }]) {
      const [name = ''] = Object.keys(limits);
      const body = JSON.stringify({ name: 'ROLE_NONE', title: 'None', rights: { ...userRights, limits } });
      const headers = { 'content-type': 'application/json', ...boss };
      const answer = await send(`${server.url}${API}/admin/roles`, { method: 'POST', headers, body });
      expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID'))).to.deep.equal([`/rights/limits/${name}`]);
    }
  });

  it('let jobs wait for one another, with the reason', async function () {
    this.timeout(60_000);
    const jobs = await Promise.all(
      Array.from({ length: 6 }, async () =>
        json<{ jobId: string }>(await call('general/rotate-pdf?async=true', [turn, file(two)])),
      ),
    );
    const notes = new Set<string>();
    await until('all jobs are complete', async () => {
      const records = await Promise.all(
        jobs.map(async ({ jobId }) =>
          json<JobAnswer>(await send(`${server.url}${API}/general/job/${jobId}`, { headers: session })),
        ),
      );
      for (const note of records.flatMap((record) => record.notes)) notes.add(note);
      expect(records.filter(({ status }) => status === 'running').length).to.be.at.most(1);
      return records.every(({ status }) => status === 'succeeded');
    });
    expect([...notes].join())
      .to.include('Title of ROLE_DESK')
      .and.include('one job run at once');
  });

  it('refuse jobs beyond those that may wait, and say when to try again', async function () {
    this.timeout(60_000);
    const limits = { jobsAtOnce: 1, jobsWaiting: 1 };
    const { session: narrow } = await userWithRole(server, boss, 'ROLE_NARROW', { ...userRights, limits });
    const slow = (): Promise<Answer> => call('misc/unruly-slow?async=true', [field('ms', '20000'), file(two)], narrow);
    const ids: string[] = [];
    const job = (id = ''): Promise<Answer> => send(`${server.url}${API}/general/job/${id}`, { headers: narrow });
    ids.push(json<{ jobId: string }>(await slow()).jobId);
    await until('the first job runs', async () => json<JobAnswer>(await job(ids[0])).status === 'running');
    ids.push(json<{ jobId: string }>(await slow()).jobId);
    const refused = await slow();
    expectProblem(refused, 429, 'QUEUE_FULL');
    expect(Number(refused.headers['retry-after'])).to.be.greaterThan(0);
    expect(json<JobAnswer>(await job(ids[1])).status).to.equal('queued');
    for (const id of ids.reverse())
      await send(`${server.url}${API}/general/job/${id}`, { method: 'DELETE', headers: narrow });
    await until('both have ended', async () => json<JobAnswer>(await job(ids[1])).complete);
  });
});
