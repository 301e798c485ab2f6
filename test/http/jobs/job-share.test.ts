import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { field, file, json, post, send } from '../support/client.js';
import { quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';

describe('Direct calls beside jobs', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  before(async () => {
    server = await startServer({ limits: { workers: 2 }, jobs: { concurrency: 3 } });
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const startSlow = async (ms = '600000'): Promise<string> => {
    const sent = [file(pdf), field('ms', ms), field('async', 'true')];
    const answer = await post(`${server.url}${API}/misc/unruly-slow`, sent);
    expect(answer.status).to.equal(200);
    return json<{ jobId: string }>(answer).jobId;
  };
  const addressOf = (id: string): string => `${server.url}${API}/general/job/${encodeURIComponent(id)}`;
  const statuses = async (ids: readonly string[]): Promise<string[]> =>
    Promise.all(ids.map(async (id) => json<{ status: string }>(await send(addressOf(id))).status));
  const callBeforeTheyEnd = async (ids: readonly string[]): Promise<void> => {
    const answer = await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf), field('angle', '90')]);
    expect(answer.status).to.equal(200);
    expect(await statuses(ids), 'the call was answered before the first of them ended').to.deep.equal(
      ids.map(() => 'running'),
    );
    for (const id of ids) await send(addressOf(id), { method: 'DELETE' });
  };

  it('keep a reserved worker, however many jobs are queued', async () => {
    await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf), field('angle', '90')]);
    const ids = [await startSlow(), await startSlow(), await startSlow()];
    await until('all jobs are running', async () => (await statuses(ids)).every((status) => status === 'running'));
    await callBeforeTheyEnd(ids);
  });

  it('get one more when jobs that used to be brief have all workers', async () => {
    // Brief work may use the reserved worker; this makes it so.
    for (let n = 0; n < 20; n++) {
      const brief = await startSlow('1');
      await until('it has ended', async () => (await statuses([brief]))[0] === 'succeeded');
    }
    const ids = [await startSlow(), await startSlow()];
    await until('all jobs are running', async () => (await statuses(ids)).every((status) => status === 'running'));
    await callBeforeTheyEnd(ids);
    await until('there are as many workers as before', () => server.workerPids().length <= 2);
  });

  it('report the single node', async () => {
    const { nodes } = json<{ nodes: { role: string; here: boolean; operations: Record<string, string> }[] }>(
      await send(`${server.url}${API}/admin/nodes`),
    );
    expect(nodes).to.have.length(1);
    expect(nodes[0]).to.include({ role: 'both', here: true });
    expect(Object.keys(nodes[0]?.operations ?? {})).to.include('general/rotate-pdf');
  });
});
