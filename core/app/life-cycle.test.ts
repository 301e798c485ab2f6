import { expect } from 'chai';
import { LifeCycle, type LifeCycleSteps } from './life-cycle.js';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('LifeCycle', () => {
  let done: string[];
  const step = (name: string) => async (): Promise<void> => {
    await Promise.resolve();
    done.push(name);
  };
  const cycle = (steps: Partial<LifeCycleSteps>): LifeCycle =>
    new LifeCycle({
      log: silent,
      patienceMs: 7,
      backgroundFailed: () => done.push('background failed'),
      steps: { start: [], background: [], drain: [], stop: [], ...steps },
    });
  beforeEach(() => (done = []));

  it('awaits every step in the order of its list', async () => {
    const life = cycle({
      start: [step('plugins'), step('listen')],
      background: [step('recover'), step('watch')],
      drain: [async (patienceMs) => void done.push(`drain ${patienceMs}`)],
      stop: [step('jobs'), step('store')],
    });
    await life.start();
    expect(done.slice(0, 2)).to.deep.equal(['plugins', 'listen']);
    await life.stop();
    expect(done.slice(2)).to.deep.equal(['recover', 'watch', 'drain 7', 'jobs', 'store']);
  });

  it('stops only once and accepts nothing afterwards', async () => {
    const life = cycle({ stop: [step('store')] });
    expect(life.accepting).to.equal(true);
    await Promise.all([life.stop(), life.stop()]);
    expect(life.accepting).to.equal(false);
    expect(done).to.deep.equal(['store']);
  });

  it('stops the server when a background step fails', async () => {
    const before = process.exitCode;
    const stopped = new Promise<void>((resolve) => {
      const life = cycle({
        background: [() => Promise.reject(new Error('no store')), step('never')],
        stop: [step('store'), () => resolve()],
      });
      void life.start();
    });
    await stopped;
    expect(done).to.deep.equal(['background failed', 'store']);
    expect(process.exitCode).to.equal(1);
    process.exitCode = before;
  });
});
