import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { AutomationServer } from '../support/automations.js';
import { expectProblem, json, pointers, send } from '../support/client.js';
import { API } from '../support/pipelines.js';
import { until } from '../support/server.js';

describe('Automations between folders and webhooks', () => {
  const on = new AutomationServer();
  let root: string;
  const folder = async (name: string): Promise<string> => {
    await mkdir(join(root, name), { recursive: true });
    return join(root, name);
  };
  const angleIn = async (path: string): Promise<number> =>
    (await PDFDocument.load(await readFile(path))).getPage(0).getRotation().angle;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'quire-connected-'));
    await on.start({
      policies: { allowedFolderRoots: [root], watchQuietPeriodMs: 50 },
      autoPipeline: { fileReadiness: { settleTimeMillis: 100, sizeCheckDelayMillis: 50 } },
    });
  });
  after(async () => {
    await on.server.stop();
    await rm(root, { recursive: true, force: true });
  });

  it('take a file that arrives in a folder and deliver it to another one', async () => {
    const [from, to] = [await folder('in'), await folder('out')];
    const source = await on.source({ type: 'folder', options: { directory: from } });
    const { id } = await on.create({
      name: 'Folders',
      inputs: [{ source, trigger: { type: 'arrival' } }],
      destinations: [{ type: 'folder', options: { directory: to } }],
    });
    await writeFile(join(from, 'a.pdf'), await makePdf({ pages: 1 }));
    await until('the result is there', async () => (await readdir(to)).includes('a.pdf'));
    expect(await angleIn(join(to, 'a.pdf'))).to.equal(90);
    await until('the input is removed', async () => !(await readdir(from)).includes('a.pdf'));
    await until('the file is delivered', async () => (await on.files(id))[0]?.state === 'delivered');
    await writeFile(join(from, 'a.pdf'), await makePdf({ pages: 1 }));
    await until('the second result has its own name', async () => (await readdir(to)).length === 2);
    await on.delete(`automations/${id}`);
  });

  it('never take their results, where source and destination are one folder', async () => {
    const same = await folder('same');
    const source = await on.source({ type: 'folder', options: { directory: same } });
    const { id } = await on.create({
      name: 'One folder',
      inputs: [{ source, trigger: { type: 'arrival' } }],
      destinations: [{ type: 'folder', options: { directory: same } }],
    });
    await writeFile(join(same, 'a.pdf'), await makePdf({ pages: 1 }));
    await until('the result is known', async () =>
      (await on.files(id)).some(({ reason }) => reason?.code === 'OWN_OUTPUT'),
    );
    const left = await readdir(same);
    expect(left).to.have.length(1);
    expect(await angleIn(join(same, left[0] ?? ''))).to.equal(90);
    await on.delete(`automations/${id}`);
  });

  it('take what a webhook receives', async () => {
    const to = await folder('received');
    const answer = await on.send('sources', { name: 'Hook', type: 'webhook' });
    const { id: source, options } = json<{ id: string; options: { webhookId: string; signingSecret: string } }>(answer);
    expect(json<{ options: object }>(await on.get(`sources/${source}`)).options).to.include({
      signingSecret: '********',
    });
    const { id } = await on.create({
      name: 'Hook',
      inputs: [{ source, trigger: { type: 'arrival' } }],
      destinations: [{ type: 'folder', options: { directory: to } }],
    });
    const body = Buffer.from(await makePdf({ pages: 1 }));
    const signature = createHmac('sha256', options.signingSecret).update(body).digest('hex');
    const delivered = await send(`${on.url}${API}/webhooks/${options.webhookId}`, {
      method: 'POST',
      body: body as never,
      headers: { 'content-type': 'application/pdf', 'x-signature': `sha256=${signature}`, 'x-filename': 'sent.pdf' },
    });
    expect(delivered.status, delivered.body.toString()).to.equal(202);
    await until('the result is there', async () => (await readdir(to)).includes('sent.pdf'));
    await on.delete(`automations/${id}`);
  });

  it('are refused for folders that are not allowed', async () => {
    const body = { name: 'Passwords', type: 'folder', options: { directory: '/etc' } };
    expect(pointers(expectProblem(await on.send('sources', body), 400, 'INPUT_INVALID'))).to.deep.equal([
      '/options/directory',
    ]);
  });
});
