import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { isQuireError } from '@quire/registry/errors';
import { startElectionProxy, type ElectionProxy } from '../../test/suites/election-proxy.js';
import { completed, gate, jobRequest, silentLog, testJobService, until } from '../../test/suites/job-harness.js';
import { loneCluster } from '../../test/suites/lone-cluster.js';
import { mongoStreamsUrl } from '../../test/suites/temporary-store.js';
import { givenMongodb } from '../../tools/mongodb/test-mongodb.mjs';
import { findStoreProgram, StoreServer } from '../../verification/cluster/store-server.js';
import { openStore } from '../store/index.js';
import { ChangeStreamBackplane } from './backplane/change-stream-backplane.js';
import type { JobExecutor, JobService } from './index.js';

describe('Jobs on a replica set that elects another primary', function suite() {
  this.timeout(90_000);
  const ends: (() => Promise<unknown>)[] = [];
  let server: StoreServer;
  let set: ElectionProxy;
  const startSet = async (sessions = true): Promise<void> => {
    set = await startElectionProxy(server.port, { sessions });
    ends.push(() => set.close());
  };

  beforeEach(async function () {
    if ((await mongoStreamsUrl()) === undefined || givenMongodb() !== undefined) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'quire-election-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    server = await StoreServer.start(await findStoreProgram(), folder, { changeStreams: true });
    ends.push(() => server.kill());
    await startSet();
  });
  afterEach(async () => {
    set?.elected();
    for (const end of ends.splice(0).reverse()) await end();
  });

  const node = async (
    execute: JobExecutor,
    runsJobs: boolean,
    lockLifetimeMs = 20_000,
  ): Promise<{ readonly jobs: JobService; readonly backplane: ChangeStreamBackplane }> => {
    const store = await openStore({ kind: 'mongodb', url: set.url, database: 'quire' });
    ends.push(() => store.close());
    const backplane = new ChangeStreamBackplane({
      watch: (collections) => store.watch?.(collections) ?? expect.fail('not a MongoDB'),
      nodes: async () => 3,
      serves: !runsJobs,
      log: silentLog,
      retryMs: { least: 50, most: 500, refused: 3_600_000 },
    });
    ends.push(() => backplane.close());
    const jobs = testJobService(
      store,
      execute,
      { concurrency: 2, maxQueued: 200 },
      {
        cluster: loneCluster(store, runsJobs),
        backplane,
        timing: { lockLifetimeMs, touchMs: 300, pollMs: 200, abortGraceMs: 300 },
      },
    );
    ends.push(() => jobs.close());
    await jobs.recover();
    await until(() => (backplane.connected ? true : undefined));
    return { jobs, backplane };
  };
  /** The id of an accepted job, or the code of the refusal. */
  const ask = (jobs: JobService, name: string): Promise<{ readonly jobId?: string; readonly refused?: string }> =>
    jobs.start(jobRequest({ params: { name } })).catch((error: unknown) => ({
      refused: isQuireError(error) ? error.code : String(error),
    }));

  it('are run once if they were accepted, and at most once if not, whatever answers are lost', async () => {
    const runs: string[] = [];
    const work: JobExecutor = async ({ params }) => {
      runs.push(String(params['name']));
      await delay(20);
      return { files: [], json: params['name'] };
    };
    const { jobs } = await node(async () => ({ files: [] }), false);
    await node(work, true);
    await node(work, true);
    const accepted: { readonly jobId: string; readonly name: string }[] = [];
    const refused = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const names = [1, 2, 3, 4].map((n) => `${round}.${n}`);
      if (round % 2 === 0) set.loseAnswers(3);
      else {
        set.stepDown();
        setTimeout(() => set.elected(), 500);
      }
      await Promise.all(
        names.map(async (name) => {
          const { jobId, refused: code } = await ask(jobs, name);
          if (jobId !== undefined) return accepted.push({ jobId, name });
          // Of several writes that one loss interrupts, the driver repeats only the first.
          expect(code).to.equal('STORE_DOWN');
          return refused.add(name);
        }),
      );
    }
    expect(accepted).to.have.length.greaterThan(20);
    for (const { jobId, name } of accepted) {
      const record = await completed(jobs, jobId, 40_000);
      expect(record).to.include({ status: 'succeeded', result: name, attempts: 1 });
    }
    expect(new Set(runs).size, 'none is run twice').to.equal(runs.length);
    expect(runs.filter((name) => !refused.has(name)).sort()).to.deep.equal(accepted.map(({ name }) => name).sort());
    expect(set.repeated, 'writes that were repeated').to.be.greaterThan(3);
  });

  it('are refused with STORE_DOWN while there is no primary, and go on when there is one', async () => {
    const { opened, open } = gate();
    const begun = gate();
    const { jobs, backplane } = await node(async () => ({ files: [] }), false);
    const worker = await node(async ({ params }) => {
      begun.open();
      if (params['name'] === 'long') await opened;
      return { files: [], json: params['name'] };
    }, true);
    const { jobId = '' } = await ask(jobs, 'long');
    await begun.opened;
    set.stepDown();
    await until(() => (backplane.connected || worker.backplane.connected ? undefined : true));
    expect(await ask(jobs, 'refused')).to.deep.equal({ refused: 'STORE_DOWN' });
    open();
    await delay(500);
    set.elected();
    expect(await completed(jobs, jobId)).to.include({ status: 'succeeded', result: 'long', attempts: 1 });
    await until(() => (backplane.connected && worker.backplane.connected ? true : undefined));
    const next = await ask(jobs, 'next');
    expect(await completed(jobs, next.jobId ?? '')).to.include({ status: 'succeeded', result: 'next', attempts: 1 });
  });

  it('begin soon although the answers to their locks were lost, and no driver repeats them', async () => {
    await startSet(false);
    const { jobs } = await node(async () => ({ files: [] }), false);
    await node(async ({ params }) => ({ files: [], json: params['name'] }), true, 3_600_000);
    for (const lost of [1, 2, 3]) {
      const name = `lost ${lost}`;
      set.loseAnswers(lost, 'findAndModify');
      const { jobId = '' } = await ask(jobs, name);
      expect(await completed(jobs, jobId, 30_000)).to.include({ status: 'succeeded', result: name, attempts: 1 });
    }
  });
});
