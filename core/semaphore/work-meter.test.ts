import { expect } from 'chai';
import type { ThreadTime } from './processes.js';
import { WorkMeter } from './work-meter.js';

/** A machine whose clock and threads stand still until they are told. */
class Machine {
  #now = 1000;
  readonly #threads = new Map<number, Map<string, ThreadTime>>();

  now(): number {
    return this.#now;
  }

  threads(pids: readonly number[]): ReadonlyMap<string, ThreadTime> {
    return new Map(pids.flatMap((pid) => [...(this.#threads.get(pid) ?? [])]));
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Adds to the times of a thread. */
  thread(pid: number, name: string, ran: number, queued: number): void {
    const threads = this.#threads.get(pid) ?? new Map<string, ThreadTime>();
    const before = threads.get(name) ?? { ran: 0, queued: 0 };
    threads.set(name, { ran: before.ran + ran, queued: before.queued + queued });
    this.#threads.set(pid, threads);
  }

  end(pid: number): void {
    this.#threads.delete(pid);
  }
}

describe('The meter of work', () => {
  let machine: Machine;
  let meter: WorkMeter;
  beforeEach(() => {
    machine = new Machine();
    meter = new WorkMeter(() => machine.now());
  });

  it('counts the time that passes', () => {
    machine.pass(700);
    expect([meter.look(), meter.total]).to.deep.equal([700, 700]);
  });

  it('leaves out the time in which the work waits for its turn', () => {
    machine.pass(100);
    const end = meter.wait();
    machine.pass(5000);
    const endOther = meter.wait();
    end();
    end();
    machine.pass(1000);
    endOther();
    machine.pass(30);
    expect([meter.look(), meter.total]).to.deep.equal([130, 6130]);
  });

  it('leaves out the time in which a thread was ready and got no processor', () => {
    machine.thread(7, 'main', 400, 9000);
    meter.measure(() => machine.threads([7]), false);
    machine.pass(10_000);
    machine.thread(7, 'main', 2000, 8000);
    expect(meter.look()).to.equal(2000);
    machine.pass(3000);
    machine.thread(7, 'helper', 500, 1000);
    expect(meter.look()).to.equal(4000);
  });

  it('counts what a thread ran, whatever else waited meanwhile', () => {
    meter.measure(() => machine.threads([7]), false);
    const end = meter.wait();
    machine.pass(10_000);
    machine.thread(7, 'main', 6000, 0);
    for (const helper of ['a', 'b', 'c']) machine.thread(7, helper, 10, 9000);
    end();
    expect(meter.look()).to.equal(6000);
  });

  it('counts the time of a program although others of the work wait for their turn', () => {
    const end = meter.wait();
    machine.pass(50);
    const ended = meter.measure(() => machine.threads([8]), true);
    expect(meter.hasPrograms).to.equal(true);
    machine.pass(4000);
    machine.thread(8, 'main', 1000, 2500);
    ended();
    machine.end(8);
    expect(meter.hasPrograms).to.equal(false);
    machine.pass(200);
    end();
    expect(meter.look()).to.equal(1500);
  });

  it('keeps what it has seen of a process that has ended', () => {
    meter.measure(() => machine.threads([9]), true);
    machine.pass(1000);
    machine.thread(9, 'main', 200, 800);
    meter.look();
    machine.end(9);
    machine.pass(100);
    expect(meter.look()).to.equal(300);
  });
});
