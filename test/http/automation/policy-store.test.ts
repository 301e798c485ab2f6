import { expect } from 'chai';
import { AutomationServer } from '../support/automations.js';
import { expectProblem, json, pointers } from '../support/client.js';
import { API } from '../support/pipelines.js';

type Policy = Readonly<Record<string, unknown>> & { readonly id: string };

describe('Policies of later versions', () => {
  const on = new AutomationServer();
  const rotate = { operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 }, fileParameters: {} };
  const lock = { operation: `${API}/security/add-password`, parameters: { password: 'hush' }, fileParameters: {} };
  const saved = async (body: object, path = 'policies', status = 200): Promise<Policy> => {
    const answer = await on.send(path, body);
    expect(answer.status, answer.body.toString()).to.equal(status);
    return json<Policy>(answer);
  };

  before(() => on.start());
  after(() => on.server.stop());

  it('go to a store without secrets and come back paused', async () => {
    const source = await on.source();
    const output = { type: 'shelf', options: { directory: '/out' } };
    const { id } = await saved({ name: 'Lock', enabled: true, steps: [lock], sourceIds: [source], output });
    const listing = json<Policy>(await on.get(`policies/${id}/store-export`));
    expect(listing).to.deep.include({
      steps: [{ ...lock, parameters: { password: '' } }],
      output: { type: 'inline', options: {} },
      sourceIds: [],
    });
    const { name, steps } = listing;
    const back = await saved({ name, icon: 'lock', storeId: 'sp-0a1b2c3d', steps }, 'policies/import', 201);
    expect(back).to.deep.include({
      name: 'Lock (2)',
      icon: 'lock',
      storeId: 'sp-0a1b2c3d',
      enabled: false,
      inputs: [],
    });
    const wrong = await on.send('policies/import', { name: 'x', steps: [{ operation: `${API}/general/rotate-pfd` }] });
    expect(pointers(expectProblem(wrong, 400, 'AUTOMATION_INVALID'))).to.deep.equal(['/steps/0/operation']);
    expectProblem(await on.send('policies/import', { name: 'x', steps: [] }), 400, 'INPUT_INVALID');
  });

  it('note their listing', async () => {
    const { id } = await saved({ name: 'Listed', enabled: false, steps: [rotate] });
    const linked = await on.send(`policies/${id}/store-link`, { storeId: 'sp-zzzz0000' }, 'PUT');
    expect(json<Policy>(linked)['storeId']).to.equal('sp-zzzz0000');
    expectProblem(await on.send(`policies/${id}/store-link`, { storeId: 'shop' }, 'PUT'), 400, 'INPUT_INVALID');
    expectProblem(await on.get('policies/nobody/store-export'), 404, 'NOT_FOUND');
  });

  it('have a trigger for each source', async () => {
    const [first, second] = [await on.source(), await on.source()];
    const daily = {
      type: 'schedule',
      options: { schedule: { type: 'daily', at: '02:00' }, zone: 'UTC', missed: 'once' },
    };
    const inputs = [
      { sourceId: first, trigger: daily },
      { sourceId: second, trigger: null },
    ];
    const created = await saved({ name: 'Two', enabled: true, steps: [rotate], inputs });
    expect(created).to.deep.include({ inputs, trigger: daily, sourceIds: [first, second] });
    // A client of the earlier form sends the list back as it was, and changes what it knows.
    const renamed = await saved({ ...created, name: 'Still two' });
    expect(renamed['inputs']).to.deep.equal(inputs);
    const paused = await saved({ ...created, trigger: null });
    expect(paused['inputs']).to.deep.equal(inputs.map((input) => ({ ...input, trigger: null })));
    const refused = await on.send('policies', { ...created, inputs: [{ sourceId: 'nobody', trigger: null }] });
    expect(pointers(expectProblem(refused, 400, 'AUTOMATION_INVALID'))).to.deep.equal(['/inputs/0/sourceId']);
  });

  it('use sources as destinations', async () => {
    const sourceId = json<Policy>(await on.send('sources', { name: 'Results', type: 'webhook', options: {} })).id;
    const refused = async (outputIds: readonly string[]): Promise<readonly string[]> => {
      const answer = await on.send('policies', { name: 'Out', enabled: false, steps: [rotate], outputIds });
      return pointers(expectProblem(answer, 400, 'AUTOMATION_INVALID'));
    };
    expect(await refused(['nobody'])).to.deep.equal(['/outputIds/0']);
    expect(await refused([sourceId]), 'nothing can be sent to a webhook source').to.deep.equal(['/outputIds/0']);
  });
});
