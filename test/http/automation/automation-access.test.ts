import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { AutomationServer, turn } from '../support/automations.js';
import { expectProblem, field, file, json, post, type Answer } from '../support/client.js';
import { addUser, bossName, bossPassword, sendFields, sessionOf } from '../support/login.js';
import { API } from '../support/pipelines.js';
import { until } from '../support/server.js';

const login = {
  policies: { automationsPerOwner: 5, sourcesPerOwner: 5 },
  security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
};

describe('Automations with login', () => {
  const on = new AutomationServer();
  let boss: Readonly<Record<string, string>>;
  let mate: Readonly<Record<string, string>>;
  let stranger: Readonly<Record<string, string>>;

  before(async () => {
    await on.start(login);
    boss = on.headers = await sessionOf(on);
    for (const name of ['mate', 'stranger']) await addUser(on, boss, name);
    mate = await sessionOf(on, 'mate', 'password of mate');
    stranger = await sessionOf(on, 'stranger', 'password of stranger');
  });
  after(() => on.server.stop());

  it('belong to a team, whose members see and run them and whose administrators change them', async () => {
    const source = await on.source();
    const automation = await on.create({
      name: 'Ours',
      inputs: [{ source }],
      destinations: [{ type: 'shelf', options: {} }],
    });
    expect(automation).to.include({ owner: bossName, editable: true });
    const seen = await on.get(`automations/${automation.id}`, mate);
    expect(json(seen)).to.include({ name: 'Ours', editable: false });
    const body = { name: 'Mine', work: turn };
    for (const answer of [
      await on.send('automations', body, 'POST', mate),
      await on.send(`automations/${automation.id}`, body, 'PUT', mate),
      await on.delete(`automations/${automation.id}`, mate),
      await on.delete(`automations/${automation.id}/items`, mate),
      await on.send('sources', { name: 'S', type: 'box' }, 'POST', mate),
      await on.send('policies', { name: 'P', enabled: true, steps: turn.pipeline }, 'POST', mate),
    ])
      expectProblem(answer, 403, 'AUTOMATION_READ_ONLY');
    await on.scan('a.pdf');
    expect((await on.post(`automations/${automation.id}/trigger`, mate)).status).to.equal(202);
    await until('the file is delivered', () => on.shelf.delivered.size === 1);
    const uploaded = await post(
      `${on.url}${API}/automations/${automation.id}/run`,
      [file(await makePdf({ pages: 1 }))],
      mate,
    );
    expect(json<{ jobId: string }>(uploaded).jobId).to.match(/^mate:/);
    await until('the upload is delivered', () => on.shelf.delivered.size === 2);
  });

  it('do not exist for other teams, not even for their runs', async () => {
    const { teamId } = json<{ teamId: number }>(await sendFields(on, `${API}/team/create`, { name: 'Others' }, boss));
    const { id: userId } = json<{ user: { id: number } }>(await on.get('auth/me', stranger)).user;
    await sendFields(on, `${API}/team/addUser`, { teamId: String(teamId), userId: String(userId) }, boss);
    stranger = await sessionOf(on, 'stranger', 'password of stranger');
    const source = await on.source({ name: 'Hidden' });
    const { id } = await on.create({ name: 'Hidden', inputs: [{ source }] });
    for (const path of [`automations/${id}`, `automations/${id}/items`, `policies/${id}`, `sources/${source}`])
      expectProblem(await on.get(path, stranger), 404, 'NOT_FOUND');
    for (const path of [`automations/${id}/trigger`, `policies/${id}/trigger`, `automations/${id}/items/retry`])
      expectProblem(await on.post(path, stranger), 404, 'NOT_FOUND');
    await on.scan('a.pdf');
    const { runIds } = json<{ runIds: string[] }>(await on.post(`policies/${id}/trigger`));
    await until('the file is processed', async () => (await on.files(id, '?state=delivered')).length === 1);
    expect((await on.get(`policies/run/${runIds[0]}`)).status).to.equal(200);
    expectProblem(await on.get(`policies/run/${runIds[0]}`, stranger), 404, 'NOT_FOUND');
    for (const path of ['automations', 'policies', 'policies/runs'])
      expect(json<object[]>(await on.get(path, stranger)), path).to.deep.equal([]);
  });

  it('are tried with their secrets by those who may run them, and nothing is noted', async () => {
    const lock = { operation: `${API}/security/add-password`, parameters: { password: 'canary-try', keyLength: 256 } };
    const { id } = await on.create({ name: 'Lock', work: { pipeline: [lock] } });
    const sample = await makePdf({ pages: 1 });
    const attempt = (headers: Readonly<Record<string, string>>, name = 'a.pdf', bytes: Uint8Array = sample) =>
      post(`${on.url}${API}/automations/${id}/try`, [file(bytes, name)], headers);
    const answer = await attempt(mate);
    expect(answer.status, answer.body.toString()).to.equal(200);
    const form = [file(answer.body, 'x.pdf'), field('password', 'canary-try')];
    expect((await post(`${on.url}${API}/security/remove-password`, form, mate)).status).to.equal(200);
    const failed = await attempt(mate, 'canary-try.pdf', Buffer.from('%PDF-1.7 x'));
    expect(failed.status).to.equal(400);
    expect(failed.body.toString() + JSON.stringify(failed.headers)).to.not.include('canary');
    expectProblem(await attempt(stranger), 404, 'NOT_FOUND');
    expect(await on.files(id)).to.deep.equal([]);
    expect(json<{ runs: object[] }>(await on.get(`automations/${id}/runs`)).runs).to.deep.equal([]);
    // Whoever may only run a saved pipeline must not put its secrets into steps of their own.
    const pipeline = { name: 'locked', title: 'Lock', definition: { pipeline: [lock] }, inputs: [] };
    const shared = { ...pipeline, sharedWith: [{ kind: 'everyone', right: 'use' }] };
    expect((await on.send('pipelines', shared)).status).to.equal(201);
    const sent = JSON.stringify({ pipeline: [{ ...lock, parameters: { ...lock.parameters, password: '********' } }] });
    const tried = await post(`${on.url}${API}/pipelines/locked/try`, [file(sample), field('json', sent)], mate);
    expectProblem(tried, 403, 'PIPELINE_READ_ONLY');
    await on.delete(`automations/${id}`);
  });

  it('of an owner who is gone say so, and belong to whoever saves them', async () => {
    await addUser(on, boss, 'leaver', 'ROLE_ADMIN');
    const leaver = await sessionOf(on, 'leaver', 'password of leaver');
    const body = { name: 'Left behind', work: turn };
    const { id } = json<{ id: string }>(await on.send('automations', body, 'POST', leaver));
    expect(json<{ problems: object[] }>(await on.get(`automations/${id}`)).problems).to.deep.equal([]);
    await sendFields(on, `${API}/user/admin/deleteUser/leaver`, {}, boss);
    const { problems } = json<{ problems: { source: null; code: string; detail: string }[] }>(
      await on.get(`automations/${id}`),
    );
    expect(problems.map(({ source, code }) => [source, code])).to.deep.equal([[null, 'ACCOUNT_DISABLED']]);
    const saved = json(await on.send(`automations/${id}`, body, 'PUT'));
    expect(saved).to.deep.include({ owner: bossName, problems: [] });
    await on.delete(`automations/${id}`);
  });

  it('and sources are as many for one owner as the settings allow', async () => {
    const fill = async (path: string, body: (at: number) => object): Promise<Answer> => {
      for (let at = 0; ; at++) {
        const answer = await on.send(path, body(at));
        if (answer.status >= 400 || at > 10) return answer;
      }
    };
    const automation = await fill('automations', (at) => ({ name: `Number ${at}`, work: turn }));
    expectProblem(automation, 409, 'AUTOMATION_CONFLICT');
    expect(automation.body.toString()).to.contain('policies.automationsPerOwner');
    const source = await fill('sources', (at) => ({ name: `Number ${at}`, type: 'box' }));
    expectProblem(source, 409, 'AUTOMATION_CONFLICT');
    expect(source.body.toString()).to.contain('policies.sourcesPerOwner');
  });

  it('need a login', async () => {
    for (const path of ['automations', 'policies', 'sources'])
      expect((await on.get(path, {})).status, path).to.equal(401);
  });

  it('that were made while login was off are for administrators, and wait for an owner', async () => {
    const base = await mkdtemp(join(tmpdir(), 'quire-automations-'));
    const before = new AutomationServer();
    try {
      await before.start({}, base);
      const source = await before.source();
      const { id } = await before.create({ name: 'Old', inputs: [{ source }] });
      await before.server.stop();
      await before.start(login, base);
      before.headers = await sessionOf(before);
      await addUser(before, before.headers, 'mate');
      const other = await sessionOf(before, 'mate', 'password of mate');
      expectProblem(await before.get(`automations/${id}`, other), 404, 'NOT_FOUND');
      const { name, inputs } = json<{ name: string; inputs: object[] }>(await before.get(`automations/${id}`));
      const changed = await before.send(`automations/${id}`, { name, inputs, work: turn }, 'PUT');
      expect(json(changed)).to.include({ owner: bossName });
      expect((await before.get(`automations/${id}`, other)).status).to.equal(200);
    } finally {
      await before.server.stop();
      await rm(base, { recursive: true, force: true });
    }
  });
});
