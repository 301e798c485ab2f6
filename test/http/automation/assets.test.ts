import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { AutomationServer } from '../support/automations.js';
import { expectProblem, field, file, json, pointers, post, type Answer } from '../support/client.js';
import { addUser, bossName, bossPassword, sendFields, sessionOf } from '../support/login.js';
import { API } from '../support/pipelines.js';
import { until } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

interface ShownAsset {
  readonly id: string;
  readonly fileName: string;
  readonly kind: string;
  readonly size: number;
  readonly owner: string | null;
}

/** One red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const upload = (on: AutomationServer, headers?: Headers, bytes: Uint8Array = png, name = 'seal.png'): Promise<Answer> =>
  post(`${on.url}${API}/policies/assets`, [file(bytes, name, 'file')], headers ?? on.headers);
const stored = async (on: AutomationServer, headers?: Headers): Promise<ShownAsset> => {
  const answer = await upload(on, headers);
  expect(answer.status, answer.body.toString()).to.equal(200);
  return json<ShownAsset>(answer);
};
const stamp = (fileParameters: object) => ({
  operation: `${API}/misc/add-stamp`,
  parameters: { stampType: 'image' },
  fileParameters,
});
const stampWith = (id: string) => stamp({ stampImage: `asset:${id}` });
const saved = (name: string, step: object, more: object = {}) => ({
  name,
  title: 'Stamp',
  definition: { pipeline: [step] },
  ...more,
});

describe('Stored files for steps', () => {
  const on = new AutomationServer();
  const other = new AutomationServer();
  before(async () => {
    await on.start({ policies: { assetBytesPerOwner: 5000 } });
    await other.start();
  });
  after(async () => {
    await on.server.stop();
    await other.server.stop();
  });

  it('are uploaded, listed, downloaded and deleted', async () => {
    const asset = await stored(on);
    expect(asset).to.deep.include({ fileName: 'seal.png', kind: 'png', size: png.length, owner: null, teamId: null });
    expect(json<ShownAsset[]>(await on.get('policies/assets')).map(({ id }) => id)).to.include(asset.id);
    const content = await on.get(`policies/assets/${asset.id}/content`);
    expect(content.body.equals(png)).to.equal(true);
    expect(content.headers['content-disposition']).to.match(/^attachment;.*seal\.png/);
    expect((await on.delete(`policies/assets/${asset.id}`)).status).to.equal(204);
    expectProblem(await on.delete(`policies/assets/${asset.id}`), 404, 'NOT_FOUND');
    expectProblem(await on.get(`policies/assets/${asset.id}/content`), 404, 'NOT_FOUND');
    expectProblem(await on.get('policies/assets/other/content'), 400, 'INPUT_INVALID');
  });

  it('are refused when empty, missing, too large, or more than an owner may have', async () => {
    expectProblem(await upload(on, {}, Buffer.alloc(0)), 400, 'INPUT_FILE_EMPTY');
    expectProblem(await post(`${on.url}${API}/policies/assets`, [field('name', 'x')]), 400, 'INPUT_FILE_MISSING');
    expectProblem(await upload(on, {}, Buffer.alloc(51 * 1024 * 1024)), 413, 'INPUT_TOO_LARGE');
    const problem = expectProblem(await upload(on, {}, Buffer.alloc(6000, 1)), 409, 'AUTOMATION_CONFLICT');
    expect(problem.detail).to.include('policies.assetBytesPerOwner');
  });

  it('are what a step of an automation receives, and cannot be deleted as long as it names them', async () => {
    const { id } = await stored(on);
    const source = await on.source();
    const work = { pipeline: [stampWith(id)] };
    const automation = await on.create({
      name: 'Stamps',
      work,
      inputs: [{ source }],
      destinations: [{ type: 'shelf', options: {} }],
    });
    expect(automation.work.pipeline).to.deep.equal(work.pipeline);
    await on.scan('a.pdf');
    await on.post(`automations/${automation.id}/trigger`);
    await until('the file is stamped', () => on.shelf.delivered.size === 1);
    expect([...on.shelf.delivered.values()][0]?.bytes).to.include('/Image');
    const inUse = expectProblem(await on.delete(`policies/assets/${id}`), 409, 'AUTOMATION_CONFLICT');
    expect(inUse.detail).to.include('the automation "Stamps"');
    await on.delete(`automations/${automation.id}`);
    // It is removed later: a job that began before may need it.
    expect(json<ShownAsset[]>(await on.get('policies/assets')).map((one) => one.id)).not.to.include(id);
    expect((await on.delete(`policies/assets/${id}`)).status).to.equal(204);
  });

  it('belong to the steps of policies and of single runs', async () => {
    const { id } = await stored(on);
    const steps = [stampWith(id)];
    const policy = json<{ id: string; steps: object[] }>(
      await on.send('policies', { name: 'P', enabled: false, steps }),
    );
    expect(policy.steps).to.deep.equal(steps);
    const pdf = file(await makePdf({ pages: 1 }));
    const run = await post(`${on.url}${API}/policies/run`, [pdf, field('json', JSON.stringify({ steps }))]);
    expect(run.status, run.body.toString()).to.equal(202);
    const { jobId } = json<{ jobId: string }>(run);
    const status = async () => json<{ status: string }>(await on.get(`policies/run/${jobId}`)).status;
    await until('the run has ended', async () => ['COMPLETED', 'FAILED'].includes(await status()));
    expect(await status()).to.equal('COMPLETED');
    await on.delete(`policies/${policy.id}`);
    await on.delete(`policies/assets/${id}`);
  });

  it('may be sent with a single run, under keys that its steps name', async () => {
    const pdf = file(await makePdf({ pages: 1 }));
    const steps = (key: string) => field('json', JSON.stringify({ steps: [stamp({ stampImage: key })] }));
    const key = (at: number, name: string) => field(`assets[${at}].key`, name);
    const asset = (at: number, bytes: Uint8Array = png, name = 'seal.png') => file(bytes, name, `assets[${at}].file`);
    const run = (...parts: Parameters<typeof post>[1]) => post(`${on.url}${API}/policies/run`, [pdf, ...parts]);
    const good = await run(steps('seal'), key(3, 'seal'), asset(3), key(4, 'unused'), asset(4));
    expect(good.status, good.body.toString()).to.equal(202);
    expect(JSON.stringify(good.headers)).to.include('unused').and.not.include('"seal"');
    const { jobId } = json<{ jobId: string }>(good);
    interface View {
      readonly status: string;
      readonly outputs: readonly { readonly fileId: string }[];
    }
    const view = async () => json<View>(await on.get(`policies/run/${jobId}`));
    await until('the run has ended', async () => ['COMPLETED', 'FAILED'].includes((await view()).status));
    const { status, outputs } = await view();
    expect(status).to.equal('COMPLETED');
    expect((await on.get(`general/files/${outputs[0]?.fileId}`)).body.toString('latin1')).to.include('/Image');
    const streamed = await post(`${on.url}${API}/policies/run/stream`, [pdf, steps('seal'), key(0, 'seal'), asset(0)]);
    expect(streamed.body.toString()).to.include('event: completed');

    const refused = async (...parts: Parameters<typeof post>[1]): Promise<string[]> => {
      const answer = await run(...parts);
      return pointers(expectProblem(answer, 400, json<{ code: string }>(answer).code));
    };
    expect(await refused(steps('seal'), key(0, 'seal'))).to.deep.equal(['/assets[0].file']);
    expect(await refused(steps('seal'), asset(1))).to.deep.equal(['/assets[1].key']);
    expect(await refused(steps('seal'), key(0, ' '), asset(0))).to.deep.equal(['/assets[0].key']);
    expect(await refused(steps('seal'), key(0, 'seal'), asset(0), asset(0))).to.deep.equal(['/assets[0].file']);
    expect(await refused(steps('seal'), key(0, 'seal'), asset(0, Buffer.alloc(0)))).to.deep.equal(['/assets[0].file']);
    expect(await refused(steps('seal'), key(0, `asset:${'0'.repeat(32)}`), asset(0))).to.deep.equal(['/assets[0].key']);
    const place = ['/steps/0/fileParameters/stampImage'];
    expect(await refused(steps('other'), key(0, 'seal'), asset(0))).to.deep.equal(place);
    expect(await refused(steps('seal'), key(0, 'seal'), asset(0), key(1, 'seal'), asset(1))).to.deep.equal(place);
    expect(await refused(steps('seal'), key(0, 'seal'), asset(0, Buffer.from('x'), 'a.txt'))).to.deep.equal(place);
  });

  it('are checked before a pipeline is saved or run', async () => {
    const { id } = await stored(on);
    const refused = async (step: object): Promise<string[]> =>
      pointers(
        expectProblem(
          await on.send('automations', { name: 'Wrong', work: { pipeline: [step] } }),
          400,
          'AUTOMATION_INVALID',
        ),
      );
    const at = '/work/pipeline/0/fileParameters';
    const unknown = '0'.repeat(32);
    expect(await refused(stampWith(unknown))).to.deep.equal([`${at}/stampImage`]);
    expect(await refused(stamp({ stampImage: 'seal' }))).to.deep.equal([`${at}/stampImage`]);
    expect(await refused(stamp({ stampImage: [`asset:${id}`, `asset:${id}`] }))).to.deep.equal([`${at}/stampImage`]);
    expect(await refused(stamp({ stampImage: `asset:${id}`, image: `asset:${id}` }))).to.deep.equal([`${at}/image`]);
    expect(await refused(stamp({}))).to.deep.equal(['/work/pipeline/0/parameters/stampImage']);
    const pdf = json<ShownAsset>(await upload(on, {}, await makePdf({ pages: 1 }), 'page.pdf'));
    expect(await refused(stampWith(pdf.id))).to.deep.equal([`${at}/stampImage`]);
    await on.delete(`policies/assets/${pdf.id}`);
    await on.delete(`policies/assets/${id}`);
  });

  it('that saved pipelines name are kept for all of their versions', async () => {
    const { id } = await stored(on);
    expect((await on.send('pipelines', saved('seal', stampWith(id)))).status).to.equal(201);
    const run = () => makePdf({ pages: 1 }).then((pdf) => post(`${on.url}${API}/tools/seal`, [file(pdf)]));
    expect((await run()).status).to.equal(200);
    const turn = { operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 } };
    expect((await on.send('pipelines/seal', saved('seal', turn), 'PUT')).status).to.equal(200);
    const inUse = expectProblem(await on.delete(`policies/assets/${id}`), 409, 'AUTOMATION_CONFLICT');
    expect(inUse.detail).to.include('the saved pipeline "seal"');
    expect((await on.delete('pipelines/seal')).status).to.equal(204);
    expect((await on.delete(`policies/assets/${id}`)).status).to.equal(204);
  });

  it('are named by exports, and found again by their content', async () => {
    const { id } = await stored(on);
    const { id: automation } = await on.create({ name: 'Moves', work: { pipeline: [stampWith(id)] } });
    const exported = (await on.get(`automations/${automation}/export`)).body;
    const imported = async () => {
      const answer = await post(`${other.url}${API}/automations/import`, [file(exported, 'moves.json')]);
      interface Finding {
        readonly kind: string;
        readonly pointer: string;
      }
      const report = json<{ entries: { automationId: string; findings: Finding[] }[] }>(answer);
      const [entry] = report.entries;
      const about = entry?.findings.filter(({ pointer }) => pointer.includes('fileParameters')) ?? [];
      return { findings: about.map(({ kind }) => kind), shown: await other.shown(entry?.automationId ?? '') };
    };
    const without = await imported();
    expect(without.findings).to.deep.equal(['todo']);
    expect(without.shown.work.pipeline[0]).not.to.have.property('fileParameters');
    const same = await stored(other);
    const found = await imported();
    expect(found.findings).to.deep.equal(['translated']);
    expect(found.shown.work.pipeline[0]).to.deep.equal(stampWith(same.id));
  });
});

describe('Stored files for steps while login is on', () => {
  const on = new AutomationServer();
  let mate: Headers;
  let stranger: Headers;

  before(async () => {
    await on.start({ security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } } });
    const boss = (on.headers = await sessionOf(on));
    for (const name of ['mate', 'stranger']) await addUser(on, boss, name);
    mate = await sessionOf(on, 'mate', 'password of mate');
    stranger = await sessionOf(on, 'stranger', 'password of stranger');
    const { teamId } = json<{ teamId: number }>(await sendFields(on, `${API}/team/create`, { name: 'Others' }, boss));
    const { id } = json<{ user: { id: number } }>(await on.get('auth/me', stranger)).user;
    await sendFields(on, `${API}/team/addUser`, { teamId: String(teamId), userId: String(id) }, boss);
    stranger = await sessionOf(on, 'stranger', 'password of stranger');
  });
  after(() => on.server.stop());

  it('are uploaded, read and deleted by administrators, and seen and used by their team alone', async () => {
    const { id, owner } = await stored(on);
    expect(owner).to.equal(bossName);
    expect(json<ShownAsset[]>(await on.get('policies/assets', mate)).map((one) => one.id)).to.deep.equal([id]);
    expectProblem(await upload(on, mate), 403, 'AUTOMATION_READ_ONLY');
    expectProblem(await on.get(`policies/assets/${id}/content`, mate), 403, 'AUTOMATION_READ_ONLY');
    expectProblem(await on.delete(`policies/assets/${id}`, mate), 403, 'AUTOMATION_READ_ONLY');
    expect(json(await on.get('policies/assets', stranger))).to.deep.equal([]);
    expectProblem(await on.delete(`policies/assets/${id}`, stranger), 404, 'NOT_FOUND');
    expect((await on.send('pipelines', saved('ours', stampWith(id)), 'POST', mate)).status).to.equal(201);
    const foreign = await on.send('pipelines', saved('theirs', stampWith(id)), 'POST', stranger);
    expect(pointers(expectProblem(foreign, 400, 'PIPELINE_INVALID'))).to.deep.equal([
      '/definition/pipeline/0/fileParameters/stampImage',
    ]);
    await on.delete('pipelines/ours', mate);
    await on.delete(`policies/assets/${id}`);
  });

  it('come with a saved pipeline to those with whom it is shared', async () => {
    const { id } = await stored(on);
    const share = (sharedWith: object[]) => saved('shared', stampWith(id), { sharedWith });
    const everyone = [{ kind: 'everyone', right: 'use' }];
    expect((await on.send('pipelines', share(everyone))).status).to.equal(201);
    const run = async () => {
      const pdf = file(await makePdf({ pages: 1 }));
      return post(`${on.url}${API}/tools/shared`, [pdf], stranger);
    };
    const ran = await run();
    expect(ran.status, ran.body.toString()).to.equal(200);
    expect((await on.send('pipelines/shared', share([]), 'PUT')).status).to.equal(200);
    expectProblem(await run(), 404, 'NOT_FOUND');
  });
});
