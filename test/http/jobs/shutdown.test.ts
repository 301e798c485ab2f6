import { expect } from 'chai';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { Wire, field, file, formBody, json, post, send } from '../support/client.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { isAlive, leftovers, until } from '../support/server.js';

const API = '/api/v1';

interface Job {
  readonly complete: boolean;
  readonly status: string;
  readonly attempts: number;
}

describe('Shutdown', function suite() {
  this.timeout(120_000);
  const bases: string[] = [];
  const servers: ServerProcess[] = [];
  let pdf: Uint8Array;

  before(async () => {
    pdf = await makePdf({ pages: 2 });
  });
  afterEach(() => servers.splice(0).forEach(({ child }) => child.exitCode === null && child.kill('SIGKILL')));
  after(() => bases.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  function base(settings: Readonly<Record<string, unknown>> = {}): string {
    const folder = makeBase({ limits: { workers: 2 }, ...settings });
    bases.push(folder);
    return folder;
  }

  async function start(folder: string): Promise<ServerProcess> {
    const server = await startProcess(folder);
    servers.push(server);
    expect(server.url, server.text()).not.to.equal('');
    return server;
  }

  const slow = (ms: number, mark: string): ReturnType<typeof field>[] => [
    file(pdf),
    field('ms', String(ms)),
    field('mark', mark),
  ];
  const marked = (mark: string): Promise<void> =>
    until('the work has begun', () => existsSync(mark) && readFileSync(mark, 'utf8') !== '');
  const record = async (server: ServerProcess, id: string): Promise<Job> =>
    json<Job>(await send(`${server.url}${API}/general/job/${id}`));
  const startJob = async (server: ServerProcess, parts: Parameters<typeof post>[1]): Promise<string> =>
    json<{ jobId: string }>(await post(`${server.url}${API}/misc/unruly-slow?async=true`, parts)).jobId;

  it('finishes running requests at SIGTERM, accepts no new ones, and exits with code 0', async () => {
    const server = await start(base());
    const mark = join(server.basePath, 'mark');
    const running = post(`${server.url}${API}/misc/unruly-slow`, slow(2500, mark));
    await marked(mark);
    const worker = Number(readFileSync(mark, 'utf8'));
    const idle = await Wire.open(server.url);
    server.child.kill('SIGTERM');
    await until(
      'it refuses',
      async () => (await send(`${server.url}/readyz`).catch(() => ({ status: 0 }))).status !== 200,
    );
    const late = await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf)]).catch(() => undefined);
    if (late !== undefined) expect(late.status).to.equal(503);
    expect((await running).status).to.equal(200);
    expect(await server.exit, server.text()).to.equal(0);
    expect(isAlive(worker)).to.equal(false);
    expect(leftovers(server.basePath)).to.deep.equal([]);
    idle.close();
  });

  it('does not wait for idle connections', async () => {
    const server = await start(base());
    const wires = await Promise.all(Array.from({ length: 5 }, () => Wire.open(server.url)));
    wires[0]?.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    wires[1]?.write('POST / HTTP/1.1\r\nHost: lo');
    await until('the first has its answer', () => wires[0]?.status === 200);
    server.child.kill('SIGTERM');
    expect(
      await Promise.race([server.exit, new Promise((resolve) => setTimeout(() => resolve('too late'), 20_000))]),
      server.text(),
    ).to.equal(0);
    wires.forEach((wire) => wire.close());
  });

  it('does not wait for clients that follow what happens: their streams end', async () => {
    const server = await start(base());
    const list = await fetch(`${server.url}${API}/general/jobs/events`);
    expect(list.status).to.equal(200);
    const heard = list.text();
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.child.kill('SIGTERM');
    expect(
      await Promise.race([server.exit, new Promise((resolve) => setTimeout(() => resolve('too late'), 20_000))]),
      server.text(),
    ).to.equal(0);
    expect(await heard).to.contain('event: progress');
  });

  it('comes after the configured grace period, although work is in progress', async () => {
    const server = await start(base({ server: { port: 0, host: '127.0.0.1', shutdownSeconds: 1 } }));
    const mark = join(server.basePath, 'mark');
    const running = post(`${server.url}${API}/misc/unruly-slow`, [...slow(60_000, mark), field('deaf', 'true')]).catch(
      (error: Error) => error,
    );
    await marked(mark);
    const worker = Number(readFileSync(mark, 'utf8'));
    server.child.kill('SIGTERM');
    expect(
      await Promise.race([server.exit, new Promise((resolve) => setTimeout(() => resolve('too late'), 20_000))]),
      server.text(),
    ).to.equal(0);
    await running;
    await until('the worker is gone', () => !isAlive(worker));
  });

  it('returns a running job to the queue, and the next start finishes it', async () => {
    const folder = base({ server: { port: 0, host: '127.0.0.1', shutdownSeconds: 1 } });
    const first = await start(folder);
    const mark = join(folder, 'mark');
    const id = await startJob(first, slow(6000, mark));
    await marked(mark);
    first.child.kill('SIGTERM');
    expect(await first.exit, first.text()).to.equal(0);
    rmSync(mark);
    const second = await start(folder);
    await marked(mark);
    await until('the job is complete', async () => (await record(second, id)).complete);
    expect((await record(second, id)).status).to.equal('succeeded');
    expect((await send(`${second.url}${API}/general/job/${id}/result`)).body.equals(Buffer.from(pdf))).to.equal(true);
  });

  it('by SIGKILL during a job leaves a job that the next start finishes, no worker and no partial file', async () => {
    const folder = base();
    const first = await start(folder);
    const mark = join(folder, 'mark');
    const id = await startJob(first, slow(2000, mark));
    const waiting = await startJob(first, [file(pdf), field('ms', '1')]);
    await marked(mark);
    const worker = Number(readFileSync(mark, 'utf8'));
    first.child.kill('SIGKILL');
    expect(await first.exit).to.equal('SIGKILL');
    const second = await start(folder);
    expect(isAlive(worker), 'the worker of the killed server').to.equal(false);
    await until(
      'both jobs are complete',
      async () => (await record(second, id)).complete && (await record(second, waiting)).complete,
    );
    expect(await record(second, id)).to.include({ status: 'succeeded' });
    expect((await record(second, id)).attempts).to.be.within(1, 2);
    for (const each of [id, waiting])
      expect((await send(`${second.url}${API}/general/job/${each}/result`)).body.equals(Buffer.from(pdf))).to.equal(
        true,
      );
    expect(leftovers(folder)).to.deep.equal([]);
  });

  it('by SIGKILL keeps finished results', async () => {
    const folder = base();
    const first = await start(folder);
    const { jobId } = json<{ jobId: string }>(
      await post(`${first.url}${API}/general/split-pages?async=true`, [file(pdf)]),
    );
    await until('the job is complete', async () => (await record(first, jobId)).complete);
    const before = await send(`${first.url}${API}/general/job/${jobId}/result/files`);
    first.child.kill('SIGKILL');
    await first.exit;
    const second = await start(folder);
    expect(json(await send(`${second.url}${API}/general/job/${jobId}/result/files`))).to.deep.equal(json(before));
    expect((await send(`${second.url}${API}/general/job/${jobId}/result`)).status).to.equal(200);
  });

  it('is not caused by any client behaviour', async () => {
    const server = await start(base());
    const body = formBody([file(pdf), field('ms', '300')]);
    for (let round = 0; round < 30; round++) {
      const wire = (await Wire.open(server.url))
        .head(`${API}/misc/unruly-slow`, `Content-Length: ${body.length}`)
        .write(body.subarray(0, Math.ceil((body.length * (round + 1)) / 30)));
      await new Promise((resolve) => setTimeout(resolve, round * 5));
      if (round % 2 === 0) wire.socket.resetAndDestroy();
      else wire.close();
    }
    await until('nothing is left', () => leftovers(server.basePath).length === 0);
    expect((await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf)])).status).to.equal(200);
    server.child.kill('SIGTERM');
    expect(await server.exit, server.text()).to.equal(0);
    expect(server.text(), 'a line of the log').to.match(/\{"level":"info","time":"\d{4}-\d\d-\d\dT[\d:.]+Z"/);
    expect(
      server
        .text()
        .split('\n')
        .filter((line) => /"level":"(error|fatal)"/.test(line))
        .join('\n'),
    ).to.equal('');
  });

  it('works the same way when its output pipe is closed', async () => {
    const server = await start(base());
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    expect((await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf)])).status).to.equal(200);
    server.child.kill('SIGTERM');
    expect(await server.exit).to.equal(0);
  });

  it('works the same way when npm gets the signal', async () => {
    const server = await startProcess(base(), {}, ['npm', 'start']);
    servers.push(server);
    expect(server.url, server.text()).not.to.equal('');
    server.child.kill('SIGTERM');
    await until('the server has let go of its port', async () =>
      fetch(`${server.url}/livez`).then(
        () => false,
        () => true,
      ),
    );
    // The line is written before, but comes through the pipe of npm.
    await until('the stop is reported', () => server.text().includes('SIGTERM: finishing running work'));
  });
});
