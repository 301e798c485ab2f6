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

  it('keep a reserved worker, however many jobs are queued', async () => {
    await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf), field('angle', '90')]);
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const answer = await post(`${server.url}${API}/misc/unruly-slow`, [
        file(pdf),
        field('ms', '600000'),
        field('async', 'true'),
      ]);
      expect(answer.status).to.equal(200);
      ids.push(json<{ jobId: string }>(answer).jobId);
    }
    const statuses = async (): Promise<string[]> =>
      Promise.all(
        ids.map(
          async (id) =>
            json<{ status: string }>(await send(`${server.url}${API}/general/job/${encodeURIComponent(id)}`)).status,
        ),
      );
    await until('all jobs are running', async () => (await statuses()).every((status) => status === 'running'));
    expect((await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf), field('angle', '90')])).status).to.equal(
      200,
    );
    expect(await statuses(), 'the call was answered before the first of them ended').to.deep.equal([
      'running',
      'running',
      'running',
    ]);
    for (const id of ids) await send(`${server.url}${API}/general/job/${encodeURIComponent(id)}`, { method: 'DELETE' });
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
