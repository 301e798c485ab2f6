import { expect } from 'chai';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTree } from '../../../core/semaphore/index.js';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { isAlive, quiet, startServer, until, type TestServer } from '../support/server.js';

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
};
const part = (name: string): string => `Content-Disposition: form-data; name="${name}"\r\n\r\n`;
const mark = join(tmpdir(), `quire-worker-mark-${process.pid}`);

describe('Worker processes', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  const call = (path: string, ...fields: readonly [string, string][]): Promise<Answer> =>
    post(`${server.url}/api/v1/${path}`, [file(pdf), ...fields.map(([name, value]) => field(name, value))]);

  before(async () => {
    server = await startServer({
      limits: { workers: 2, workerMemoryMb: 400, workerRunsBeforeRecycle: 5 },
      operations: { 'misc/unruly-loop': { timeout: '1s' }, 'misc/unruly-wait': { timeout: '1s' } },
    });
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  beforeEach(() => rmSync(mark, { force: true }));
  afterEach(() => quiet(server));

  it('fail one call when one is killed from outside, and are replaced', async () => {
    const doomed = call('misc/unruly-slow', ['ms', '1500'], ['mark', mark]);
    await until('the work has begun', () => existsSync(mark) && readFileSync(mark, 'utf8') !== '');
    const bystander = call('misc/unruly-slow', ['ms', '500']);
    const pid = Number(readFileSync(mark, 'utf8'));
    expect(server.workerPids()).to.include(pid);
    process.kill(pid, 'SIGKILL');
    const problem = expectProblem(await doomed, 500, 'WORKER_LOST');
    expect(problem.detail).not.to.match(/SIGKILL|pid|\d{3,}/);
    expect((await bystander).status).to.equal(200);
    expect((await call('general/rotate-pdf')).status).to.equal(200);
    expect(server.workerPids()).not.to.include(pid);
  });

  it('may be killed while they are idle', async () => {
    await call('general/rotate-pdf');
    for (const pid of server.workerPids()) process.kill(pid, 'SIGKILL');
    await until('the server has noticed', () => server.workerPids().every(isAlive));
    expect((await call('general/rotate-pdf')).status).to.equal(200);
  });

  it('start while the call is still being received', async () => {
    for (const pid of server.workerPids()) process.kill(pid, 'SIGKILL');
    await until('no worker is left', () => server.workerPids().length === 0);
    const [before, after] = [
      `--x\r\n${part('fileInput"; filename="a.pdf')}`,
      `\r\n--x\r\n${part('angle')}90\r\n--x--\r\n`,
    ];
    const sent = request(`${server.url}/api/v1/general/rotate-pdf`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    const answered = once(sent, 'response');
    sent.write(before);
    await until('a worker has started', () => server.workerPids().length === 1);
    sent.end(Buffer.concat([pdf, Buffer.from(after)]));
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).to.equal(200);
    expect(server.workerPids()).to.have.length(1);
  });

  it('fail one call when they exit by themselves', async () => {
    for (const how of ['exit', 'reject']) {
      expectProblem(await call('misc/unruly-crash', ['how', how]), 500, 'WORKER_LOST');
      expect((await call('general/rotate-pdf')).status).to.equal(200);
    }
  });

  it('report the document as the cause when its engine aborts', async () => {
    expectProblem(await call('misc/unruly-crash', ['how', 'abort']), 422, 'INPUT_TOO_COMPLEX');
    expect((await call('general/rotate-pdf')).status).to.equal(200);
  });

  it('are ended when they use too much memory outside the heap, and the server does not grow', async () => {
    const before = process.memoryUsage().rss;
    const problem = expectProblem(await call('misc/unruly-eat'), 422, 'INPUT_TOO_COMPLEX');
    expect(problem.detail).to.contain('memory').and.to.contain('400 MB');
    expect(process.memoryUsage().rss - before).to.be.below(100 * 1024 * 1024);
    expect((await call('general/rotate-pdf')).status).to.equal(200);
  });

  for (const how of ['wasm', 'shared', 'small', 'burst'])
    it(`are ended when they use too much memory of the kind ${how}, while another works on`, async function () {
      this.timeout(60_000);
      const bystander = call('misc/unruly-slow', ['ms', '1500']);
      await until('the other works', () => server.workerPids().length > 0);
      const problem = expectProblem(await call('misc/unruly-eat', ['how', how]), 422, 'INPUT_TOO_COMPLEX');
      expect(problem.detail).to.contain('memory');
      expect((await bystander).status).to.equal(200);
      expect((await call('general/rotate-pdf')).status).to.equal(200);
    });

  it('answer for the memory of the programs that they start, and end with them', async function () {
    this.timeout(60_000);
    const tails = (): number[] => processTree(process.pid).filter((pid) => commandOf(pid).includes('600m'));
    const problem = expectProblem(await call('misc/unruly-eat', ['how', 'program']), 422, 'INPUT_TOO_COMPLEX');
    expect(problem.detail).to.contain('400 MB');
    await until('the programs have ended', () => tails().length === 0);
    expect((await call('general/rotate-pdf')).status).to.equal(200);
  });

  it('are ended when they use too much heap', async function () {
    this.timeout(60_000);
    const answer = await call('misc/unruly-hoard');
    expect(['INPUT_TOO_COMPLEX', 'TIMEOUT']).to.include(json<{ code: string }>(answer).code);
    expect((await call('general/rotate-pdf')).status).to.equal(200);
  });

  it('are ended at the time limit when they loop forever, while others are served', async () => {
    const looping = call('misc/unruly-loop');
    const others = await Promise.all(Array.from({ length: 5 }, () => call('general/rotate-pdf')));
    expect(others.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
    expect((await send(`${server.url}/api/v1/info/status`)).status).to.equal(200);
    const problem = expectProblem(await looping, 504, 'TIMEOUT');
    expect(problem.detail).to.contain('1 seconds');
    expect((await call('general/rotate-pdf')).status).to.equal(200);
  });

  it('are not needed to enforce the time limit of work in the server', async () => {
    expectProblem(await call('misc/unruly-wait'), 504, 'TIMEOUT');
  });

  it('are all replaced when all loop at once', async function () {
    // Time limits count work, and three loops share the processors with everything else that runs.
    this.timeout(120_000);
    const loops = await Promise.all(Array.from({ length: 3 }, () => call('misc/unruly-loop')));
    for (const loop of loops) expectProblem(loop, 504, 'TIMEOUT');
    expect((await call('general/rotate-pdf')).status).to.equal(200);
  });

  it('are replaced after the configured number of runs', async () => {
    const seen = new Set<number>();
    for (let i = 0; i < 15; i++) {
      expect((await call('general/rotate-pdf')).status).to.equal(200);
      server.workerPids().forEach((pid) => seen.add(pid));
    }
    expect(seen.size).to.be.above(2);
    await until('the old ones are gone', () => [...seen].filter(isAlive).length <= 2);
  });

  it('see no environment variable of the server', async () => {
    await call('general/rotate-pdf');
    for (const pid of server.workerPids()) {
      const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
        .split('\0')
        .filter((entry) => entry !== '')
        .map((entry) => entry.split('=')[0]);
      expect(names).to.include('PATH');
      // A worker with UTC would not be in the zone of a server that has its zone from /etc/localtime.
      expect(names.includes('TZ'), 'TZ').to.equal('TZ' in process.env);
      // verification/nightly sets these in every process, independently of the server.
      const ofClock = (process.env['QUIRE_CLOCK_VARIABLES'] ?? '').split(' ');
      const allowed = [
        'PATH',
        'NODE_ENV',
        'LANG',
        'TZ',
        'TMPDIR',
        'MALLOC_ARENA_MAX',
        'MALLOC_TRIM_THRESHOLD_',
        'NODE_CHANNEL_FD',
        'NODE_CHANNEL_SERIALIZATION_MODE',
      ];
      for (const name of names) expect([...allowed, ...ofClock]).to.include(name);
    }
  });
});

describe('A busy server', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  const call = (path: string, ...fields: readonly [string, string][]): Promise<Answer> =>
    post(`${server.url}/api/v1/${path}`, [file(pdf), ...fields.map(([name, value]) => field(name, value))]);

  before(async () => {
    server = await startServer({
      limits: { workers: 2, workersForShortCalls: 0, queueLength: 2 },
      operations: { 'misc/unruly-slow': { concurrency: 1 } },
    });
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  /** Expects that of twelve long calls all are refused except these, which last until their client disconnects. */
  async function refusesAllBut(held: number, path: string): Promise<void> {
    const leave = Array.from({ length: 12 }, () => new AbortController());
    const refused: Answer[] = [];
    const calls = leave.map(({ signal }) =>
      post(`${server.url}/api/v1/${path}`, [file(pdf), field('ms', '600000')], {}, signal).then(
        (answer) => refused.push(answer),
        () => undefined,
      ),
    );
    await until('the others are refused', () => refused.length >= 12 - held);
    leave.forEach((one) => one.abort());
    await Promise.all(calls);
    expect(refused).to.have.length(12 - held);
    for (const answer of refused) {
      const problem = expectProblem(answer, 429, 'QUEUE_FULL');
      expect(Number(answer.headers['retry-after'])).to.be.at.least(1);
      expect(problem.detail).to.contain('try again');
    }
  }

  it('refuses what does not fit its queue with 429 and Retry-After', async () => {
    // Two run and two are queued.
    await refusesAllBut(4, 'misc/unruly-pause');
    expect((await call('general/rotate-pdf')).status).to.equal(200);
  });

  it('runs one operation concurrently up to its limit, and others beside it', async () => {
    const started = Date.now();
    const slow = Promise.all([
      call('misc/unruly-slow', ['ms', '600']),
      call('misc/unruly-slow', ['ms', '600']),
      call('misc/unruly-slow', ['ms', '600']),
    ]);
    expect((await call('general/rotate-pdf')).status).to.equal(200);
    expect((await slow).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(Date.now() - started).to.be.at.least(1750);
  });

  it('limits the queue of one operation too', async () => {
    await refusesAllBut(3, 'misc/unruly-slow');
  });
});
