import { expect } from 'chai';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { field, file, json, post, send } from '../support/client.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { until } from '../support/server.js';

const API = '/api/v1';

interface Usage {
  readonly used: number;
  readonly pending: number;
}

describe('The allowance of a server that is killed', () => {
  let base: string;
  let pdf: Uint8Array;
  const servers: ServerProcess[] = [];
  before(async () => {
    base = makeBase({
      limits: { workers: 2, workersForShortCalls: 0 },
      licence: { allowance: 100, allowancePeriod: 'month' },
    });
    pdf = await makePdf({ pages: 1 });
  });
  after(() => {
    servers.forEach(({ child }) => child.kill('SIGKILL'));
    rmSync(base, { recursive: true, force: true });
  });

  async function start(): Promise<ServerProcess> {
    const server = await startProcess(base);
    servers.push(server);
    expect(server.url, server.text()).not.to.equal('');
    return server;
  }

  const usage = async ({ url }: ServerProcess): Promise<Usage> => json<Usage>(await send(`${url}${API}/admin/usage`));
  const pipeline = (
    { url }: ServerProcess,
    operation: string,
    parameters: object,
    query = '',
  ): ReturnType<typeof post> =>
    post(`${url}${API}/pipeline/handleData${query}`, [
      file(pdf),
      field('json', JSON.stringify({ pipeline: [{ operation: `${API}/${operation}`, parameters }] })),
    ]);
  const begun = (mark: string): Promise<void> =>
    until('the work has begun', () => existsSync(mark) && readFileSync(mark, 'utf8') !== '');

  it('keeps charges of finished work, refunds running direct calls, charges a repeated job once', async () => {
    const server = await start();
    expect((await pipeline(server, 'general/rotate-pdf', { angle: 90 })).status).to.equal(200);
    const [callMark, jobMark] = [join(base, 'call'), join(base, 'job')];
    const cut = pipeline(server, 'misc/unruly-slow', { ms: 30_000, mark: callMark }).catch(() => 'cut');
    const { jobId } = json<{ jobId: string }>(
      await pipeline(server, 'misc/unruly-slow', { ms: 1500, mark: jobMark }, '?async=true'),
    );
    await Promise.all([begun(callMark), begun(jobMark)]);
    expect(await usage(server)).to.deep.include({ used: 3, pending: 2 });
    server.child.kill('SIGKILL');
    expect(await cut).to.equal('cut');
    await server.exit;

    const next = await start();
    await until(
      'the job is done',
      async () => json<{ complete?: boolean }>(await send(`${next.url}${API}/general/job/${jobId}`)).complete === true,
    );
    expect((await send(`${next.url}${API}/general/job/${jobId}/result`)).status).to.equal(200);
    expect(await usage(next)).to.deep.include({ used: 2, pending: 0 });
    next.child.kill('SIGTERM');
    await next.exit;
  });
});
