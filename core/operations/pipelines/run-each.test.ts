import { expect } from 'chai';
import { InputError } from '@quire/registry/errors';
import { silentLog } from '../../../test/suites/job-harness.js';
import { gate } from '../../../test/suites/job-harness.js';
import { runEach, type EachRun } from './run-each.js';
import { RunLanes } from './run-lanes.js';
import type { PipelineService } from './pipeline-service.js';

type Run = PipelineService['run'];
type Report = Parameters<Run>[0];

describe('a pipeline that runs for each input by itself', () => {
  let charges: Record<string, string>;
  let most: number;
  let folders: number;
  let lanes: RunLanes;
  beforeEach(() => {
    lanes = new RunLanes();
    charges = {};
    most = folders = 0;
  });

  /** Runs like a pipeline that returns its inputs. */
  const service = (
    during: (name: string, signal: AbortSignal) => Promise<void> | void,
  ): Pick<PipelineService, 'run'> => {
    let now = 0;
    const run: Run = async (_report, { files, signal }) => {
      const name = files[0]?.name ?? '';
      most = Math.max(most, ++now);
      try {
        await during(name, signal);
        charges[name] = 'taken';
        const end = (how: string) => async () => void (charges[name] = how);
        const charge = { left: [], settle: end('kept'), refund: end('given back') };
        return { files, dropped: [], effects: [], warnings: [], decisions: [], steps: [], charge };
      } finally {
        now -= 1;
      }
    };
    return { run };
  };
  const inputs = (count: number): EachRun['files'] =>
    Array.from({ length: count }, (_, n) => ({ name: `${n}.pdf`, kind: 'pdf', path: `/nowhere/${n}`, size: 1 }));
  const start = async (
    pipelines: Pick<PipelineService, 'run'>,
    more: Partial<EachRun> = {},
  ): Promise<(string | undefined)[]> => {
    const results = await runEach({ pipelines, log: silentLog, lanes }, {} as Report, {
      name: 'one',
      files: inputs(5),
      principal: { id: '', name: 'anonymous', role: 'anonymous', via: 'none' },
      signal: new AbortController().signal,
      strict: false,
      limit: { limitMs: 20_000, totalTimes: 1 },
      folder: async () => `/nowhere/folder-${folders++}`,
      onProgress: () => undefined,
      ...more,
    });
    return results.map((one) => ('result' in one ? one.result.files[0]?.name : (one.error as { code: string }).code));
  };

  it('returns the results in the order of the inputs, and runs four at once in folders of their own', async () => {
    const first = gate();
    const done: [number, number][] = [];
    const pipelines = service(async (name) => {
      if (name === '0.pdf') await first.opened;
      if (name === '3.pdf') first.open();
    });
    const names = await start(pipelines, { onProgress: (...now) => void done.push(now) });
    expect(names).to.deep.equal(['0.pdf', '1.pdf', '2.pdf', '3.pdf', '4.pdf']);
    expect([most, folders]).to.deep.equal([4, 5]);
    expect(done.at(-1)).to.deep.equal([5, 5]);
  });

  it('goes on after an input that fails, and after one that takes too long', async () => {
    const pipelines = service(async (name, signal) => {
      if (name === '1.pdf') throw new InputError('PDF_DAMAGED', { file: name });
      if (name === '2.pdf')
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const names = await start(pipelines, { limit: { limitMs: 50, totalTimes: 1 } });
    expect(names).to.deep.equal(['0.pdf', 'PDF_DAMAGED', 'TIMEOUT', '3.pdf', '4.pdf']);
  });

  it('gives back what was charged when it is stopped', async () => {
    const stop = new AbortController();
    const pipelines = service((name) => (name === '3.pdf' ? stop.abort(new Error('stopped')) : undefined));
    const thrown = await start(pipelines, { signal: stop.signal }).catch((error: unknown) => error);
    expect(thrown).to.have.property('message', 'stopped');
    expect(new Set(Object.values(charges))).to.deep.equal(new Set(['given back']));
  });
});
