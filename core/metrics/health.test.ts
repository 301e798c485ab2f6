import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { Health, type HealthSources } from './health.js';

const health = (change: Partial<HealthSources> = {}): Health =>
  new Health({
    storeKind: 'embedded',
    storeUp: () => Promise.resolve(true),
    queueLimit: () => 54,
    backplane: () => undefined,
    accepting: () => true,
    basePath: tmpdir(),
    minFreeBytes: 1,
    pool: () => ({
      size: 2,
      workers: 1,
      busy: 0,
      queued: 3,
      restarts: 1,
      oldestQueuedMs: 500,
      pids: [],
      isolation: [],
    }),
    programs: () => [{ name: 'qpdf', found: false, running: 0, waiting: 0 }],
    ...change,
  });

describe('the health', () => {
  it('shows store, disk, queue, workers and programs', async () => {
    const { status, components } = await health().report();
    expect(status).to.equal('UP');
    expect(components['store']).to.deep.equal({ status: 'UP', details: { kind: 'embedded' } });
    expect(components['queue']).to.deep.equal({ status: 'UP', details: { queued: 3, limit: 54, oldestSeconds: 0.5 } });
    expect(components['workers']).to.deep.equal({
      status: 'UP',
      details: { limit: 2, started: 1, busy: 0, restarts: 1, isolation: [] },
    });
    expect(components['diskSpace']?.details).to.include({ threshold: 1 });
    expect(components['diskSpace']?.details?.['free']).to.be.greaterThan(0);
  });

  it('is not affected by a missing program', async () => {
    const { status, components } = await health().report();
    expect(status).to.equal('UP');
    expect(components['programs']?.details).to.deep.equal({ qpdf: { found: false, running: 0, waiting: 0 } });
  });

  it('is down if the store is down', async () => {
    for (const storeUp of [() => Promise.resolve(false), () => Promise.reject(new Error('gone'))]) {
      const sick = health({ storeUp });
      expect((await sick.report()).status).to.equal('DOWN');
      expect((await sick.readiness()).status).to.equal('DOWN');
    }
  });

  it('is down if the disk is nearly full or not available', async () => {
    expect((await health({ minFreeBytes: 2 ** 60 }).report()).components['diskSpace']?.status).to.equal('DOWN');
    expect((await health({ basePath: '/nowhere/at/all' }).report()).status).to.equal('DOWN');
  });

  it('is out of service while the server shuts down', async () => {
    const draining = health({ accepting: () => false });
    expect((await draining.report()).status).to.equal('OUT_OF_SERVICE');
    expect((await draining.readiness()).status).to.equal('OUT_OF_SERVICE');
  });

  it('does not wait for a store that does not answer', async () => {
    expect((await health({ storeUp: () => new Promise(() => undefined) }).report()).status).to.equal('DOWN');
  });

  it('is checked once a second at most, however often it is requested', async () => {
    let looked = 0;
    const busy = health({
      storeUp: () => {
        looked++;
        return Promise.resolve(true);
      },
    });
    await Promise.all(Array.from({ length: 500 }, () => busy.report()));
    await busy.readiness();
    expect(looked).to.equal(1);
  });
});
