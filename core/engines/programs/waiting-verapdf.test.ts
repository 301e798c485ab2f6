import { expect } from 'chai';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../../test/suites/code-of.js';
import { isNightly } from '../../../test/suites/nightly.js';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { programsIn } from '../../../test/suites/programs-in.js';
import { loadSettings } from '../../settings/index.js';
import { ProgramSupervisor, VeraPdfValidator, WaitingVeraPdf } from './index.js';
import { firstDocument } from './verapdf-first-document.js';

const fixture = (name: string): string =>
  new URL(`../../../plugins/security/fixtures/${name}`, import.meta.url).pathname;
/** A script that prints its report, or waits for a document first and then does `work`. */
const server = (work: string): string =>
  'case "$*" in *--servermode*) echo "$PWD/.tmp/none.xml"; read path; touch .tmp/working; ' +
  `${work};; *) cat "$here/report.json";; esac`;

describe('a veraPDF that waits for the next document', function suite() {
  this.timeout(120_000);
  const { signal } = new AbortController();
  let base: string;
  let programs: ProgramSupervisor;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'quire (waiting) '));
    mkdirSync(join(base, 'bin'));
  });
  afterEach(async () => {
    await programs.stop();
    rmSync(base, { recursive: true, force: true });
  });
  const settings = (idleSeconds: number): ReturnType<typeof loadSettings> =>
    loadSettings({ env: { LIMITS_VALIDATORIDLESECONDS: `${idleSeconds}` }, cwd: base });
  const validator = (searchPath?: string, idleSeconds = 60): VeraPdfValidator => {
    programs = new ProgramSupervisor(settings(idleSeconds), keptLog(), searchPath);
    return new VeraPdfValidator(programs, new WaitingVeraPdf(programs, settings(idleSeconds)));
  };
  /** A validator that runs a shell script; `$here` is its folder. */
  const pretend = (script: string, idleSeconds?: number): VeraPdfValidator => {
    const fixtures = new URL('fixtures/', import.meta.url).pathname;
    const report = readFileSync(join(fixtures, 'verapdf-two-standards.json'), 'utf8');
    writeFileSync(join(base, 'bin', 'report.json'), report);
    writeFileSync(join(base, 'bin', 'other.json'), report.replaceAll('2b', '3b').replaceAll('2B', '3B'));
    writeFileSync(join(base, 'bin', 'verapdf'), `#!/bin/sh\nhere='${base}/bin'\n${script}\n`);
    chmodSync(join(base, 'bin', 'verapdf'), 0o755);
    return validator(`${join(base, 'bin')}:/usr/bin:/bin`, idleSeconds);
  };
  const input = (): string => fixture('pdfa-2b.pdf');
  const folders = (): string[] => readdirSync(join(base, 'data', 'tmp', 'verapdf'));
  const until = async (holds: () => boolean): Promise<void> => {
    for (let tries = 0; tries < 3000 && !holds(); tries++) await pause(20);
    expect(holds()).to.equal(true);
  };
  /** Waits until one of these processes waits for a document. */
  const whenWaiting = (): Promise<void> =>
    until(() => [...programsIn(base).values()].some((line) => line.includes('--servermode')));

  it('checks it, ends, and leaves nothing of it to the process after it', async () => {
    // The report of the server is another one, so that it shows which of the two checked the document.
    const checks = pretend(server('cp "$here/other.json" .tmp/r.xml; echo "$PWD/.tmp/r.xml"; sleep 60'));
    const standards = async (): Promise<string[]> =>
      (await checks.validate(input(), signal)).checks.map(({ name }) => name);
    expect(await standards()).to.deep.equal(['PDF/A-2b', 'PDF/UA-1']);
    const seen = new Set<string>();
    for (let round = 0; round < 2; round++) {
      await whenWaiting();
      for (const name of folders()) seen.add(name);
      expect(await standards()).to.deep.equal(['PDF/A-3b', 'PDF/UA-1']);
    }
    expect(seen.size, 'each process has a folder of its own').to.be.at.least(2);
    await programs.stop();
    expect(folders()).to.deep.equal([]);
    expect([...programsIn(base).values()]).to.deep.equal([]);
  });

  it('has the answer before it has ended, and keeps its place until then', async () => {
    const checks = pretend(server('cp "$here/other.json" .tmp/r.xml; echo "$PWD/.tmp/r.xml"; sleep 60'));
    const running = (): number => programs.list().find(({ name }) => name === 'verapdf')?.running ?? 0;
    await checks.validate(input(), signal);
    await whenWaiting();
    const [waiting = ''] = folders();
    expect((await checks.validate(input(), signal)).checks[0]?.name).to.equal('PDF/A-3b');
    expect(running()).to.equal(1);
    await until(() => running() === 0);
    expect(folders()).to.not.include(waiting);
    await whenWaiting();
  });

  it('does not count where it fails on the document: a new process checks it', async () => {
    for (const work of [
      'kill -KILL $$',
      'echo "$PWD/.tmp/missing.xml"; exit 0',
      'ln -s "$here/report.json" .tmp/link.xml; echo "$PWD/.tmp/link.xml"; sleep 60',
      'mkfifo .tmp/pipe.xml; echo "$PWD/.tmp/pipe.xml"; sleep 60',
      'cp "$here/report.json" in/0.xml; cp "$here/report.json" r.xml; echo "$PWD/r.xml"; sleep 60',
      'echo broken > .tmp/r.xml; echo "$PWD/.tmp/r.xml"; sleep 60',
    ]) {
      const checks = pretend(server(work.replaceAll('$here/report.json', '$here/other.json')));
      await checks.validate(input(), signal);
      await whenWaiting();
      const [waiting = ''] = folders();
      expect((await checks.validate(input(), signal)).checks[0]?.name, work).to.equal('PDF/A-2b');
      expect(folders(), work).to.not.include(waiting);
      await programs.stop();
    }
  });

  it('is not started again where the program does not know how to wait', async () => {
    const checks = pretend('case "$*" in *--servermode*) sleep 2; exit 2;; *) cat "$here/report.json";; esac');
    await checks.validate(input(), signal);
    await whenWaiting();
    await until(() => folders().length === 0);
    expect((await checks.validate(input(), signal)).checks).to.have.length(2);
    expect([...programsIn(base).values()]).to.deep.equal([]);
  });

  it('ends after the time that the settings say, and is never started with none', async () => {
    await pretend(server('sleep 60'), 1).validate(input(), signal);
    await whenWaiting();
    await until(() => folders().length === 0 && programsIn(base).size === 0);
    await programs.stop();
    await pretend(server('sleep 60'), 0).validate(input(), signal);
    await pause(300);
    expect(programsIn(base).size).to.equal(0);
  });

  it('ends when the call is cancelled', async () => {
    const checks = pretend(server('sleep 60'));
    await checks.validate(input(), signal);
    await whenWaiting();
    const cancel = new AbortController();
    const running = codeOf(checks.validate(input(), cancel.signal));
    await until(() =>
      folders().some((name) => existsSync(join(base, 'data', 'tmp', 'verapdf', name, '.tmp', 'working'))),
    );
    cancel.abort();
    expect(await running).to.equal('CANCELLED');
    await programs.stop();
    expect([folders(), programsIn(base).size]).to.deep.equal([[], 0]);
  });

  it('says the same as a new process does (skipped without veraPDF)', async function needsProgram() {
    const checks = validator();
    if (!programs.has('verapdf') || availableParallelism() < 2) return this.skip();
    const alone = new VeraPdfValidator(programs);
    writeFileSync(join(base, 'first.pdf'), firstDocument());
    const of = async (which: VeraPdfValidator, path: string): Promise<unknown> =>
      which.validate(path, signal).catch(({ code, message }: Error & { code: string }) => ({ code, message }));
    const first = (await of(alone, join(base, 'first.pdf'))) as { checks: { failures: { clause: string }[] }[] };
    expect(first.checks.flatMap(({ failures }) => failures.map(({ clause }) => clause))).to.deep.equal(['6.2.11.4.1']);
    await checks.validate(input(), signal);
    // In the nightly run also others that are alike: each document is checked by two starts of Java.
    const names = ['declares-2b-and-ua1.pdf', 'locked.pdf'];
    for (const name of isNightly ? [...names, 'header-only.pdf', 'pdfa-2b.pdf', 'letter.pdf'] : names) {
      await whenWaiting();
      expect(await of(checks, fixture(name)), name).to.deep.equal(await of(alone, fixture(name)));
    }
  });
});
