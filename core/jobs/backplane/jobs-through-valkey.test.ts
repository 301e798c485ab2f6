import { expect } from 'chai';
import { completed, gate, jobRequest, silentLog, testJobService, until } from '../../../test/suites/job-harness.js';
import { mongoTestUrl, temporaryMongoStore, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import { valkeyProgram, ValkeyServer } from '../../../test/suites/valkey-server.js';
import type { Store } from '../../store/index.js';
import { Leases, SteadyClock, type LeaseRecord } from '../cluster/index.js';
import type { JobExecutor } from '../job-executor.js';
import type { JobCluster } from '../job-options.js';
import type { JobService } from '../job-service.js';
import { RoleBoard } from '../../roles/role-board.js';
import type { Backplane } from './backplane.js';
import { openValkeyBackplane } from './valkey-backplane.js';

/** Nodes ask the store so seldom that only an announcement can be the reason for what happens in these tests. */
const NEVER_MS = 3_600_000;

describe('Jobs of nodes that a backplane connects', function suite() {
  this.timeout(40_000);
  let home: TemporaryStore;
  let valkey: ValkeyServer;
  const stores: Store[] = [];
  const services: JobService[] = [];
  const backplanes: Backplane[] = [];

  before(async function () {
    if (valkeyProgram() === undefined || (await mongoTestUrl()) === undefined) this.skip();
  });
  beforeEach(async () => {
    home = await temporaryMongoStore((await mongoTestUrl()) ?? '');
    valkey = await ValkeyServer.start(valkeyProgram() ?? '');
  });
  afterEach(async () => {
    for (const jobs of services.splice(0)) await jobs.close();
    for (const backplane of backplanes.splice(0)) await backplane.close();
    for (const store of stores.splice(0)) await store.close();
    await home.remove();
    await valkey.kill();
  });

  const connection = async (): Promise<{ readonly store: Store; readonly backplane: Backplane }> => {
    const store = await home.open();
    stores.push(store);
    const backplane = await openValkeyBackplane({
      url: valkey.url,
      skipCertVerification: false,
      key: Buffer.alloc(32, 5),
      log: silentLog,
    });
    backplanes.push(backplane);
    await until(() => (backplane.connected ? true : undefined));
    return { store, backplane };
  };
  const node = async (execute: JobExecutor, runsJobs = true): Promise<JobService> => {
    const { store, backplane } = await connection();
    const clock = new SteadyClock();
    const cluster: JobCluster = {
      runsJobs,
      clock,
      leases: new Leases({ records: store.records<LeaseRecord>('leases'), now: () => clock.now() }),
      unmetHere: () => [],
      unmetAnywhere: async () => [],
      readAttached: async () => true,
      sweep: async () => undefined,
    };
    const timing = { lockLifetimeMs: NEVER_MS, touchMs: NEVER_MS, pollMs: NEVER_MS, abortGraceMs: 300 };
    const jobs = testJobService(store, execute, {}, { cluster, backplane, timing });
    services.push(jobs);
    await jobs.recover();
    return jobs;
  };
  const web = (): Promise<JobService> => node(async () => ({ files: [] }), false);

  it('begin on an idle worker at once, and their end reaches who waits on another node', async () => {
    const [front] = [await web(), await node(async () => ({ files: [], json: 'done' }))];
    for (let round = 0; round < 3; round += 1) {
      const { jobId } = await front.start(jobRequest());
      const record = await front.finished(jobId, new AbortController().signal);
      expect(record).to.include({ complete: true, result: 'done' });
    }
  });

  it('show their progress to a stream on another node', async () => {
    const { opened, open } = gate();
    const front = await web();
    await node(async (_job, { progress }) => {
      progress(1, 2);
      await opened;
      return { files: [] };
    });
    const { jobId } = await front.start(jobRequest());
    const states: string[] = [];
    for await (const { status, progress } of front.events(jobId)) {
      states.push(`${status} ${progress}`);
      if (progress === 50) open();
    }
    expect(states).to.include('running 50');
    expect(states.at(-1)).to.equal('succeeded 100');
  });

  it('stop on another node when they are cancelled, and only when their record says so', async () => {
    const stopped: string[] = [];
    const front = await web();
    const running = gate();
    await node(async (_job, { signal }) => {
      running.open();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      stopped.push('stopped');
      return { files: [] };
    });
    const { jobId } = await front.start(jobRequest());
    await running.opened;
    const { backplane } = await connection();
    backplane.announce('job-cancelled', jobId);
    backplane.announce('job-changed', jobId);
    backplane.announce('job-added', jobId);
    await until(async () => ((await front.get(jobId))?.status === 'running' ? true : undefined));
    expect(stopped, 'an announcement alone stops nothing').to.deep.equal([]);
    await front.cancel(jobId);
    await until(() => (stopped.length > 0 ? true : undefined));
    expect((await front.get(jobId))?.status).to.equal('cancelled');
  });

  it('that a stopping node puts back begin on another one at once', async () => {
    const front = await web();
    const begun = gate();
    const first = await node(async (_job, { signal }) => {
      begun.open();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      throw signal.reason as Error;
    });
    const { jobId } = await front.start(jobRequest());
    await begun.opened;
    await node(async () => ({ files: [], json: 'second' }));
    await first.drain(0);
    expect((await completed(front, jobId)).result).to.equal('second');
  });

  it('are not the only news: a role changed on one node holds on the others', async () => {
    const boards = await Promise.all(
      [1, 2].map(async () => {
        const { store, backplane } = await connection();
        const board = new RoleBoard({
          roles: store.records('roles'),
          revisions: store.records('role_revisions'),
          grants: { all: async () => [] },
          log: silentLog,
          shared: true,
          rateLimit: false,
          backplane,
          pollMs: NEVER_MS,
        });
        await board.start();
        return { board, store };
      }),
    );
    const [one, two] = boards as [(typeof boards)[0], (typeof boards)[0]];
    const before = two.board.table;
    await one.board.changed();
    await until(() => (two.board.table === before ? undefined : true));
    for (const { board } of boards) board.stop();
  });
});
