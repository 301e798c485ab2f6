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

/** A verified pipeline that remembers its text. */
type Verified = PipelineReport & { readonly text: string };

describe('Watched folders of a server', () => {
  let base: string;
  const scanners: FolderScanner[] = [];
  /** What was worked on: the file's name and the pipeline's text. */
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

  /** Begins to watch; every run gives its one file back as it is. */
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
      runMs: 20_000,
      readiness: { enabled: false, settleMs: 0, sizeCheckMs: 0, extensions: [] },
    };
    const scanner = new FolderScanner({
      settings,
      log: silentLog,
      clock: { now: () => new Date() },
      scratchRoot: join(base, 'scratch'),
      principal: async () => ({}) as Principal,
      pipelines: {
        verify: (json): Verified =>
          ({
            steps: [{ entry: { operation: { accepts: ['pdf'], files: 'each' } } }],
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

  it('may be moved away and back while a file is at work: it is worked on once', async () => {
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

  it('are worked on with the pipeline that lies there when a file has its turn, also behind many others', async () => {
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

  it('tell of each run that has ended, with its account, its time and its first fault', async () => {
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

  it('are taken up again after the store did not answer for a moment', async () => {
    // As leases are: one holder, and kept alive until it is given back.
    let holder: symbol | undefined;
    let failing = 0;
    const right: NonNullable<FolderScanDeps['right']> = async () => {
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
    await watch({ right });
    await until(() => worked[0]);
    failing = 1;
    await writeFile(root('in', 'b.pdf'), '%PDF-1.4 b');
    await until(() => (failing < 1 ? true : undefined));
    held.open();
    await until(async () => ((await list('finished', 'in')).length === 2 ? true : undefined));
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf', 'b.pdf']);
  });

  it('lose no output when a server that lost them ends late, after another has taken over', async () => {
    const [late, staged] = [gate(), gate()];
    let asked = false;
    work = () => (worked.length === 1 ? late.opened : Promise.resolve());
    await writeFile(root('in', 'a.pdf'), '%PDF-1.4 a');
    await watch({ right: async () => ({ renew: async () => false, release: async () => undefined }) }, 1, 3_600_000);
    await until(() => worked[0]);
    await watch({
      right: async () => ({
        renew: async () => {
          // Asked before work is begun, and before the end is decided; the output then lies beside its place.
          asked = (await readdir(join(base, 'finished', 'in')).catch(() => [])).length > 0;
          if (asked) await staged.opened;
          return true;
        },
        release: async () => undefined,
      }),
    });
    // The first comes to its own end between the two.
    await until(() => (asked ? true : undefined));
    late.open();
    await delay(300);
    staged.open();
    await until(async () => ((await list('watched', 'in', 'done')).length === 2 ? true : undefined));
    expect(await list('finished', 'in')).to.deep.equal(['a.pdf']);
  });

  // Whoever runs as root may read everything: there is no such file then.
  if (process.getuid?.() !== 0)
    it('go on behind a file that nobody lets them read', async () => {
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
      ).to.deep.include({ code: 'INPUT_INVALID', status: 400, detail: 'the server has no right to read "a.pdf"' });
    });
});
