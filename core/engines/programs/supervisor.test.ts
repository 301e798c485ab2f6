import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { chmodSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { QuireError } from '@quire/registry/errors';
import { loadSettings } from '../../settings/index.js';
import { programsIn } from '../../../test/suites/programs-in.js';
import { findProgram } from '../../isolation/index.js';
import { ProgramSupervisor } from './index.js';

/** Ids of running processes with these words in their command line. */
const runningIn = (folder: string, words = ''): number[] =>
  [...programsIn(folder)].filter(([, line]) => line.startsWith(words)).map(([pid]) => pid);

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error as QuireError).code ?? String(error),
  );
}

async function waitFor(condition: () => boolean, atMostMs = 25_000): Promise<void> {
  for (let tries = 0; tries < atMostMs / 20 && !condition(); tries++) await pause(20);
}

describe('program supervisor', () => {
  let folder: string;
  let programs: ProgramSupervisor;
  const signal = new AbortController().signal;
  const write = (name: string, script: string): void => {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  };
  const supervise = (env: Record<string, string> = {}): ProgramSupervisor =>
    new ProgramSupervisor(loadSettings({ env, cwd: folder }), quiet, `${join(folder, 'bin')}:/usr/bin:/bin`);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-programs-'));
    mkdirSync(join(folder, 'bin'));
    write(
      'qpdf',
      'case "$1" in pid) sleep 600 & wait;; stubborn) trap "" TERM; sleep 600 & while :; do wait; done;; fail) echo ' +
        'no >&2; exit 3;; big) head -c 300000 /dev/zero;; env) env | cut -d= -f1; pwd;; orphan) sleep 600 & ;; *) ' +
        'printf "%s|" "$@";; esac',
    );
    programs = supervise();
  });
  afterEach(async () => {
    await programs.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  it('finds programs on PATH, and at the place that is set', () => {
    expect(programs.has('qpdf')).to.equal(true);
    expect(programs.list().find(({ name }) => name === 'qpdf')?.path).to.equal(join(folder, 'bin', 'qpdf'));
    expect(programs.has('unheard-of')).to.equal(false);
    expect(
      supervise({ SYSTEM_CUSTOMPATHS_OPERATIONS_SOFFICE: join(folder, 'bin', 'qpdf') })
        .list()
        .find(({ name }) => name === 'libreoffice')?.path,
    ).to.equal(join(folder, 'bin', 'qpdf'));
    expect(supervise({ SYSTEM_CUSTOMPATHS_OPERATIONS_SOFFICE: '/nowhere/soffice' }).has('libreoffice')).to.equal(false);
  });

  it('prints HTML as often at once, and for as many minutes, as the settings of WeasyPrint say', async () => {
    const limited = supervise({
      BROWSER_PATH: join(folder, 'bin', 'qpdf'),
      PROCESSEXECUTOR_SESSIONLIMIT_WEASYPRINTSESSIONLIMIT: '1',
      PROCESSEXECUTOR_TIMEOUTMINUTES_WEASYPRINTTIMEOUTMINUTES: '2',
    });
    const first = await limited.enter('chromium', signal);
    expect(first.limit.limitMs).to.equal(120_000);
    const second = limited.enter('chromium', signal);
    await waitFor(() => limited.waiting('chromium') === 1);
    first.leave();
    (await second).leave();
  });

  it('names a program that is missing', async () => {
    programs = new ProgramSupervisor(loadSettings({ env: {}, cwd: folder }), quiet, '/nowhere');
    expect(await codeOf(programs.run('qpdf', [], { signal }))).to.equal('PROGRAM_MISSING');
    expect(await programs.version('qpdf')).to.equal(undefined);
  });

  it('hands arguments on as they are, without a shell', async () => {
    const { stdout } = await programs.run('qpdf', ['a b', '$(id)', '; id', '*', '"'], { signal });
    expect(stdout).to.equal('a b|$(id)|; id|*|"|');
  });

  it('refuses arguments that hold a line break or NUL', async () => {
    for (const bad of ['a\nb', 'a\rb', 'a\0b'])
      expect(await codeOf(programs.run('qpdf', [bad], { signal }))).to.equal('INTERNAL');
  });

  it("shows the program nothing of the server's own environment", async () => {
    process.env['QUIRE_TEST_SECRET'] = 'x';
    const { stdout } = await programs.run('qpdf', ['env'], { signal, env: { EXTRA: '1' } });
    delete process.env['QUIRE_TEST_SECRET'];
    const names = stdout.trim().split('\n');
    expect(names).to.include.members(['PATH', 'HOME', 'TMPDIR', 'EXTRA']).and.not.include('QUIRE_TEST_SECRET');
  });

  it('tells a failed program from one that may end with that code', async () => {
    expect(await codeOf(programs.run('qpdf', ['fail'], { signal }))).to.equal('DOCUMENT_UNPROCESSABLE');
    expect(await programs.run('qpdf', ['fail'], { signal, okCodes: [0, 3] })).to.deep.include({
      code: 3,
      stderr: 'no\n',
    });
  });

  it('keeps the beginning of a long output and reads the rest away', async () => {
    expect((await programs.run('qpdf', ['big'], { signal })).stdout).to.have.length(65_536);
  });

  it('ends the whole process group when the work is cancelled', async () => {
    const controller = new AbortController();
    const running = codeOf(programs.run('qpdf', ['pid'], { signal: controller.signal }));
    await waitFor(() => runningIn(folder, 'sleep').length > 0);
    controller.abort();
    expect(await running).to.equal('CANCELLED');
    await waitFor(() => runningIn(folder).length === 0);
    expect(runningIn(folder)).to.deep.equal([]);
  });

  it('kills a program that ignores the request to end', async () => {
    expect(await codeOf(programs.run('qpdf', ['stubborn'], { signal, timeoutMs: 300 }))).to.equal('TIMEOUT');
    await waitFor(() => runningIn(folder).length === 0);
    expect(runningIn(folder)).to.deep.equal([]);
  });

  it('ends what a program leaves behind', async () => {
    await programs.run('qpdf', ['orphan'], { signal });
    await waitFor(() => runningIn(folder).length === 0);
    expect(runningIn(folder)).to.deep.equal([]);
  });

  it('lets only as many run as the settings say, and refuses when the line is full', async () => {
    programs = supervise({ PROCESSEXECUTOR_SESSIONLIMIT_QPDFSESSIONLIMIT: '1' });
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const all = Array.from({ length: 52 }, () => codeOf(programs.run('qpdf', ['pid'], { signal: controller.signal })));
    expect(await all[51]).to.equal('QUEUE_FULL');
    await waitFor(() => runningIn(folder, 'sleep').length > 0);
    expect(programs.list().find(({ name }) => name === 'qpdf')).to.include({ running: 1, waiting: 50 });
    controller.abort();
    expect(new Set(await Promise.all(all.slice(0, 51)))).to.deep.equal(new Set(['CANCELLED']));
    expect(programs.list().find(({ name }) => name === 'qpdf')).to.include({ running: 0, waiting: 0 });
    expect((await programs.run('qpdf', ['ok'], { signal })).stdout).to.equal('ok|');
  });

  it('ends everything when the server stops', async () => {
    const running = codeOf(programs.run('qpdf', ['pid'], { signal }));
    await waitFor(() => runningIn(folder, 'sleep').length > 0);
    await programs.stop();
    expect(await running).to.equal('SHUTTING_DOWN');
    await waitFor(() => runningIn(folder).length === 0);
    expect(runningIn(folder)).to.deep.equal([]);
    expect(await codeOf(programs.run('qpdf', ['ok'], { signal }))).to.equal('SHUTTING_DOWN');
  });

  it('ends the program with a killed server (skipped where setpriv is not on PATH)', async function needsSetpriv() {
    if (findProgram('setpriv', '/usr/bin:/bin') === undefined) this.skip();
    this.timeout(60_000);
    write('gs', 'exec sleep 600');
    const here = new URL('.', import.meta.url).href;
    writeFileSync(
      join(folder, 'server.mjs'),
      `
      const { ProgramSupervisor } = await import('${here}index.ts');
      const { loadSettings } = await import('${here}../../settings/index.ts');
      const quiet = { debug() {}, info() {}, warn() {}, error() {} };
      const programs = new ProgramSupervisor(loadSettings({ env: {}, cwd: ${JSON.stringify(folder)}
}), quiet, ${JSON.stringify(`${join(folder, 'bin')}:/usr/bin:/bin`)});
      await programs.run('ghostscript', [], { signal: new AbortController().signal });`,
    );
    const server = spawn(
      process.execPath,
      ['--import', createRequire(import.meta.url).resolve('tsx'), join(folder, 'server.mjs')],
      { stdio: 'ignore' },
    );
    await waitFor(() => runningIn(folder, 'sleep').length > 0);
    expect(runningIn(folder, 'sleep')).to.have.length(1);
    server.kill('SIGKILL');
    await waitFor(() => runningIn(folder).length === 0);
    expect(runningIn(folder)).to.deep.equal([]);
  });

  it('hands the reason of an abort on when it is coded', async () => {
    const { OperationalError } = await import('@quire/registry/errors');
    expect(
      await codeOf(
        programs.run('qpdf', ['pid'], {
          signal: AbortSignal.abort(new OperationalError('TIMEOUT', { seconds: 1 })),
        }),
      ),
    ).to.equal('TIMEOUT');
  });

  it('finds what npm brings before what is on PATH, unless a place is set', async () => {
    write('chromium', 'echo "Chromium 1.2.3"');
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    const usual = supervise();
    if (`${process.platform}-${process.arch}` === 'linux-x64') {
      expect(usual.list().find(({ name }) => name === 'chromium')?.path).to.match(
        /@sparticuz\/chromium\/bin\/chromium\.br$/,
      );
      expect(usual.whereabouts('chromium').installed).to.equal(join(folder, 'bin', 'chromium'));
      expect(usual.whereabouts('chromium').package).to.satisfy((path: string) => entry.startsWith(path));
      expect(await usual.version('chromium')).to.match(/^chromium \d+\.\d+\.\d+ \(npm\)$/);
    }
    const set = supervise({ BROWSER_PATH: join(folder, 'bin', 'qpdf') });
    expect(set.whereabouts('chromium')).to.deep.equal({ package: undefined, installed: join(folder, 'bin', 'qpdf') });
    expect(supervise({ ENDPOINTS_GROUPSTOREMOVE: 'Weasyprint' }).has('chromium')).to.equal(false);
  });

  it('talks to a program that stays through pipes of its own, and ends it with all others', async () => {
    write('chromium', 'read line <&3; echo "heard $line" >&4; sleep 600 & wait');
    let cleaned = 0;
    const own = join(folder, 'own');
    mkdirSync(own);
    const group = await programs.start('chromium', [], {
      cwd: own,
      file: join(folder, 'bin', 'chromium'),
      talks: 'pipes',
      cleanUp: async () => void cleaned++,
    });
    const answer = new Promise<string>((resolve) =>
      group.talk?.from.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    group.talk?.to.write('hello\n');
    expect(await answer).to.equal('heard hello\n');
    await programs.stop();
    expect([runningIn(folder), cleaned]).to.deep.equal([[], 1]);
  });
});
