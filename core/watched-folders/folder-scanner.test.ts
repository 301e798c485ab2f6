import { expect } from 'chai';
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InputError, OperationalError, type Principal } from '@quire/registry';
import { gate, silentLog, until } from '../../test/suites/job-harness.js';
import type { ChargedResult, PipelineReport } from '../operations/pipelines/index.js';
import type { FolderRunEnd } from './folder-run-deps.js';
import { FolderScanner, type FolderScanDeps } from './folder-scanner.js';
import type { ScanSettings } from './scan-settings.js';

/** A verified pipeline with its text. */
type Verified = PipelineReport & { readonly text: string };

describe('Watched folders of a server', () => {
  let base: string;
  const scanners: FolderScanner[] = [];
  /** The files that were processed: name, and text of the pipeline. */
  const worked: { readonly name: string; readonly text: string }[] = [];
  let work: (name: string) => Promise<void>;
  const root = (...way: string[]): string => join(base, 'watched', ...way);
  const list = async (...way: string[]): Promise<string[]> =>
    (await readdir(join(base, ...way)).catch(() => [])).filter((name) => !name.startsWith('.')).sort();

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-scanner-'));
    worked.length = 0;
    work = async () => undefined;
    await mkdir(root('in'), { recursive: true });
    await mkdir(join(base, 'scratch'));
    await writeFile(root('in', 'pipeline.json'), '{"pipeline":[],"name":"one"}');
  });
  afterEach(async () => {
    await Promise.all(scanners.splice(0).map((one) => one.stop(1000)));
    await rm(base, { recursive: true, force: true });
  });

  /** Starts watching; every run returns its one file unchanged. */
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
      limit: { limitMs: 20_000, totalTimes: 1 },
      readiness: { enabled: false, settleMs: 0, sizeCheckMs: 0, extensions: [] },
    };
    const scanner = new FolderScanner({
      settings,
      log: silentLog,
      clock: { now: () => new Date() },
      scratchRoot: join(base, 'scratch'),
      principal: async () => ({}) as Principal,
      pipelines: {
        verify: async (json): Promise<Verified> =>
          ({
            steps: [{ entry: { operation: { accepts: ['pdf'], files: 'each' } } }],
            accepts: ['pdf'],
            faults: [],
            ignored: [],
            text: String(json),
          }) as unknown as Verified,
        run: async (report, { files }): Promise<ChargedResult> => {
          const name = files[0]?.name ?? '';
          worked.push({ name, text: (report as Verified).text });
          await work(name);
          return {
            files,
            dropped: [],
            effects: [],
            warnings: [],
            charge: { settle: async () => undefined, refund: async () => undefined },
          } as unknown as ChargedResult;
        },
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
      principal: async () => ({ id: '1', name: 'robot', role: 'user', via: 'key' }),
    });
    await until(() => ends.length === 2 || undefined);
    expect(ends.map(({ folder, principal, fault }) => [folder, principal.name, fault?.code])).to.have.deep.members([
      ['in', 'robot', 'PDF_DAMAGED'],
      ['in', 'robot', undefined],
    ]);
    expect(ends.every(({ ms, run }) => ms >= 0 && run !== '')).to.equal(true);
  });

  it('continue after the store was unreachable for a moment', async () => {
    // Behaves like leases: one holder, kept alive until it is released.
    let holder: symbol | undefined;
    let failing = 0;
    const lease: NonNullable<FolderScanDeps['lease']> = async () => {
      if (holder !== undefined) return undefined;
      const mine = Symbol('holder');
      holder = mine;
      return {
        renew: async () => {
          if (failing-- > 0) throw new OperationalError('STORE_DOWN');
          return holder === mine;
        },
        release: async () => {
          if (holder === mine) holder = undefined;
        },
      };
    };
    const held = gate();
    work = (name) => (name === 'a.pdf' ? held.opened : Promise.resolve());
    await writeFile(root('in', 'a.pdf'), '%PDF-1.4 a');
    await watch({ lease });
    await until(() => worked[0]);
    failing = 1;
    await writeFile(root('in', 'b.pdf'), '%PDF-1.4 b');
    await until(() => (failing < 1 ? true : undefined));
    held.open();
    await until(async () => ((await list('finished', 'in')).length === 2 ? true : undefined));
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf', 'b.pdf']);
  });

  it('lose no output when a server that lost them finishes after another has taken over', async () => {
    const [late, staged] = [gate(), gate()];
    let asked = false;
    work = () => (worked.length === 1 ? late.opened : Promise.resolve());
    await writeFile(root('in', 'a.pdf'), '%PDF-1.4 a');
    await watch({ lease: async () => ({ renew: async () => false, release: async () => undefined }) }, 1, 3_600_000);
    await until(() => worked[0]);
    await watch({
      lease: async () => ({
        renew: async () => {
          // The lease is checked before work starts and before the end is decided; by then the part file exists.
          asked = (await readdir(join(base, 'finished', 'in')).catch(() => [])).length > 0;
          if (asked) await staged.opened;
          return true;
        },
        release: async () => undefined,
      }),
    });
    // The first server finishes between the two.
    await until(() => (asked ? true : undefined));
    late.open();
    await delay(300);
    staged.open();
    await until(async () => ((await list('watched', 'in', 'done')).length === 2 ? true : undefined));
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf']);
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
