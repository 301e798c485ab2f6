import { expect } from 'chai';
import { gate, until } from '../../../test/suites/job-harness.js';
import { FolderRuns, type PlannedRun } from './folder-runs.js';
import { RunPlaces } from './run-places.js';

describe('Runs of watched folders', () => {
  const begun: string[] = [];
  let idle: string[];
  beforeEach(() => {
    begun.length = 0;
    idle = [];
  });
  const folder = (name: string, places: RunPlaces): FolderRuns =>
    new FolderRuns({
      places,
      stopping: new AbortController().signal,
      outdated: () => undefined,
      idle: () => void idle.push(name),
      succeeded: async () => undefined,
      failed: async () => undefined,
    });
  const planned = (name: string, work: Promise<void>, alone = false): PlannedRun => ({
    alone,
    plannedAt: performance.now(),
    run: () => {
      begun.push(name);
      return work;
    },
    done: () => undefined,
  });

  it('share the places of all folders, in turn', async () => {
    const places = new RunPlaces(1);
    const [a, b] = [folder('a', places), folder('b', places)];
    const held = gate();
    a.add(['a1', 'a2', 'a3'].map((name) => planned(name, held.opened)));
    b.add(['b1', 'b2'].map((name) => planned(name, held.opened)));
    expect(begun).to.deep.equal(['a1']);
    held.open();
    await until(() => idle.length === 2 || undefined);
    expect(begun).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'b2']);
    expect([a.busy, b.busy, a.waiting, b.waiting]).to.deep.equal([false, false, 0, 0]);
  });

  it('begin the next one as soon as the job of one has ended', async () => {
    const runs = folder('a', new RunPlaces(1));
    const held = gate();
    runs.add([
      {
        ...planned('a1', held.opened),
        run: (leave) => {
          begun.push('a1');
          leave();
          return held.opened;
        },
      },
      planned('a2', held.opened),
    ]);
    await until(() => begun.length === 2 || undefined);
    expect(idle).to.deep.equal([]);
    held.open();
    await until(() => idle.length === 1 || undefined);
  });

  it('work alone when they may crash the server', async () => {
    const runs = folder('a', new RunPlaces(4));
    const held = gate();
    runs.add(['a1', 'a2'].map((name) => planned(name, held.opened, true)));
    expect([begun.length, runs.worksAlone]).to.deep.equal([1, true]);
    held.open();
    await until(() => idle.length === 1 || undefined);
    expect([begun.length, runs.worksAlone]).to.deep.equal([2, false]);
  });
});
