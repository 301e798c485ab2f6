import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, post, type Answer } from '../support/client.js';
import { quiet, startServer, type TestServer } from '../support/server.js';

/** Programs for each core that compute all the time. */
const LOAD = 3;

describe('A busy machine (skipped where the system does not report times of threads)', function suite() {
  this.timeout(300_000);
  let server: TestServer;
  let pdf: Uint8Array;
  let load: readonly ChildProcess[] = [];
  const call = (path: string, ...fields: readonly [string, string][]): Promise<Answer> =>
    post(`${server.url}/api/v1/${path}`, [file(pdf), ...fields.map(([name, value]) => field(name, value))]);

  before(async function start() {
    if (!existsSync('/proc/self/task') || !existsSync(`/proc/${process.pid}/schedstat`)) this.skip();
    server = await startServer({
      limits: { workers: 2, totalTimeFactor: 1000 },
      operations: {
        'misc/unruly-burn': { timeout: '1s' },
        'misc/unruly-loop': { timeout: '1s' },
        'misc/unruly-pause': { timeout: '1s' },
      },
    });
    pdf = await makePdf({ pages: 1 });
    // The start of a worker counts too.
    expect((await call('misc/unruly-slow', ['ms', '0'])).status).to.equal(200);
    load = Array.from({ length: LOAD * availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2);'], { stdio: 'ignore' }),
    );
  });
  const relieve = (): void => load.forEach((program) => program.kill('SIGKILL'));
  after(async () => {
    relieve();
    await (server as TestServer | undefined)?.stop();
  });
  afterEach(() => quiet(server));

  it('does not end work that got too little of the processor', async () => {
    // With a quarter of a core or less, it takes twice the time limit.
    const answer = await call('misc/unruly-burn', ['ms', '500']);
    expect(answer.status, answer.body.toString()).to.equal(200);
  });

  it('ends endless work all the same, and says how long it waited', async () => {
    const { detail } = expectProblem(await call('misc/unruly-loop'), 504, 'TIMEOUT');
    expect(detail).to.match(/the time limit of 1 seconds\. It took \d+, of which it waited \d+/);
  });

  it('ends work that computes nothing with its time limit', async () => {
    relieve();
    expectProblem(await call('misc/unruly-pause', ['ms', '600000']), 504, 'TIMEOUT');
  });
});
