import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post, send, type Answer, type Part } from '../support/client.js';
import { startReceiver } from '../support/receiver.js';
import { quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';

interface Job {
  readonly jobId: string;
  readonly complete: boolean;
  readonly status: string;
  readonly progress: number;
}

describe('Calls with Prefer: wait', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  /** Milliseconds of work that outlasts this suite: an answer that arrives did not wait for it. */
  const endless = '600000';

  before(async () => {
    // Longer than mocha's timeout: an answer in time came before the wait was over.
    server = await startServer({
      limits: { workers: 2 },
      jobs: { concurrency: 2, maxWaitSeconds: 60 },
      outbound: { allowed: ['127.0.0.1'] },
    });
    pdf = await makePdf({ pages: 3 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const tool = (
    path: string,
    parts: readonly Part[],
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<Answer> => post(`${server.url}${API}/${path}`, parts, headers, signal);
  const job = (id: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> =>
    send(`${server.url}${API}/general/job/${id}`, { method, headers });
  const known = async (): Promise<number> =>
    json<{ totalJobs: number }>(await send(`${server.url}${API}/admin/job/stats`)).totalJobs;

  it('return in time what the plain call returns, and leave nothing behind', async () => {
    const before = await known();
    const cases: readonly [string, readonly Part[]][] = [
      ['general/rotate-pdf', [file(pdf, 'ä b.pdf'), field('other', '1')]],
      ['general/split-pages', [file(pdf, 'doc.pdf'), field('pageNumbers', 'all')]],
      ['misc/unruly-echo', [file(pdf), field('list', 'a')]],
      ['filter/filter-page-count', [file(pdf), field('pageCount', '9'), field('comparator', 'Greater')]],
      [
        'pipeline/handleData',
        [
          file(pdf),
          field('json', JSON.stringify({ pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: {} }] })),
        ],
      ],
    ];
    for (const [path, parts] of cases) {
      const direct = await tool(path, parts);
      const waited = await tool(path, parts, { prefer: 'wait=90' });
      expect([waited.status, waited.headers['preference-applied']], path).to.deep.equal([direct.status, 'wait=60']);
      if (path !== 'general/split-pages') expect(waited.body.length, path).to.equal(direct.body.length);
      for (const name of [
        'content-type',
        'content-disposition',
        'x-ignored-fields',
        'x-pipeline-report',
        'location',
        'retry-after',
      ])
        expect(waited.headers[name], `${path} ${name}`).to.equal(direct.headers[name]);
    }
    await until('the jobs are forgotten', async () => (await known()) === before);
  });

  it('fail in time as the plain call fails', async () => {
    for (const [path, parts, status, code] of [
      ['misc/unruly-crash', [file(pdf)], 500, 'WORKER_LOST'],
      ['general/rotate-pdf', [file(Buffer.from('%PDF-1.4 broken'))], 400, 'PDF_DAMAGED'],
      ['general/rotate-pdf', [file(pdf), field('angle', '1')], 400, 'INPUT_INVALID'],
    ] as const)
      expectProblem(await tool(path, parts, { prefer: 'wait=60' }), status, code);
    expectProblem(
      await tool('general/rotate-pdf', [file(pdf), field('typo', '1')], {
        prefer: 'wait=60, handling=strict, respond-async',
      }),
      400,
      'INPUT_INVALID',
    );
  });

  it('become a job when the time is over, with or without respond-async', async () => {
    for (const [prefer, applied] of [
      ['wait=1', 'wait=1'],
      ['respond-async, wait=1, handling=strict', 'respond-async, wait=1'],
    ] as const) {
      const began = Date.now();
      const answer = await tool('misc/unruly-slow', [file(pdf), field('ms', endless)], { prefer });
      expect(Date.now() - began).to.be.at.least(950);
      const { jobId } = json<Job>(answer);
      expect([answer.status, answer.headers.location, answer.headers['preference-applied']]).to.deep.equal([
        202,
        `${API}/general/job/${jobId}`,
        applied,
      ]);
      expect(json<Job>(await job(jobId)).complete).to.equal(false);
      expect((await job(jobId, {}, 'DELETE')).status).to.equal(200);
    }
    const atOnce = await tool('misc/unruly-slow', [file(pdf), field('ms', '300')], { prefer: 'wait=0' });
    expect([atOnce.status, atOnce.headers['preference-applied']]).to.deep.equal([202, 'wait=0']);
    const { jobId } = json<Job>(atOnce);
    await until('the job is complete', async () => json<Job>(await job(jobId)).complete);
    expect((await job(`${jobId}/result`)).status).to.equal(200);
  });

  it('answer at once where the client uses the older way', async () => {
    const answer = await tool('misc/unruly-slow', [file(pdf), field('ms', endless), field('async', 'true')], {
      prefer: 'wait=60',
    });
    expect([answer.status, answer.headers['preference-applied']]).to.deep.equal([200, undefined]);
    expect((await job(json<Job>(answer).jobId, {}, 'DELETE')).status).to.equal(200);
  });

  it('stop the work when the client disconnects while it waits', async () => {
    const leave = new AbortController();
    const gone = tool('misc/unruly-slow', [file(pdf), field('ms', endless)], { prefer: 'wait=60' }, leave.signal).catch(
      () => undefined,
    );
    const active = async (): Promise<number> =>
      json<{ activeJobs: number }>(await send(`${server.url}${API}/admin/job/stats`)).activeJobs;
    await until('the job is at work', async () => (await active()) === 1);
    leave.abort();
    await gone;
    await until('the job is cancelled', async () => (await active()) === 0);
  });

  it('still call the webhook, and then keep the result', async () => {
    const receiver = await startReceiver();
    const answer = await tool('general/rotate-pdf', [file(pdf), field('callbackUrl', receiver.url)], {
      prefer: 'wait=60',
    });
    expect([answer.status, answer.headers['content-type']]).to.deep.equal([200, 'application/pdf']);
    await until('the receiver was called', () => receiver.calls.length === 1);
    const { resultUrl } = (JSON.parse(receiver.calls[0]?.body ?? '{}') as { data: { resultUrl: string } }).data;
    const kept = await send(`${server.url}${resultUrl}`);
    expect([kept.status, kept.body.length]).to.deep.equal([200, answer.body.length]);
    await receiver.stop();
  });

  it('poll a job and return its next change, or nothing after the time', async () => {
    const { jobId } = json<Job>(
      await tool('misc/unruly-slow', [file(pdf), field('ms', '2500'), field('async', 'true')]),
    );
    await until('the job is at work', async () => json<Job>(await job(jobId)).status !== 'queued');
    const first = await job(jobId, { prefer: 'wait=1' });
    expect([first.status, first.headers['preference-applied']]).to.deep.equal([200, 'wait=1']);
    let last = json<Job>(first);
    while (!last.complete) last = json<Job>(await job(jobId, { prefer: 'wait=90' }));
    expect(last.status).to.equal('succeeded');
    // Nothing will change any more: it does not wait, or mocha would time out.
    expect(json<Job>(await job(jobId, { prefer: 'wait=60' })).complete).to.equal(true);
    expectProblem(await job('unknown', { prefer: 'wait=60' }), 404, 'JOB_UNKNOWN');
  });

  it('are answered with the job when the server stops, and the job continues at the next start', async function () {
    this.timeout(60_000);
    const basePath = mkdtempSync(join(tmpdir(), 'quire-wait-'));
    const stopping = await startServer(
      { server: { port: 0, host: '127.0.0.1', shutdownSeconds: 2 }, jobs: { maxWaitSeconds: 20 } },
      basePath,
    );
    const waiting = post(`${stopping.url}${API}/misc/unruly-slow`, [file(pdf), field('ms', '4000')], {
      prefer: 'wait=20',
    });
    await until(
      'the job is at work',
      async () => json<{ activeJobs: number }>(await send(`${stopping.url}${API}/admin/job/stats`)).activeJobs === 1,
    );
    const stopped = stopping.stop();
    const answer = await waiting;
    expect([answer.status, answer.headers['preference-applied']]).to.deep.equal([202, 'wait=20']);
    await stopped;
    const again = await startServer({}, basePath);
    await until(
      'the job is complete',
      async () => json<Job>(await send(`${again.url}${String(answer.headers.location)}`)).status === 'succeeded',
    );
    await again.stop();
    rmSync(basePath, { recursive: true, force: true });
  });
});
