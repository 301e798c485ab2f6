import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { RunLanes, type Lane } from './run-lanes.js';

describe('Runs of several jobs', () => {
  const { signal } = new AbortController();
  let begun: string[];
  let ends: Map<string, () => void>;
  beforeEach(() => {
    begun = [];
    ends = new Map();
  });

  const add = (lane: Lane, name: string, count: number): void => {
    for (let n = 0; n < count; n++)
      void lane.enter(signal).then((leave) => {
        begun.push(`${name}${n}`);
        ends.set(`${name}${n}`, leave);
      });
  };

  it('begin in the order in which the jobs came, four at once for each job', async () => {
    const lanes = new RunLanes();
    const [a, b] = [lanes.open('one'), lanes.open('one')];
    add(a, 'a', 6);
    add(b, 'b', 6);
    await turn();
    expect(begun).to.deep.equal(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'b0', 'b1']);
    ends.get('a3')?.();
    await turn();
    expect(begun.at(-1)).to.equal('b2');
  });

  it('do not wait for jobs of another name', async () => {
    const lanes = new RunLanes();
    add(lanes.open('one'), 'a', 9);
    add(lanes.open('other'), 'b', 9);
    await turn();
    expect(begun.filter((name) => name.startsWith('b'))).to.have.length(4);
  });

  it('have no more places than the jobs that are left bring', async () => {
    const lanes = new RunLanes();
    const [a, b] = [lanes.open('one'), lanes.open('one')];
    add(a, 'a', 2);
    await turn();
    for (const end of ends.values()) end();
    a.close();
    add(b, 'b', 9);
    await turn();
    expect(begun.filter((name) => name.startsWith('b'))).to.have.length(4);
  });

  it('wait no longer than their job', async () => {
    const lanes = new RunLanes();
    const lane = lanes.open('one');
    add(lane, 'a', 4);
    const stop = new AbortController();
    const waiting = lane.enter(stop.signal).catch((error: Error) => error.message);
    stop.abort(new Error('stopped'));
    expect(await waiting).to.equal('stopped');
  });
});
