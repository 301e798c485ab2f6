import { expect } from 'chai';
import { AutomationServer, turn } from '../support/automations.js';
import { expectProblem, json, pointers } from '../support/client.js';
import { until } from '../support/server.js';

interface SourceOverview {
  readonly kpis: readonly { readonly value: number }[];
  readonly sources: readonly Readonly<Record<string, unknown>>[];
}

describe('Sources', () => {
  const on = new AutomationServer();
  before(() => on.start());
  after(() => on.server.stop());
  const overview = async (): Promise<SourceOverview> => json(await on.get('sources'));

  it('are saved, changed, listed with what uses them, and deleted when nothing does', async () => {
    const id = await on.source({ name: 'Scans', options: { directory: '/scans' } });
    const unused = await on.source({ name: 'Another' });
    const { id: automation } = await on.create({ name: 'Turn', inputs: [{ source: id }] });
    const { kpis, sources } = await overview();
    expect(kpis.map(({ value }) => value)).to.deep.equal([2, 1, 1]);
    expect(sources.map(({ name, status, referenceCount }) => [name, status, referenceCount])).to.deep.equal([
      ['Scans', 'active', 1],
      ['Another', 'unused', 0],
    ]);
    expect(sources[0]).to.deep.include({
      referencingPolicies: [{ id: automation, name: 'Turn' }],
      config: [{ label: 'Directory', value: '/scans' }],
      webhookPath: null,
    });
    const problem = expectProblem(await on.delete(`sources/${id}`), 409, 'AUTOMATION_CONFLICT');
    expect(problem.detail).to.include('"Turn"');
    expect((await on.delete(`sources/${unused}`)).status).to.equal(204);
    expectProblem(await on.get(`sources/${unused}`), 404, 'NOT_FOUND');
    await on.delete(`automations/${automation}`);
  });

  it('count the files that they gave', async () => {
    const id = await on.source({ name: 'Counted' });
    const automation = await on.create({ name: 'Counts', inputs: [{ source: id }] });
    await on.scan('a.pdf');
    await on.scan('b.pdf');
    await on.post(`automations/${automation.id}/trigger`);
    await until('both are processed', async () => (await on.files(automation.id, '?state=delivered')).length === 2);
    const days = json<number[]>(await on.get(`sources/${id}/document-counts`));
    expect(days).to.have.length(30);
    expect(days.reduce((sum, count) => sum + count, 0)).to.equal(2);
    const row = (await overview()).sources.find((one) => one['id'] === id);
    expect(row).to.include({ docsTotal: 2, docs24h: 2, docs30d: 2 });
    await on.delete(`automations/${automation.id}`);
  });

  it('never show a secret, and keep it when the mask comes back', async () => {
    const answer = await on.send('sources', { name: 'Secret', type: 'box', options: { secret: 'canary' } });
    const { id, options } = json<{ id: string; options: object }>(answer);
    expect(options).to.deep.equal({ secret: '********' });
    const again = await on.send('sources', { id, name: 'Renamed', type: 'box', options });
    expect(again.status, again.body.toString()).to.equal(200);
    for (const { body } of [answer, again, await on.get('sources'), await on.get(`sources/${id}`)])
      expect(body.toString()).to.not.include('canary');
    await on.delete(`sources/${id}`);
  });

  it('are refused when they cannot be used', async () => {
    const refused = async (body: object): Promise<string[]> =>
      pointers(expectProblem(await on.send('sources', { name: 'X', type: 'box', ...body }), 400, 'INPUT_INVALID'));
    expect(await refused({ type: 'telepathy' })).to.deep.equal(['/type']);
    expect(await refused({ id: 'editor' })).to.deep.equal(['/id']);
    expect(await refused({ id: 'a b' })).to.deep.equal(['/id']);
    expect(await refused({ options: { colour: 'red' } })).to.deep.equal(['/options/colour']);
    expect(await refused({ options: { directory: '/wrong' } })).to.deep.equal(['/options/directory']);
    expect((await overview()).sources.filter(({ name }) => name === 'X')).to.deep.equal([]);
  });

  it('give nothing while they are switched off', async () => {
    const id = await on.source({ name: 'Off', enabled: false });
    const automation = await on.create({ name: 'Idle', work: turn, inputs: [{ source: id }] });
    await on.scan('a.pdf');
    const answer = await on.post(`automations/${automation.id}/trigger`);
    expect(json(answer)).to.include({ listed: 0, taken: 0 });
    await on.delete(`automations/${automation.id}`);
  });
});
