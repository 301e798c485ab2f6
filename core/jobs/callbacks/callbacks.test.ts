import { expect } from 'chai';
import type { OutboundAnswer, OutboundCall } from '@quire/registry';
import { OperationalError } from '@quire/registry';
import { codeOf } from '../../../test/suites/code-of.js';
import { completed, gate, jobRequest, silentLog, testJobService, until } from '../../../test/suites/job-harness.js';
import { describeStores, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import { SteadyClock } from '../cluster/index.js';
import type { JobService } from '../index.js';
import type { Store } from '../../store/index.js';
import { callbackBody, type CallbackRecord } from './callback-record.js';
import type { CallbackSettings } from './callback-settings.js';
import { Callbacks } from './callbacks.js';
import { retryAfterMs } from './send-callback.js';

const url = 'https://hooks.example.com/hidden?token=1';

describeStores('Deliveries of callbacks', (make) => {
  let place: TemporaryStore;
  let store: Store;
  let jobs: JobService;
  const running: Callbacks[] = [];
  const calls: OutboundCall[] = [];
  let answer: (call: OutboundCall, signal: AbortSignal | undefined) => Promise<Partial<OutboundAnswer>>;

  beforeEach(async () => {
    calls.length = 0;
    answer = async () => ({ status: 200 });
    place = await make();
    store = await place.open();
    jobs = testJobService(store, async () => ({ files: [], json: { found: 1 } }));
    await jobs.recover();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await jobs.close();
    await store.close();
    await place.remove();
  });

  function callbacks(settings: Partial<CallbackSettings> = {}): Callbacks {
    const made = new Callbacks({
      store,
      log: silentLog,
      clock: { now: () => new Date() },
      steady: new SteadyClock(),
      resultUrl: (jobId) => `/job/${jobId}/result`,
      settings: { secret: '', timeoutMs: 5000, retryMs: [50, 50], maxPendingPerOwner: 10, ...settings },
      outbound: {
        call: async (call, signal) => {
          calls.push(call);
          return { url: call.url, headers: {}, body: new Uint8Array(), status: 200, ...(await answer(call, signal)) };
        },
      },
    });
    running.push(made);
    return made;
  }

  const start = async (): Promise<string> => (await jobs.start(jobRequest({ owner: 'ann', callback: { url } }))).jobId;
  const ended = (all: Callbacks, jobId: string): Promise<CallbackRecord> =>
    until(async () => {
      const found = await all.of(jobId);
      return found?.open === false ? found : undefined;
    });

  it('are also sent for jobs that ended before the sender started, and only once with several servers', async () => {
    const ids = await Promise.all([start(), start(), start(), start(), start(), start()]);
    for (const id of ids) await completed(jobs, id);
    const [one, two] = [callbacks(), callbacks()];
    await Promise.all([one.start(jobs.callbacks), two.start(jobs.callbacks)]);
    for (const id of ids) expect((await ended(one, id)).status).to.equal('delivered');
    expect(calls.map((call) => call.url)).to.deep.equal(ids.map(() => url));
    expect(new Set(calls.map((call) => call.headers?.['webhook-id'])).size).to.equal(ids.length);
    expect(calls[0]?.headers, 'nothing is signed without a key').not.to.have.property('webhook-signature');
    expect(await jobs.callbacks.ended(10), 'every end was handed over').to.deep.equal([]);
    // The body is deleted once it is sent.
    await until(async () =>
      (await store.records('callback_bodies', { keys: ['createdAtMs'] }).count()) === 0 ? true : undefined,
    );
    expect((await one.of(ids[0] ?? ''))?.sealed).to.equal(null);
    expect((await jobs.get(ids[0] ?? ''))?.callback, 'the address in the record of the job').to.equal('');
  });

  it('are sent again with the same id when the server that was sending died', async () => {
    const hold = gate();
    answer = async () => {
      await hold.opened;
      return { status: 200 };
    };
    const first = callbacks();
    await first.start(jobs.callbacks);
    const id = await start();
    await until(() => (calls.length === 1 ? true : undefined));
    // The state after kill -9: the claim exists, and nobody releases it.
    const records = store.records<CallbackRecord>('callbacks', { keys: ['open', 'nextAtMs', 'owner', 'endedAtMs'] });
    if (store.kind === 'mongodb') await records.update(id, { set: { untilMs: Date.now() - 1 } });
    answer = async () => ({ status: 204 });
    const second = callbacks();
    await second.start(jobs.callbacks);
    const end = await ended(second, id);
    expect([end.status, end.attempts.map(({ status }) => status)]).to.deep.equal(['delivered', [204]]);
    expect(calls.map((call) => call.headers?.['webhook-id'])).to.deep.equal([end.webhookId, end.webhookId]);
    hold.open();
    await first.stop();
    expect((await second.of(id))?.attempts, "the late end of the first is nobody's").to.have.length(1);
  });

  it('do not count an attempt that was interrupted by a shutdown', async () => {
    answer = (_call, signal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new OperationalError('CANCELLED')), { once: true }),
      );
    const first = callbacks();
    await first.start(jobs.callbacks);
    const id = await start();
    await until(() => (calls.length === 1 ? true : undefined));
    await first.stop();
    expect(await first.of(id)).to.deep.include({ open: true, holder: '', untilMs: 0, attempts: [] });
  });

  it('are sent in turns, so that slow receivers and long queues do not delay others', async () => {
    const hold = gate();
    answer = async ({ url: to }) => {
      if (to.includes('slow')) await hold.opened;
      return { status: 200 };
    };
    const started: string[] = [];
    const begin = async (owner: string, to: string): Promise<string> =>
      (await jobs.start(jobRequest({ owner, callback: { url: `https://${to}.example.com/` } }))).jobId;
    for (const owner of ['a', 'b', 'c', 'd', 'e'])
      for (let i = 0; i < 5; i += 1) started.push(await begin(owner, `slow-${owner}`));
    // Without login all callers count as one owner, so receivers take turns instead.
    for (let i = 0; i < 5; i += 1) started.push(await begin('', 'slow-anonymous'));
    for (const id of started) await completed(jobs, id);
    const all = callbacks({ maxPendingPerOwner: 1000 });
    await all.start(jobs.callbacks);
    await until(() => (calls.length >= 12 ? true : undefined));
    for (const [owner, to] of [
      ['ann', 'quick'],
      ['', 'quick'],
      ['ben', 'quick'],
    ] as const)
      expect((await ended(all, await begin(owner, to))).status, owner).to.equal('delivered');
    const slow = calls.filter(({ url: to }) => to.includes('slow')).map(({ url: to }) => to);
    expect(slow.length, 'places are left for others').to.be.below(16);
    expect(
      Math.max(...[...new Set(slow)].map((to) => slow.filter((one) => one === to).length)),
      'of one',
    ).to.be.at.most(4);
    expect(new Set(slow).size, 'every receiver has a place').to.equal(6);
    hold.open();
    for (const id of started) expect((await ended(all, id)).status).to.equal('delivered');
  });

  it('follow the retry schedule, and stop after the last attempt', async () => {
    answer = async () => ({ status: 500 });
    const all = callbacks();
    await all.start(jobs.callbacks);
    const end = await ended(all, await start());
    expect([end.status, end.attempts.length, end.nextAtMs]).to.deep.equal(['failed', 3, null]);
  });

  it('refuse an owner whose limit of pending callbacks is reached, and nobody else', async () => {
    answer = async () => ({ status: 500 });
    const all = callbacks({ maxPendingPerOwner: 2, retryMs: [60_000] });
    await all.start(jobs.callbacks);
    for (let i = 0; i < 2; i++) {
      await all.admit('ann');
      await start();
    }
    expect(await codeOf(all.admit('ann'))).to.equal('CALLBACKS_FULL');
    await all.admit('ben');
  });

  it('leave out a result that is too long for a callback and say so', async () => {
    const id = await start();
    const record = await completed(jobs, id);
    const long = JSON.parse(
      callbackBody({ ...record, result: 'x'.repeat(300_000) }, 'job.succeeded', '/r', new Date()),
    ) as { data: Record<string, unknown> };
    expect(long.data).to.deep.include({ result: null, omitted: ['result'], jobId: id, resultUrl: '/r' });
    const files = Array.from({ length: 3000 }, (_, i) => ({
      fileId: String(i).padStart(32, '0'),
      fileName: `page ${i}.pdf`,
      contentType: 'application/pdf',
      fileSize: i,
    }));
    const many = callbackBody({ ...record, allResultFiles: files }, 'job.succeeded', '/r', new Date());
    expect(many.length).to.be.below(3000);
    expect(JSON.parse(many)).to.have.nested.property('data.omitted').that.includes('allResultFiles');
  });
});

describe('retryAfterMs', () => {
  const now = new Date('2026-01-01T00:00:00Z');

  it('reads seconds or a date, limits them to a day, and ignores anything else', () => {
    for (const [header, ms] of [
      [undefined, 0],
      ['120', 120_000],
      ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
      ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
      ['999999999', 86_400_000],
      ['soon', 0],
      ['-5', 0],
      ['1.5', 0],
    ] as const)
      expect(retryAfterMs(header, now), header).to.equal(ms);
  });
});
