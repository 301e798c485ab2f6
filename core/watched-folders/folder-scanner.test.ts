import { expect } from 'chai';
import { chmod, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InputError, OperationalError, type Principal } from '@quire/registry';
import { gate, jobServices, silentLog, until } from '../../test/suites/job-harness.js';
import { temporaryEmbeddedStore } from '../../test/suites/temporary-store.js';
import { markOf } from '../folders/index.js';
import type { JobExecutor, JobService } from '../jobs/index.js';
import type { PipelineReport } from '../operations/pipelines/index.js';
import type { FolderRunEnd } from './folder-run-deps.js';
import { FolderScanner, type FolderScanDeps } from './folder-scanner.js';
import { RunJournal } from './run-journal.js';
import type { ScanSettings } from './scan-settings.js';

const robot: Principal = { id: '1', name: 'robot', role: 'user', via: 'key' };

describe('Watched folders of a server', () => {
  const services = jobServices(temporaryEmbeddedStore);
  let base: string;
  let jobs: JobService;
  const scanners: FolderScanner[] = [];
  /** The files that were processed: name, and text of the pipeline. */
  const worked: { readonly name: string; readonly text: string }[] = [];
  let work: (name: string) => Promise<void>;
  /** Does the work of every run: returns its one file unchanged. */
  const execute: JobExecutor = async ({ inputs, pipeline }) => {
    const [input] = inputs;
    const name = input?.name ?? '';
    worked.push({ name, text: String(pipeline) });
    await work(name);
    return { files: [{ path: input?.path ?? '', name, kind: 'pdf', mediaType: 'application/pdf' }] };
  };
  const root = (...way: string[]): string => join(base, 'watched', ...way);
  const list = async (...way: string[]): Promise<string[]> =>
    (await readdir(join(base, ...way)).catch(() => [])).filter((name) => !name.startsWith('.')).sort();

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-scanner-'));
    worked.length = 0;
    work = async () => undefined;
    await mkdir(root('in'), { recursive: true });
    jobs = await services.open(execute, { concurrency: 4 });
    await writeFile(root('in', 'pipeline.json'), '{"pipeline":[],"name":"one"}');
  });
  afterEach(async () => {
    await Promise.all(scanners.splice(0).map((one) => one.stop(1000)));
    await rm(base, { recursive: true, force: true });
  });

  async function watch(more: Partial<FolderScanDeps> = {}, parallel = 1, sweepMs = 200): Promise<void> {
    const settings: ScanSettings = {
      roots: [root()],
      finished: join(base, 'finished'),
      allowedRoots: [],
      workingFolder: base,
      reportFolder: join(base, 'reports'),
      originals: 'keep',
      failedFolder: 'failed',
      otherFiles: 'leave',
      existingOutputs: 'number',
      runAs: '',
      sweepMs,
      parallel,
      maxBatch: 100,
      readiness: { enabled: false, settleMs: 0, sizeCheckMs: 0, extensions: [] },
    };
    const scanner = new FolderScanner({
      settings,
      log: silentLog,
      clock: { now: () => new Date() },
      principal: async () => robot,
      jobs: async () => jobs,
      needsOf: () => [],
      ownerOf: () => '',
      pipelines: {
        verify: async () =>
          ({
            steps: [{ entry: { operation: { accepts: ['pdf'], files: 'each' } } }],
            accepts: ['pdf'],
          }) as unknown as PipelineReport,
      },
      ...more,
    });
    scanners.push(scanner);
    await scanner.start();
  }

  it('process a file once when they are moved away and back meanwhile', async () => {
    const held = gate();
    work = () => held.opened;
    await writeFile(root('in', 'a.pdf'), '%PDF-1.4 a');
    await watch({}, 2);
    await until(() => worked[0]);
    await rename(root('in'), join(base, 'away'));
    await delay(500);
    await rename(join(base, 'away'), root('in'));
    await delay(500);
    held.open();
    await until(async () => ((await list('watched', 'in', 'done')).length === 2 ? true : undefined));
    await writeFile(root('in', 'b.pdf'), '%PDF-1.4 b');
    await until(async () => ((await list('watched', 'in', 'done')).length === 4 ? true : undefined));
    expect(worked.map(({ name }) => name)).to.deep.equal(['a.pdf', 'b.pdf']);
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf', 'b.pdf']);
  });

  it('process a file with the pipeline that is there when its turn comes, also behind many others', async () => {
    const held = gate();
    work = () => held.opened;
    for (const name of ['a', 'b', 'c']) await writeFile(root('in', `${name}.pdf`), `%PDF-1.4 ${name}`);
    await watch({ planMs: 100 });
    await until(() => worked[0]);
    await writeFile(root('in', 'pipeline.json'), '{"pipeline":[],"name":"two"}');
    await delay(300);
    held.open();
    await until(async () => ((await list('watched', 'in', 'done')).length === 6 ? true : undefined));
    expect(worked.map(({ name, text }) => [name, (JSON.parse(text) as { name: string }).name])).to.deep.equal([
      ['a.pdf', 'one'],
      ['b.pdf', 'two'],
      ['c.pdf', 'two'],
    ]);
  });

  it('report each run that has ended, with its account, its duration and its first error', async () => {
    const ends: FolderRunEnd[] = [];
    work = async (name) => {
      if (name === 'bad.pdf') throw new InputError('PDF_DAMAGED');
    };
    for (const name of ['bad', 'good']) await writeFile(root('in', `${name}.pdf`), `%PDF-1.4 ${name}`);
    await watch({
      ended: (end) => void ends.push(end),
    });
    await until(() => ends.length === 2 || undefined);
    expect(ends.map(({ folder, principal, fault }) => [folder, principal.name, fault?.code])).to.have.deep.members([
      ['in', 'robot', 'PDF_DAMAGED'],
      ['in', 'robot', undefined],
    ]);
    expect(ends.every(({ ms, run }) => ms >= 0 && run !== '')).to.equal(true);
  });

  it('continue after the store was unreachable for a moment', async () => {
    let failing = 0;
    const claim: NonNullable<FolderScanDeps['claim']> = async () => ({
      isHeld: async () => {
        if (failing-- > 0) throw new OperationalError('STORE_DOWN');
        return true;
      },
      release: async () => undefined,
    });
    const held = gate();
    work = (name) => (name === 'a.pdf' ? held.opened : Promise.resolve());
    await writeFile(root('in', 'a.pdf'), '%PDF-1.4 a');
    await watch({ claim });
    await until(() => worked[0]);
    failing = 1;
    await writeFile(root('in', 'b.pdf'), '%PDF-1.4 b');
    await until(() => (failing < 1 ? true : undefined));
    held.open();
    await until(async () => ((await list('finished', 'in')).length === 2 ? true : undefined));
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf', 'b.pdf']);
  });

  it('lose no output when a server that lost them finishes after another has taken over', async () => {
    const [held, lost, staged] = [gate(), gate(), gate()];
    let asked = false;
    work = () => held.opened;
    await writeFile(root('in', 'a.pdf'), '%PDF-1.4 a');
    const claim: FolderScanDeps['claim'] = async () => ({
      isHeld: () => lost.opened.then(() => false),
      release: async () => undefined,
    });
    await watch({ claim }, 1, 3_600_000);
    await until(() => worked[0]);
    await watch({
      claim: async () => ({
        isHeld: async () => {
          // The claim is checked before work starts and before the end is decided; by then the part file exists.
          asked = (await readdir(join(base, 'finished', 'in')).catch(() => [])).length > 0;
          if (asked) await staged.opened;
          return true;
        },
        release: async () => undefined,
      }),
    });
    // The second server waits for the job of the first one.
    await until(async () => {
      const [run = ''] = await list('watched', 'in', 'processing');
      return (await readFile(root('in', 'processing', run, 'run.json'), 'utf8')).includes('"attempts":2') || undefined;
    });
    held.open();
    // The first server finishes between the two.
    await until(() => asked || undefined);
    lost.open();
    await delay(300);
    staged.open();
    await until(async () => ((await list('watched', 'in', 'done')).length === 2 ? true : undefined));
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf']);
    expect(worked).to.have.length(1);
  });

  it('go on after a restart with the job that a run had started', async () => {
    const held = gate();
    work = () => held.opened;
    await writeFile(root('in', 'a.pdf'), '%PDF-1.4 a');
    await watch();
    await until(() => worked[0]);
    await scanners.pop()?.stop(0);
    expect(await list('watched', 'in')).to.deep.equal(['pipeline.json', 'processing']);
    held.open();
    await until(async () => (await jobs.list({ limit: 1, status: 'succeeded' })).jobs[0]);
    await watch();
    await until(async () => ((await list('watched', 'in', 'done')).length === 2 ? true : undefined));
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf']);
    expect(worked).to.have.length(1);
    // What is delivered is not kept twice.
    await until(async () => (await jobs.list({ limit: 1 })).jobs.length === 0 || undefined);
  });

  it('finish a run that a server without jobs for runs had begun', async () => {
    await mkdir(root('in', 'processing'));
    await writeFile(root('in', 'a.pdf'), '%PDF-1.4 a');
    const mark = markOf(await lstat(root('in', 'a.pdf'), { bigint: true }));
    const inputs = [{ name: 'a.pdf', mark }];
    const journal = RunJournal.prepare(root('in', 'processing'), inputs, [join(base, 'finished', 'in')], new Date());
    await journal.create();
    await rename(root('in', 'a.pdf'), join(journal.inputs, 'a.pdf'));
    await watch();
    await until(async () => ((await list('watched', 'in', 'done')).length === 2 ? true : undefined));
    const report = JSON.parse(await readFile(root('in', 'done', 'a.pdf.report.json'), 'utf8')) as object;
    expect(report).to.include({ run: journal.record.id, attempts: 2 });
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf']);
  });

  it('fail a file whose job was cancelled, and continue with the next', async () => {
    const held = gate();
    work = () => held.opened;
    for (const name of ['a', 'b']) await writeFile(root('in', `${name}.pdf`), `%PDF-1.4 ${name}`);
    await watch();
    const cancelled = await until(async () => (await jobs.list({ limit: 1, status: 'running' })).jobs[0]);
    expect(cancelled.inputs).to.deep.equal(['a.pdf']);
    await jobs.cancel(cancelled.jobId);
    await until(async () => ((await list('watched', 'in', 'failed')).length === 2 ? true : undefined));
    expect(
      (JSON.parse(await readFile(root('in', 'failed', 'a.pdf.report.json'), 'utf8')) as { error: object }).error,
    ).to.include({ code: 'CANCELLED' });
    held.open();
    await until(async () => ((await list('watched', 'in', 'done')).length === 2 ? true : undefined));
    expect(await list('finished', 'in')).to.deep.equal(['b.pdf']);
  });

  // Root may read every file, so there is no unreadable one.
  if (process.getuid?.() !== 0)
    it('continue past a file that they have no permission to read', async () => {
      for (const name of ['a', 'b']) await writeFile(root('in', `${name}.pdf`), `%PDF-1.4 ${name}`);
      await chmod(root('in', 'a.pdf'), 0);
      await watch();
      await until(async () =>
        (await list('watched', 'in', 'done')).length === 2 && (await list('watched', 'in', 'failed')).length === 2
          ? true
          : undefined,
      );
      expect(
        (JSON.parse(await readFile(root('in', 'failed', 'a.pdf.report.json'), 'utf8')) as { error: object }).error,
      ).to.deep.include({ code: 'INPUT_INVALID', status: 400, detail: 'the server has no permission to read "a.pdf"' });
    });
});
