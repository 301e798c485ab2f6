import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { QuireError } from '@quire/registry/errors';
import { Gate, measureProgram, waitForTurn, WorkClock } from './index.js';
import { SharedProgram, threadTimes } from './processes.js';

const ended = async ({ signal }: WorkClock): Promise<QuireError> => {
  if (!signal.aborted) await once(signal, 'abort');
  return signal.reason as QuireError;
};

describe('A clock of work', () => {
  it('ends work with its time limit', async () => {
    const error = await ended(new WorkClock({ limitMs: 40, totalTimes: 5 }));
    expect([error.code, error.message]).to.deep.equal([
      'TIMEOUT',
      'The work was stopped after the time limit of 1 seconds.',
    ]);
  });

  it('stands still while the work waits at a gate, and goes on afterwards', async () => {
    const gate = new Gate(1);
    const leave = await gate.enter();
    const clock = new WorkClock({ limitMs: 100, totalTimes: 10_000 });
    const entered = clock.run(() => gate.enter());
    await delay(1600);
    expect(clock.signal.aborted).to.equal(false);
    leave();
    await entered;
    const { message, data } = await ended(clock);
    expect(data['waited']).to.be.at.least(2);
    expect(message).to.match(/of which it waited \d+ for its turn or for a processor, which do not count\.$/);
  });

  it('ends work that waits too long in total, and says so', async () => {
    const clock = new WorkClock({ limitMs: 100, totalTimes: 15 });
    clock.run(waitForTurn);
    expect((await ended(clock)).message).to.match(
      /^The work was stopped after \d+ seconds, the most that a time limit of 1 seconds allows: for \d+ of them it waited/,
    );
  });

  it('reports to the clock of the work that it is a part of', async () => {
    const outer = new WorkClock({ limitMs: 150, totalTimes: 10_000 });
    const inner = outer.run(() => new WorkClock({ limitMs: 60_000, totalTimes: 1 }));
    const end = inner.run(waitForTurn);
    inner.stop();
    await delay(400);
    expect(outer.signal.aborted).to.equal(false);
    end();
    expect((await ended(outer)).code).to.equal('TIMEOUT');
  });

  it('does not end work after it was stopped', async () => {
    const clock = new WorkClock({ limitMs: 20, totalTimes: 1 });
    clock.stop();
    await delay(80);
    expect(clock.signal.aborted).to.equal(false);
  });

  it('measures a program with all that it starts (skipped where the system reports no times)', async function linux() {
    if (threadTimes(process.pid).size === 0) this.skip();
    const program = spawn('/bin/sh', ['-c', 'while :; do :; done & wait'], { stdio: 'ignore', detached: true });
    try {
      const clock = new WorkClock({ limitMs: 300, totalTimes: 1000 });
      const unmeasure = clock.run(() => measureProgram(program.pid ?? 0));
      // The loop runs, so that waiting for a turn does not stop the time.
      clock.run(waitForTurn);
      expect((await ended(clock)).code).to.equal('TIMEOUT');
      unmeasure();
    } finally {
      process.kill(-(program.pid ?? 0), 'SIGKILL');
    }
  });

  it('looks at a program that many use now and then, and sees what it started since', async function linux() {
    if (threadTimes(process.pid).size === 0) this.skip();
    const program = spawn('/bin/sh', ['-c', 'sleep 0.1; sleep 5 & wait'], { stdio: 'ignore', detached: true });
    try {
      const shared = new SharedProgram(program.pid ?? 0);
      const first = shared.times();
      expect(shared.times()).to.equal(first);
      while (shared.times().size < 2) await delay(20);
      expect([...shared.times().keys()]).to.include(String(program.pid));
    } finally {
      process.kill(-(program.pid ?? 0), 'SIGKILL');
    }
  });
});
