import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { InputError, OperationalError } from '@quire/registry';
import { silentLog } from '../../../../test/suites/job-harness.js';
import type { Runner, RunRequest, RunResult } from '../../runner/index.js';
import type { WireFile } from '../../workers/index.js';
import { runPipeline, type PipelineResult, type PipelineRun, type ReadNotes } from '../run-pipeline.js';
import type { Reaction, VerifiedNode } from './model.js';

/** Runs in place of an operation; what it throws is the operation's error. */
type Work = (path: string, file: WireFile, request: RunRequest) => Promise<unknown>;

describe('a run of a pipeline with branches', () => {
  let folder: string;
  let indexes: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-flow-'));
    indexes = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const step = (path: string, onError: Reaction = 'stop'): VerifiedNode => ({
    type: 'step',
    at: `/pipeline/${indexes}`,
    index: indexes++,
    onError,
    step: {
      entry: { operation: { path, accepts: ['any'], files: 'each', returns: { kind: 'same', name: '{base}' } } },
      path,
      at: '/pipeline/0',
      within: [],
      depth: 1,
      params: {},
      parts: {},
    } as unknown as Extract<VerifiedNode, { type: 'step' }>['step'],
  });
  const parallel = (...branches: (readonly VerifiedNode[])[]): VerifiedNode => ({
    type: 'parallel',
    at: '/pipeline/0',
    branches,
    onError: 'stop',
  });

  /** The errors of a disk or a queue that is full cannot be caused by a test, so the operations are not real here. */
  async function run(
    flow: readonly VerifiedNode[],
    count: number,
    work: Work,
    { signal, onBegin, spendsFiles }: Partial<Pick<PipelineRun, 'signal' | 'onBegin' | 'spendsFiles'>> = {},
  ): Promise<PipelineResult> {
    const runner = {
      run: async (request: RunRequest): Promise<Partial<RunResult>> => {
        const { entry, files, folder: own } = request;
        const outputs: WireFile[] = [];
        for (const file of files) {
          await work(entry.operation.path, file, request);
          const path = entry.operation.path.startsWith('keep') ? file.path : join(own, 'out');
          if (path !== file.path) await copyFile(file.path, path);
          outputs.push({ ...file, path });
        }
        return { outputs, isJson: false, effects: [], warnings: [], report: {} };
      },
    } as unknown as Runner;
    const files: WireFile[] = [];
    for (let i = 0; i < count; i++) {
      const path = join(folder, `${i}`);
      await writeFile(path, 'x');
      files.push({ name: `${i}.txt`, kind: 'txt', size: 1, path });
    }
    return runPipeline(
      {
        runner,
        stamps: { finish: async (file) => file },
        log: silentLog,
        factOf: () => Promise.resolve(true),
        invoiceOf: () => Promise.reject(new InputError('INVOICE_NONE')),
      },
      {
        flow,
        steps: indexes,
        files,
        principal: {} as never,
        folder,
        signal: signal ?? new AbortController().signal,
        parallel: 2,
        ...(onBegin === undefined ? {} : { onBegin }),
        ...(spendsFiles === undefined ? {} : { spendsFiles }),
      },
    );
  }

  const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'none',
      (error: unknown) => (error as { code?: string }).code ?? error,
    );

  it('ends with what is no fault of a file, whatever its steps say', async () => {
    for (const code of ['STORAGE_FULL', 'QUEUE_FULL', 'PROGRAM_MISSING', 'CANCELLED'] as const)
      for (const onError of ['skip', 'continue'] as const) {
        const fail: Work = () => Promise.reject(new OperationalError(code));
        expect(await codeOf(run([step('a', onError)], 2, fail)), `${code} ${onError}`).to.equal(code);
      }
    const disk = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    expect(await codeOf(run([step('a', 'skip')], 1, () => Promise.reject(disk)))).to.equal('ENOSPC');
  });

  it('works on as many files at once as a linear one, in all branches together', async () => {
    let [now, most] = [0, 0];
    const flow = [
      parallel(
        [step('a')],
        [parallel([step('b')], [{ type: 'each', at: '/pipeline/0', onError: 'stop', steps: [step('c')] }])],
      ),
    ];
    const { files } = await run(flow, 6, async () => {
      most = Math.max(most, ++now);
      await setImmediate();
      now--;
    });
    expect(most).to.be.within(1, 2);
    expect(new Set(files.map(({ path }) => path)).size, 'no two results share a path').to.equal(18);
  });

  it('stops its other branches at their next step when one fails, and reports the first failure', async () => {
    const begun: string[] = [];
    const flow = [parallel([step('slow'), step('never')], [step('bad')])];
    const { promise: thrown, resolve: throws } = Promise.withResolvers<void>();
    const failed = run(flow, 1, async (path) => {
      begun.push(path);
      if (path === 'bad') {
        throws();
        throw new InputError('PDF_DAMAGED', { field: 'fileInput' });
      }
      await thrown;
      // The failure reaches the other branch before its step ends.
      for (let i = 0; i < 20; i++) await setImmediate();
    });
    expect(await codeOf(failed)).to.equal('PDF_DAMAGED');
    expect(begun.sort()).to.deep.equal(['bad', 'slow']);
  });

  it('stops when it is cancelled, also where its steps may fail', async () => {
    const abort = new AbortController();
    const begun: string[] = [];
    const flow = [parallel([step('a', 'continue'), step('b', 'continue')])];
    const stopped = run(
      flow,
      1,
      async (path) => {
        begun.push(path);
        abort.abort(new OperationalError('CANCELLED'));
      },
      { signal: abort.signal },
    );
    expect(await codeOf(stopped)).to.equal('CANCELLED');
    expect(begun).to.deep.equal(['a']);
  });

  it('lists a hundred warnings, and counts the others', async () => {
    const fail: Work = (_, { name }) => Promise.reject(new InputError('PDF_DAMAGED', { detail: name }));
    const { warnings, files, dropped } = await run([step('a', 'continue')], 150, fail);
    expect(files).to.have.length(150);
    expect(dropped).to.deep.equal([]);
    expect(warnings).to.have.length(101);
    expect(warnings.at(-1)).to.equal('50 more warnings are not listed.');
  });

  /** The steps that a run reports which fails. */
  const stepsOf = async (flow: readonly VerifiedNode[], work: Work, signal?: AbortSignal) => {
    let read: ReadNotes | undefined;
    const begin = { onBegin: (notes: ReadNotes) => (read = notes), ...(signal === undefined ? {} : { signal }) };
    const failure = await run(flow, 1, work, begin).then(
      () => undefined,
      (error: unknown) => error,
    );
    return read?.(failure).steps ?? [];
  };

  it('reports its steps when one of them fails, and why', async () => {
    const steps = await stepsOf([step('good'), step('bad'), step('never')], (path) =>
      path === 'bad' ? Promise.reject(new InputError('PDF_DAMAGED', { field: 'fileInput' })) : Promise.resolve(),
    );
    expect(steps.map(({ operation, received, returned }) => [operation, received.bytes, returned.count])).to.deep.equal(
      [
        ['good', 1, 1],
        ['bad', 1, 0],
      ],
    );
    expect(steps[0]?.error).to.equal(undefined);
    expect(steps[1]?.error).to.deep.include({ code: 'PDF_DAMAGED', pointer: '/pipeline/0', file: '0.txt' });
  });

  it('blames the step that ran when the run is stopped, and no other one', async () => {
    const abort = new AbortController();
    const late = new OperationalError('TIMEOUT', { seconds: 1 });
    const steps = await stepsOf(
      [step('good'), step('slow')],
      async (path) => {
        if (path === 'good') return;
        abort.abort(late);
        throw late;
      },
      abort.signal,
    );
    expect(steps.map(({ operation, error }) => [operation, error?.code])).to.deep.equal([
      ['good', undefined],
      ['slow', 'TIMEOUT'],
    ]);
  });

  it('keeps the failure of a step after which it goes on', async () => {
    const fail: Work = () => Promise.reject(new InputError('PDF_DAMAGED', {}));
    const { steps } = await run([step('a', 'continue'), step('b', 'skip')], 2, fail);
    expect(steps.map(({ error }) => error?.code)).to.deep.equal(['PDF_DAMAGED', 'PDF_DAMAGED']);
  });

  /** The steps, by path, whose files are given up for their results. */
  const spendersIn = async (flow: readonly VerifiedNode[], options: { spendsFiles?: boolean } = {}) => {
    const spenders: string[] = [];
    const note: Work = async (path, _, { spendsInputs }) => {
      if (spendsInputs === true) spenders.push(path);
    };
    await run(flow, 1, note, options);
    return spenders.sort();
  };

  it('gives up results of earlier steps, but not its own files, which a second try needs', async () => {
    expect(await spendersIn([step('keep'), step('a'), step('b'), step('c')])).to.deep.equal(['b', 'c']);
  });

  it('gives up its own files too if they were given up for it', async () => {
    const spenders = await spendersIn([step('keep'), step('a'), step('b')], { spendsFiles: true });
    expect(spenders).to.deep.equal(['a', 'b', 'keep']);
  });

  it('gives up no file that goes on when a step fails, or the steps around it', async () => {
    const saved: VerifiedNode = {
      type: 'saved',
      at: '/pipeline/1',
      onError: 'continue',
      steps: [step('in'), step('side')],
    };
    expect(await spendersIn([step('a'), step('b', 'continue'), saved, step('c')])).to.deep.equal(['c']);
  });

  it('gives up no file that is left out when a step fails', async () => {
    const each: VerifiedNode = {
      type: 'each',
      at: '/pipeline/1',
      onError: 'stop',
      steps: [step('x', 'skip'), step('y')],
    };
    expect(await spendersIn([step('a'), each])).to.deep.equal(['y']);
  });

  it('gives up no file that is in several branches, nor one that has two names after them', async () => {
    const twice = parallel([step('keep')], [step('keep too')]);
    expect(await spendersIn([step('a'), twice, step('keep both'), step('b'), step('c')])).to.deep.equal(['c', 'c']);
  });

  it('gives up the results of branches', async () => {
    const apart = parallel([step('x')], [step('keep')]);
    expect(await spendersIn([step('a'), apart, step('b')])).to.deep.equal(['b', 'b']);
  });

  it('gives up no file that a condition asks about', async () => {
    const asked = step('keep filter') as Extract<VerifiedNode, { type: 'step' }>;
    const condition = { type: 'filter', step: asked.step, index: asked.index } as const;
    const branches: VerifiedNode = {
      type: 'if',
      at: '/pipeline/1',
      onError: 'stop',
      condition,
      then: [step('b')],
      else: [],
    };
    expect(await spendersIn([step('a'), branches])).to.deep.equal(['b']);
  });
});
