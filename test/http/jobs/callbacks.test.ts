import { expect } from 'chai';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crookedUrls, innerHosts } from '../../fixtures/inner-addresses.js';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, pointers, post, send, type Answer, type Part } from '../support/client.js';
import { isSignedBy, startReceiver, type Receiver } from '../support/receiver.js';
import { quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';
const serverKey = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const callerKey = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

interface Attempt {
  readonly number: number;
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}
interface Delivery {
  readonly webhookId: string | null;
  readonly type: string | null;
  readonly to: string | null;
  readonly status: string;
  readonly attempts: readonly Attempt[];
  readonly nextAttemptAt: string | null;
}
interface JobEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown> & { readonly resultUrl: string | null };
}

describe('Webhooks of jobs', () => {
  let server: TestServer;
  let receiver: Receiver;
  let pdf: Uint8Array;

  before(async () => {
    receiver = await startReceiver((response, { path }, count) => {
      if (path.startsWith('/twice') && count === 1) return void response.writeHead(500).end('not now');
      if (path.startsWith('/later') && count === 1) return void response.writeHead(429, { 'retry-after': '2' }).end();
      if (path.startsWith('/gone')) return void response.writeHead(410).end();
      if (path.startsWith('/never')) return void response.writeHead(503).end();
      if (path.startsWith('/redirect')) return void response.writeHead(307, { location: '/target' }).end();
      if (path.startsWith('/hang')) return void response.destroy();
      if (path.startsWith('/packed'))
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
      if (path.startsWith('/huge')) return void response.writeHead(200).end(Buffer.alloc(5_000_000));
      if (path.startsWith('/drip')) return void response.writeHead(200).write('a');
      if (path.startsWith('/silent')) return;
      response.writeHead(204).end();
    });
    server = await startServer({
      limits: { workers: 2 },
      jobs: { concurrency: 2, callbacks: { secret: serverKey, retrySeconds: [1, 1], timeoutSeconds: 20 } },
      outbound: { allowed: ['127.0.0.1'] },
      system: { backendUrl: 'https://quire.example/' },
    });
    pdf = await makePdf({ pages: 2 });
  });
  after(async () => {
    await server.stop();
    await receiver.stop();
  });
  afterEach(() => quiet(server));

  const tool = (
    path: string,
    parts: readonly Part[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => post(`${server.url}${API}/${path}`, parts, headers);
  const deliveries = async (jobId: string, at = server): Promise<readonly Delivery[]> =>
    json<{ callbacks: Delivery[] }>(await send(`${at.url}${API}/general/job/${jobId}/callbacks`)).callbacks;

  async function start(
    path: string,
    parts: readonly Part[],
    callbackUrl: string,
    more: readonly Part[] = [],
  ): Promise<string> {
    const answer = await tool(path, [...parts, field('async', 'true'), field('callbackUrl', callbackUrl), ...more]);
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    expect(answer.headers['x-ignored-fields']).to.equal(undefined);
    return json<{ jobId: string }>(answer).jobId;
  }

  async function ended(jobId: string, at = server): Promise<Delivery> {
    await until('the delivery has ended', async () =>
      ['delivered', 'failed'].includes((await deliveries(jobId, at))[0]?.status ?? ''),
    );
    return (await deliveries(jobId, at))[0] as Delivery;
  }

  it('report a success with the job record, signed with the key of the server', async () => {
    const jobId = await start('general/rotate-pdf', [file(pdf)], `${receiver.url}/ok?token=1`);
    expect(await ended(jobId)).to.deep.include({
      type: 'job.succeeded',
      to: receiver.url,
      status: 'delivered',
      nextAttemptAt: null,
    });
    const [call, ...more] = receiver.at('/ok?token=1');
    expect(more).to.deep.equal([]);
    if (call === undefined) throw new Error('no call was received');
    expect(call.headers['content-type']).to.equal('application/json');
    expect(call.headers['webhook-id']).to.match(/^msg_[0-9a-f-]{36}$/);
    expect(Math.abs(Number(call.headers['webhook-timestamp']) * 1000 - Date.now())).to.be.below(60_000);
    expect(isSignedBy(call, serverKey)).to.equal(true);
    const event = JSON.parse(call.body) as JobEvent;
    expect(event).to.have.all.keys('type', 'timestamp', 'data').and.to.include({ type: 'job.succeeded' });
    const { resultUrl, ...data } = event.data;
    expect(data).to.deep.equal(json(await send(`${server.url}${API}/general/job/${jobId}`)));
    expect(resultUrl).to.equal(`https://quire.example${API}/general/job/${jobId}/result`);
  });

  it('are signed with the key of the call where it sends one, as query or as field', async () => {
    const query = new URLSearchParams({ async: 'true', callbackUrl: `${receiver.url}/own`, callbackSecret: callerKey });
    const answer = await tool(`general/rotate-pdf?${query}`, [file(pdf)]);
    await ended(json<{ jobId: string }>(answer).jobId);
    const [call] = receiver.at('/own');
    expect([call && isSignedBy(call, callerKey), call && isSignedBy(call, serverKey)]).to.deep.equal([true, false]);
  });

  it('report a failure and a cancellation, of operations and of pipelines', async () => {
    const failed = await start('misc/unruly-crash', [file(pdf)], `${receiver.url}/failed`);
    await ended(failed);
    const event = JSON.parse(receiver.at('/failed')[0]?.body ?? '{}') as JobEvent;
    expect(event.type).to.equal('job.failed');
    expect(event.data)
      .to.include({ status: 'failed', jobId: failed, resultUrl: null, failureCode: 'WORKER_LOST', failureStatus: 500 })
      .and.property('error')
      .a('string');
    const pipeline = { pipeline: [{ operation: `${API}/misc/unruly-slow`, parameters: { ms: 20_000 } }] };
    const cancelled = json<{ jobId: string }>(
      await tool(
        'pipeline/handleData',
        [file(pdf), field('json', JSON.stringify(pipeline)), field('callbackUrl', `${receiver.url}/cancelled`)],
        { prefer: 'respond-async' },
      ),
    ).jobId;
    expect(await deliveries(cancelled)).to.deep.equal([
      { webhookId: null, type: null, to: null, status: 'waiting', attempts: [], nextAttemptAt: null },
    ]);
    expect((await send(`${server.url}${API}/general/job/${cancelled}`, { method: 'DELETE' })).status).to.equal(200);
    await ended(cancelled);
    expect((JSON.parse(receiver.at('/cancelled')[0]?.body ?? '{}') as JobEvent).type).to.equal('job.cancelled');
  });

  it('are retried with the same id until accepted, respect Retry-After, and stop at 410', async () => {
    const [twice, later, gone] = await Promise.all(
      ['/twice', '/later', '/gone'].map((path) => start('general/rotate-pdf', [file(pdf)], receiver.url + path)),
    );
    expect((await ended(twice ?? '')).attempts.map(({ number, status }) => [number, status])).to.deep.equal([
      [1, 500],
      [2, 204],
    ]);
    const [first, second] = receiver.at('/twice');
    expect(first?.headers['webhook-id']).to.equal(second?.headers['webhook-id']);
    expect(first?.body).to.equal(second?.body);
    expect(second && isSignedBy(second, serverKey)).to.equal(true);
    expect((await ended(later ?? '')).status).to.equal('delivered');
    const [before, after] = receiver.at('/later');
    expect((after?.atMs ?? 0) - (before?.atMs ?? 0)).to.be.at.least(1900);
    const end = await ended(gone ?? '');
    expect([end.status, end.attempts.length, end.attempts[0]?.error]).to.deep.equal([
      'failed',
      1,
      'The receiver answered 410 (Gone), so no more attempts are made.',
    ]);
  });

  it('are given up after the last attempt, and each attempt records why', async () => {
    const refused = await startReceiver();
    await refused.stop();
    const paths = ['/never', '/redirect', '/hang'];
    const ids = await Promise.all(
      [...paths.map((path) => receiver.url + path), `${refused.url}/off`].map((url) =>
        start('general/rotate-pdf', [file(pdf)], url),
      ),
    );
    const ends = await Promise.all(ids.map((id) => ended(id)));
    for (const end of ends) expect([end.status, end.attempts.length]).to.deep.equal(['failed', 3]);
    const [never, redirect, hang, off] = ends.map(({ attempts }) => attempts.at(-1));
    expect(never).to.include({ number: 3, status: 503, error: 'The receiver answered 503.' });
    expect(redirect?.error).to.contain('redirects are not followed');
    expect(receiver.at('/target')).to.deep.equal([]);
    expect([hang?.status, off?.error]).to.deep.equal([null, '127.0.0.1 could not be reached: ECONNREFUSED.']);
  });

  it('are given up where nobody answers within the configured time', async () => {
    const impatient = await startServer({
      jobs: { callbacks: { retrySeconds: [1], timeoutSeconds: 1 } },
      outbound: { allowed: ['127.0.0.1'] },
    });
    try {
      const answer = await post(`${impatient.url}${API}/general/rotate-pdf?async=true`, [
        file(pdf),
        field('callbackUrl', `${receiver.url}/silent`),
      ]);
      const { status, attempts } = await ended(json<{ jobId: string }>(answer).jobId, impatient);
      expect([status, attempts.length, attempts.at(-1)?.error]).to.deep.equal([
        'failed',
        2,
        '127.0.0.1 did not answer within 1 seconds.',
      ]);
    } finally {
      await impatient.stop();
    }
  });

  it('are accepted by their status only, whatever body follows', async () => {
    const ends = await Promise.all(
      ['/huge', '/drip', '/packed'].map(async (path) =>
        ended(await start('general/rotate-pdf', [file(pdf)], receiver.url + path)),
      ),
    );
    expect(ends.map(({ status, attempts }) => [status, attempts.length, attempts[0]?.status])).to.deep.equal([
      ['delivered', 1, 200],
      ['delivered', 1, 200],
      ['delivered', 1, 200],
    ]);
  });

  it('are refused with the faulty field where they can never be sent', async () => {
    const direct = expectProblem(
      await tool('general/rotate-pdf', [file(pdf), field('callbackUrl', receiver.url)]),
      400,
      'INPUT_INVALID',
    );
    expect([pointers(direct), direct.detail]).to.deep.equal([['/callbackUrl'], direct.detail]);
    expect(direct.detail).to.contain('callbackUrl').and.contain('async=true').and.contain('Prefer: wait=n');
    const cases: readonly [readonly Part[], string][] = [
      [[field('callbackUrl', receiver.url), field('callbackUrl', receiver.url)], '/callbackUrl'],
      [[field('callbackUrl', `${receiver.url}/${'a'.repeat(2000)}`)], '/callbackUrl'],
      [[field('callbackSecret', callerKey)], '/callbackSecret'],
      ...['secret', 'whsec_', 'whsec_short', `whsec_${Buffer.alloc(65).toString('base64')}`, callerKey.slice(6)].map(
        (secret): [readonly Part[], string] => [
          [field('callbackUrl', receiver.url), field('callbackSecret', secret)],
          '/callbackSecret',
        ],
      ),
    ];
    for (const [parts, pointer] of cases)
      expect(
        pointers(
          expectProblem(
            await tool('general/rotate-pdf', [file(pdf), field('async', 'true'), ...parts]),
            400,
            'INPUT_INVALID',
          ),
        ),
      ).to.deep.equal([pointer]);
    const pipeline = JSON.stringify({ pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: {} }] });
    expect(
      pointers(
        expectProblem(
          await tool('pipeline/handleData', [file(pdf), field('json', pipeline), field('callbackUrl', receiver.url)]),
          400,
          'INPUT_INVALID',
        ),
      ),
    ).to.deep.equal(['/callbackUrl']);
    expect(
      (await tool('general/rotate-pdf', [file(pdf), field('callbackUrl', '')])).status,
      'an empty field counts as absent',
    ).to.equal(200);
  });

  it('never call an internal address, however it is written', async () => {
    const { port } = receiver;
    const before = receiver.calls.length;
    const urls = [...innerHosts.map((host) => `http://${host}:${port}/`), ...crookedUrls(port)];
    for (const url of urls) {
      const problem = expectProblem(
        await tool('general/rotate-pdf', [file(pdf), field('async', 'true'), field('callbackUrl', url)]),
        400,
        'ADDRESS_REFUSED',
      );
      expect(problem.detail, url).to.contain('"callbackUrl"');
    }
    expect(receiver.calls).to.have.length(before);
  });

  it('are hidden from other users, and from other jobs', async () => {
    expectProblem(await send(`${server.url}${API}/general/job/unknown/callbacks`), 404, 'JOB_UNKNOWN');
    const { jobId } = json<{ jobId: string }>(await tool('general/rotate-pdf', [file(pdf), field('async', 'true')]));
    expect(await deliveries(jobId)).to.deep.equal([]);
  });

  it('are stored without a readable address or key', async () => {
    const jobId = await start(
      'misc/unruly-slow',
      [file(pdf), field('ms', '300')],
      `${receiver.url}/never/hidden-path`,
      [field('callbackSecret', callerKey)],
    );
    await until('an attempt was made', async () => ((await deliveries(jobId))[0]?.attempts.length ?? 0) > 0);
    const folder = join(server.basePath, 'store');
    const all = Buffer.concat(
      readdirSync(folder)
        .filter((name) => /\.db|\.sqlite|wal/.test(name))
        .map((name) => readFileSync(join(folder, name))),
    ).toString('latin1');
    expect(all).to.contain(jobId).and.not.contain('hidden-path').and.not.contain(callerKey);
    await ended(jobId);
  });

  it('are refused when a user has too many pending, or when they are disabled', async () => {
    const small = await startServer({
      jobs: { callbacks: { maxPendingPerOwner: 1 } },
      outbound: { allowed: ['127.0.0.1'] },
    });
    try {
      const call = (headers = {}): Promise<Answer> =>
        post(
          `${small.url}${API}/misc/unruly-slow`,
          [file(pdf), field('ms', '1500'), field('callbackUrl', receiver.url)],
          { prefer: 'respond-async', ...headers },
        );
      expect((await call()).status).to.equal(202);
      const full = await call();
      expectProblem(full, 429, 'CALLBACKS_FULL');
      expect(Number(full.headers['retry-after'])).to.equal(60);
    } finally {
      await small.stop();
    }
    const off = await startServer({ jobs: { callbacks: { enabled: false } }, outbound: { allowed: ['127.0.0.1'] } });
    try {
      expect(
        expectProblem(
          await post(`${off.url}${API}/general/rotate-pdf?async=true`, [file(pdf), field('callbackUrl', receiver.url)]),
          400,
          'INPUT_INVALID',
        ).detail,
      ).to.contain('jobs.callbacks.enabled');
    } finally {
      await off.stop();
    }
  });

  it('are checked again at every attempt, with the settings of that time', async () => {
    const basePath = mkdtempSync(join(tmpdir(), 'quire-callback-'));
    // Long enough that the first server, which may stop slowly, does not make the last attempt.
    const jobs = { callbacks: { retrySeconds: [4, 4] } };
    try {
      const open = await startServer({ jobs, outbound: { allowed: ['127.0.0.1'] } }, basePath);
      const { jobId } = json<{ jobId: string }>(
        await post(`${open.url}${API}/general/rotate-pdf?async=true`, [
          file(pdf),
          field('callbackUrl', `${receiver.url}/never/again`),
        ]),
      );
      await until('the first attempt was made', () => receiver.at('/never/again').length === 1);
      await open.stop();
      const before = receiver.at('/never/again').length;
      const closed = await startServer({ jobs }, basePath);
      const found = async (): Promise<Delivery | undefined> =>
        json<{ callbacks: Delivery[] }>(await send(`${closed.url}${API}/general/job/${jobId}/callbacks`)).callbacks[0];
      await until('it is given up', async () => (await found())?.status === 'failed');
      expect((await found())?.attempts.at(-1)?.error).to.contain('The address in "callbackUrl" is not allowed');
      expect(receiver.at('/never/again')).to.have.length(before);
      await closed.stop();
    } finally {
      rmSync(basePath, { recursive: true, force: true });
    }
  });
});
