import { expect } from 'chai';
import type { Backplane } from '../../core/jobs/backplane/index.js';
import type { JobExecutor, JobService } from '../../core/jobs/index.js';
import { RoleBoard } from '../../core/roles/role-board.js';
import type { Store } from '../../core/store/index.js';
import { completed, gate, jobRequest, silentLog, testJobService, until } from './job-harness.js';
import { loneCluster } from './lone-cluster.js';
import { temporaryMongoStore, type TemporaryStore } from './temporary-store.js';

/** Nodes ask the store so seldom that only the backplane can be the reason for what happens in these tests. */
const NEVER_MS = 3_600_000;

interface BackplaneKind {
  /** Address of the shared store; undefined where the machine lacks something. */
  storeUrl(): Promise<string | undefined>;
  beforeEach?(): Promise<void>;
  afterEach?(): Promise<void>;
  open(store: Store): Promise<Backplane>;
}

/** What nodes hear of one another at once, through a backplane of this kind. */
export function describeNodesWith(title: string, kind: BackplaneKind): void {
  describe(`Jobs of nodes that hear of one another through ${title}`, function suite() {
    this.timeout(40_000);
    let home: TemporaryStore;
    const stores: Store[] = [];
    const services: JobService[] = [];
    const backplanes: Backplane[] = [];

    before(async function () {
      if ((await kind.storeUrl()) === undefined) this.skip();
    });
    beforeEach(async () => {
      home = await temporaryMongoStore((await kind.storeUrl()) ?? '');
      await kind.beforeEach?.();
    });
    afterEach(async () => {
      for (const jobs of services.splice(0)) await jobs.close();
      for (const backplane of backplanes.splice(0)) await backplane.close();
      for (const store of stores.splice(0)) await store.close();
      await home.remove();
      await kind.afterEach?.();
    });

    const connection = async (): Promise<{ readonly store: Store; readonly backplane: Backplane }> => {
      const store = await home.open();
      stores.push(store);
      const backplane = await kind.open(store);
      backplanes.push(backplane);
      await until(() => (backplane.connected ? true : undefined));
      return { store, backplane };
    };
    const node = async (execute: JobExecutor, runsJobs = true, behindMs?: number): Promise<JobService> => {
      const { store, backplane } = await connection();
      const cluster = loneCluster(store, runsJobs, behindMs);
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

    for (const [whose, behindMs] of [
      ['another one', undefined],
      ['one whose time is a little behind', 300],
    ] as const) {
      it(`that a stopping node puts back begin on ${whose} at once`, () => begunElsewhere(behindMs));
    }

    async function begunElsewhere(behindMs: number | undefined): Promise<void> {
      const front = await web();
      const begun = gate();
      const first = await node(async (_job, { signal }) => {
        begun.open();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        throw signal.reason as Error;
      });
      const { jobId } = await front.start(jobRequest());
      await begun.opened;
      await node(async () => ({ files: [], json: 'second' }), true, behindMs);
      await first.drain(0);
      expect((await completed(front, jobId)).result).to.equal('second');
    }

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
}
