import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { makePdf } from '../../kit/make-pdf.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { testDatabase, type TestDatabase } from '../support/mongo.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { until } from '../support/server.js';

const API = '/api/v1';

describe('Servers that share a MongoDB, with repeated calls and webhooks', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let servers: readonly ServerProcess[] = [];
  const bases = [
    makeBase({ limits: { workers: 1 }, outbound: { allowed: ['127.0.0.1'] } }),
    makeBase({ limits: { workers: 1 }, outbound: { allowed: ['127.0.0.1'] } }),
  ];

  before(async function () {
    this.timeout(90_000);
    const url = await mongoTestUrl();
    if (url === undefined) return this.skip();
    database = testDatabase(url);
    receiver = await startReceiver();
    const env = { ...database.env(), STORE_SECRET: '0123456789abcdef'.repeat(4) };
    servers = await Promise.all(bases.map((base) => startProcess(base, env, undefined, 40)));
    for (const server of servers) expect(server.url, server.text()).not.to.equal('');
  });
  after(async () => {
    for (const { child, exit } of servers) {
      child.kill('SIGKILL');
      await exit;
    }
    await receiver?.stop();
    await database?.drop();
    bases.forEach((base) => rmSync(base, { recursive: true, force: true }));
  });

  it("know each other's idempotency keys, start one job for one key, and report its end once", async function () {
    this.timeout(60_000);
    const [one, two] = servers as [ServerProcess, ServerProcess];
    const pdf = await makePdf({ pages: 2 });
    const start = (server: ServerProcess, ms: string, key: string, prefer = 'respond-async'): Promise<Answer> =>
      post(
        `${server.url}${API}/misc/unruly-slow`,
        [file(pdf), field('ms', ms), field('callbackUrl', `${receiver.url}/${key}`)],
        { prefer, 'idempotency-key': key },
      );
    const ends = await Promise.all(Array.from({ length: 8 }, (_, i) => start(i % 2 === 0 ? one : two, '50', 'burst')));
    const started = ends.filter(({ status }) => status === 202);
    for (const answer of ends.filter(({ status }) => status !== 202))
      expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS');
    expect(new Set(started.map((answer) => json<{ jobId: string }>(answer).jobId)).size).to.equal(1);
    const again = await start(two, '50', 'burst');
    expect([again.status, again.headers['idempotent-replayed'], json(again)]).to.deep.equal([
      202,
      'true',
      json(started[0] as Answer),
    ]);
    expectProblem(await start(two, '51', 'burst'), 422, 'IDEMPOTENCY_KEY_REUSED');
    const waited = await start(two, '20', 'waited', 'wait=20');
    expect([waited.status, waited.headers['content-type']]).to.deep.equal([200, 'application/pdf']);
    expect(
      (await start(one, '20', 'waited', 'wait=20')).body.equals(waited.body),
      'the bytes from the other server',
    ).to.equal(true);
    await until(
      'both calls were received',
      () => receiver.at('/burst').length > 0 && receiver.at('/waited').length > 0,
    );
    const { jobId } = json<{ jobId: string }>(again);
    for (const server of servers)
      await until(
        'it is recorded',
        async () =>
          json<{ callbacks: { status: string }[] }>(await send(`${server.url}${API}/general/job/${jobId}/callbacks`))
            .callbacks[0]?.status === 'delivered',
      );
    // More than one poll of the store by both servers.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect([receiver.at('/burst').length, receiver.at('/waited').length]).to.deep.equal([1, 1]);
  });
});
