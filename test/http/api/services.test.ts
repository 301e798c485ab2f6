import { expect } from 'chai';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post, type Answer } from '../support/client.js';
import { isAlive, quiet, startServer, until, type TestServer } from '../support/server.js';

/** Replaces qpdf: copies its input, fails, or waits with a child until it is ended, as the input says. */
const script = (folder: string): string => `#!/bin/sh
for output; do input=$previous; previous=$output; done
if grep -q STAY "$input"; then sleep 600 & echo $! > '${folder}/child'; echo $$ > '${folder}/leader.new';
mv '${folder}/leader.new' '${folder}/leader'; wait; fi
if grep -q FAIL "$input"; then echo 'secret words' >&2; exit 2; fi
if grep -q HOPELESS "$input"; then cp '${folder}/good.pdf' "$output"; else cp "$input" "$output"; fi
`;

describe('Workers that call external programs', () => {
  let server: TestServer;
  let folder: string;
  const path = process.env['PATH'];
  const call = (how: string, content = 'COPY', signal?: AbortSignal, at = server): Promise<Answer> =>
    post(
      `${at.url}/api/v1/misc/unruly-program`,
      [file(Buffer.from(content), 'a.txt'), field('how', how), field('mark', join(folder, 'leader'))],
      {},
      signal,
    );
  const pid = (name: string): number => Number(readFileSync(join(folder, name), 'utf8'));
  const expectGone = (): void => {
    expect([isAlive(pid('leader')), isAlive(pid('child'))]).to.deep.equal([false, false]);
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-fake-programs-'));
    writeFileSync(join(folder, 'qpdf'), script(folder));
    chmodSync(join(folder, 'qpdf'), 0o755);
    writeFileSync(join(folder, 'good.pdf'), await makePdf({ pages: 2 }));
    process.env['PATH'] = [folder, path].join(delimiter);
    server = await startServer({ limits: { workers: 2 }, operations: { 'misc/unruly-program': { timeout: '10m' } } });
  });
  after(async () => {
    process.env['PATH'] = path;
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => ['leader', 'child'].forEach((name) => rmSync(join(folder, name), { force: true })));
  afterEach(() => quiet(server));

  it('get the output of a program for their file', async () => {
    const answer = await call('plain');
    expect([answer.status, answer.body.toString()]).to.deep.equal([200, 'COPY']);
  });

  it('repair a document with it that nothing else repairs', async () => {
    const answer = await post(`${server.url}/api/v1/misc/repair`, [
      file(Buffer.from('%PDF-1.7\n1 0 obj\n(HOPELESS)\nendobj\n')),
    ]);
    expect(answer.status).to.equal(200);
    expect(answer.body.equals(readFileSync(join(folder, 'good.pdf')))).to.equal(true);
    const report = JSON.parse(String(answer.headers['x-tool-report'])) as Record<string, string>;
    expect(report['engine']).to.equal('qpdf');
    expect(report['passedOver']).to.match(/^quire: .*; pdfium: .*; libpdf: /);
  });

  it('get the code of a failed program, and nothing of its output', async () => {
    const problem = expectProblem(await call('plain', 'FAIL'), 422, 'DOCUMENT_UNPROCESSABLE');
    expect(JSON.stringify(problem)).not.to.contain('secret');
  });

  it('reach no file outside the run and no service that was not declared', async () => {
    for (const how of ['foreign-input', 'foreign-output', 'undeclared'])
      expectProblem(await call(how, 'STAY'), 500, 'CONTRACT_BROKEN');
    expect(existsSync('/tmp/unruly-output')).to.equal(false);
    expect(existsSync(join(folder, 'leader')), 'no program ran').to.equal(false);
  });

  it('may end a program that takes too long, and continue', async () => {
    const answer = await call('impatient', 'STAY');
    expect([
      answer.status,
      json<{ ended: string }>({ ...answer, body: Buffer.from(String(answer.headers['x-tool-report'])) }).ended,
    ]).to.deep.equal([200, 'CANCELLED']);
    expectGone();
  });

  it('end it with them at the time limit, even when they do not respond', async () => {
    // Long enough for the program to start on a busy machine.
    const hasty = await startServer({
      limits: { workers: 1 },
      operations: { 'misc/unruly-program': { timeout: '4s' } },
    });
    try {
      for (const how of ['plain', 'loop']) {
        rmSync(join(folder, 'leader'), { force: true });
        expectProblem(await call(how, 'STAY', undefined, hasty), 504, 'TIMEOUT');
        expectGone();
      }
    } finally {
      await hasty.stop();
    }
  });

  it('end it when they die', async () => {
    expectProblem(await call('die', 'STAY'), 500, 'WORKER_LOST');
    expectGone();
  });

  it('leave none running when the client disconnects', async () => {
    const controller = new AbortController();
    const running = call('plain', 'STAY', controller.signal).catch(() => undefined);
    await until('the program runs', () => existsSync(join(folder, 'leader')));
    controller.abort();
    await running;
    await until('the program is gone', () => !isAlive(pid('leader')) && !isAlive(pid('child')));
  });
});
