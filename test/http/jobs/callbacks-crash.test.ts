import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { makePdf } from '../../kit/make-pdf.js';
import { field, file, json, post, send } from '../support/client.js';
import { makeBase, startProcess } from '../support/process.js';
import { startReceiver } from '../support/receiver.js';
import { until } from '../support/server.js';

const API = '/api/v1';

describe('Webhooks when the server is killed', () => {
  it('are sent after kill -9 at any moment: during the job, and during the call itself', async function () {
    this.timeout(60_000);
    const receiver = await startReceiver((response, { path }, count) => {
      // The first attempt of /held is open when the server dies.
      if (path !== '/held' || count > 1) response.end();
    });
    const basePath = makeBase({ outbound: { allowed: ['127.0.0.1'] } });
    let server = await startProcess(basePath);
    try {
      const pdf = await makePdf({ pages: 1 });
      const start = async (ms: string, path: string): Promise<string> =>
        json<{ jobId: string }>(
          await post(
            `${server.url}${API}/misc/unruly-slow`,
            [file(pdf), field('ms', ms), field('callbackUrl', `${receiver.url}${path}`)],
            { prefer: 'respond-async' },
          ),
        ).jobId;
      const held = await start('1', '/held');
      await until('the call is open', () => receiver.at('/held').length === 1);
      const working = await start('1500', '/working');
      await until(
        'the job is at work',
        async () =>
          json<{ status: string }>(await send(`${server.url}${API}/general/job/${working}`)).status === 'running',
      );
      server.child.kill('SIGKILL');
      await server.exit;
      server = await startProcess(basePath);
      await until(
        'both calls were received',
        () => receiver.at('/held').length === 2 && receiver.at('/working').length === 1,
      );
      expect(
        new Set(receiver.at('/held').map(({ headers }) => headers['webhook-id'])).size,
        'the same delivery id',
      ).to.equal(1);
      expect(receiver.at('/held')[0]?.body).to.equal(receiver.at('/held')[1]?.body);
      for (const jobId of [held, working])
        await until(
          'the delivery is recorded',
          async () =>
            json<{ callbacks: { status: string }[] }>(await send(`${server.url}${API}/general/job/${jobId}/callbacks`))
              .callbacks[0]?.status === 'delivered',
        );
      expect(server.text(), 'no address in the log').not.to.contain('/held').and.not.contain('/working');
    } finally {
      server.child.kill('SIGKILL');
      await server.exit;
      await receiver.stop();
      rmSync(basePath, { recursive: true, force: true });
    }
  });
});
