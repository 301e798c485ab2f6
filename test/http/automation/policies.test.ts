import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { shiftClock } from '../../kit/shifted-clock.js';
import { AutomationServer, turn } from '../support/automations.js';
import { expectProblem, field, file, json, pointers, post } from '../support/client.js';
import { API } from '../support/pipelines.js';
import { until } from '../support/server.js';

interface ShownPolicy {
  readonly id: string;
  readonly name: string;
  readonly trigger: object | null;
  readonly output: object;
  readonly steps: readonly object[];
}

describe('Policies', () => {
  const on = new AutomationServer();
  let source: string;
  const steps = turn.pipeline;
  const policy = (more: object = {}) => ({ name: 'Nightly', enabled: true, steps, ...more });
  const daily = { type: 'schedule', options: { schedule: { type: 'daily', at: '02:00' }, zone: 'Europe/Berlin' } };
  const saved = async (body: object): Promise<ShownPolicy> => {
    const answer = await on.send('policies', body);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<ShownPolicy>(answer);
  };

  before(async () => {
    await on.start();
    source = await on.source();
  });
  afterEach(() => shiftClock(0));
  after(() => on.server.stop());

  it('are automations in another form', async () => {
    const created = await saved(policy({ id: 'chosen-id', sourceIds: [source], trigger: daily }));
    expect(created).to.deep.include({
      id: 'chosen-id',
      trigger: { type: 'schedule', options: { ...daily.options, missed: 'once' } },
      output: { type: 'inline', options: {} },
      sourceIds: [source],
      owner: null,
      teamId: null,
    });
    const automation = await on.shown('chosen-id');
    expect(automation.inputs).to.deep.equal([
      { source, trigger: { type: 'schedule', missed: 'once', ...daily.options } },
    ]);
    expect(json(await on.get('policies/chosen-id'))).to.deep.equal(created);
    const output = { type: 'shelf', options: { directory: '/out', runOn: 'upload' } };
    const changed = await saved({ ...created, trigger: null, output });
    expect(changed).to.deep.include({ trigger: null, output });
    expect((await on.delete('policies/chosen-id')).status).to.equal(204);
    expectProblem(await on.get('automations/chosen-id'), 404, 'NOT_FOUND');
  });

  it('keep what only automations have', async () => {
    const { id } = await on.create({ name: 'Rich', concurrency: 7, once: 'content', inputs: [{ source }] });
    await saved({ ...json<object>(await on.get(`policies/${id}`)), name: 'Richer' });
    expect(await on.shown(id)).to.deep.include({ name: 'Richer', concurrency: 7, once: 'content' });
    await on.delete(`policies/${id}`);
  });

  it('have an order, figures and kinds of trigger', async () => {
    const ids: string[] = [];
    for (const name of ['b', 'A', 'c']) ids.push((await saved(policy({ name, enabled: name !== 'c' }))).id);
    const [b = '', a = '', c = ''] = ids;
    expect((await on.send('policies/order', [c, 'nobody', b], 'PUT')).status).to.equal(204);
    expect(json<ShownPolicy[]>(await on.get('policies')).map(({ name }) => name)).to.deep.equal(['c', 'b', 'A']);
    const { kpis, pipelines } = json<{ kpis: { value: number }[]; pipelines: { name: string; status: string }[] }>(
      await on.get('policies/overview'),
    );
    expect(kpis.map(({ value }) => value)).to.deep.equal([3, 2, 1]);
    expect(pipelines.map(({ name, status }) => `${name} ${status}`)).to.deep.equal([
      'A active',
      'b active',
      'c paused',
    ]);
    expect(json<{ type: string }[]>(await on.get('policies/triggers')).map(({ type }) => type)).to.deep.equal([
      'folder-watch',
      'schedule',
      'storage-folder-watch',
      'webhook',
    ]);
    for (const id of [a, b, c]) await on.delete(`policies/${id}`);
  });

  it('run on their sources and on uploaded files', async () => {
    const { id } = await saved(policy({ sourceIds: [source] }));
    await on.scan('a.pdf');
    const answer = await on.post(`policies/${id}/trigger`);
    expect(answer.status).to.equal(202);
    const { runIds, ...counts } = json<{ runIds: string[] }>(answer);
    expect(counts).to.deep.equal({ filesListed: 1, alreadyProcessed: 0, parked: 0, inFlight: 0 });
    const view = async (run: string) => json<Readonly<Record<string, unknown>>>(await on.get(`policies/run/${run}`));
    await until('the run has ended', async () => (await view(runIds[0] ?? ''))['status'] === 'COMPLETED');
    expect(await view(runIds[0] ?? '')).to.deep.include({ policyId: id, stepCount: 1, error: null });
    const uploaded = await post(`${on.url}${API}/policies/${id}/run`, [file(await makePdf({ pages: 1 }))]);
    const { jobId } = json<{ jobId: string }>(uploaded);
    await until('the run has ended', async () => (await view(jobId))['status'] === 'COMPLETED');
    expect(json<{ runId: string }[]>(await on.get('policies/runs')).map(({ runId }) => runId)).to.have.members([
      runIds[0],
      jobId,
    ]);
    expect((await on.delete(`policies/${id}/processed-history`)).status).to.equal(204);
    expect(await on.files(id)).to.deep.equal([]);
    await on.delete(`policies/${id}`);
  });

  it('show their runs for a while after they have ended, which automations show much longer', async () => {
    const { id } = await saved(policy({ sourceIds: [source] }));
    await on.scan('late.pdf');
    const { runIds } = json<{ runIds: string[] }>(await on.post(`policies/${id}/trigger`));
    const [runId = ''] = runIds;
    const state = async () => json<{ status: string }>(await on.get(`policies/run/${runId}`)).status;
    await until('the run has ended', async () => (await state()) === 'COMPLETED');
    const listed = async () => json<{ runId: string }[]>(await on.get('policies/runs')).map((run) => run.runId);
    expect(await listed()).to.include(runId);
    const minute = 60_000;
    shiftClock(29 * minute);
    expect(await listed()).to.include(runId);
    shiftClock(32 * minute);
    expect(await listed()).not.to.include(runId);
    expectProblem(await on.get(`policies/run/${runId}`), 404, 'NOT_FOUND');
    const { runs } = json<{ runs: { id: string }[] }>(await on.get(`automations/${id}/runs`));
    expect(runs.map((run) => run.id)).to.include(runId);
    // A clock that is set back.
    shiftClock(-90 * minute);
    expect(await state()).to.equal('COMPLETED');
    shiftClock(0);
    await on.delete(`policies/${id}`);
  });

  it('run steps that are not saved', async () => {
    const one = file(await makePdf({ pages: 1 }));
    const run = (json: unknown) => post(`${on.url}${API}/policies/run`, [one, field('json', JSON.stringify(json))]);
    const answer = await run({ name: 'once', steps });
    expect(answer.status, answer.body.toString()).to.equal(202);
    const { jobId } = json<{ jobId: string }>(answer);
    const status = async () => json<{ status: string }>(await on.get(`policies/run/${jobId}`)).status;
    await until('the run has ended', async () => (await status()) === 'COMPLETED');
    expectProblem(await on.get('policies/run/unknown'), 404, 'NOT_FOUND');
    const wrong = await run({ steps: [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 91 } }] });
    expect(pointers(expectProblem(wrong, 400, 'PIPELINE_INVALID'))).to.deep.equal(['/steps/0/parameters/angle']);
    const elsewhere = await run({ steps, output: { type: 'shelf' } });
    expect(pointers(expectProblem(elsewhere, 400, 'INPUT_INVALID'))).to.deep.equal(['/json/output/type']);
  });

  it('check steps without running them', async () => {
    const wrong = [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 91 } }];
    const answer = await on.send('policies/validate', { steps: wrong });
    const { valid, diagnostics } = json<{ valid: boolean; diagnostics: { pointer: string; step: number }[] }>(answer);
    expect(valid).to.equal(false);
    expect(diagnostics.map(({ pointer, step }) => [pointer, step])).to.deep.equal([['/steps/0/parameters/angle', 0]]);
    expect(json(await on.send('policies/validate', { steps }))).to.deep.equal({ valid: true, diagnostics: [] });
  });

  it('are refused with faults at their places', async () => {
    const refused = async (more: object): Promise<string[]> =>
      pointers(expectProblem(await on.send('policies', policy(more)), 400, 'AUTOMATION_INVALID'));
    expect(await refused({ sourceIds: ['nobody'] })).to.deep.equal(['/sourceIds/0']);
    expect(
      await refused({ steps: [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 91 } }] }),
    ).to.deep.equal(['/steps/0/parameters/angle']);
    expect(await refused({ steps: [] })).to.deep.equal(['/steps']);
    expect(await refused({ output: { type: 'fax' } })).to.deep.equal(['/output/type']);
    expect(await refused({ trigger: { type: 'folder-watch' } })).to.deep.equal(['/trigger/type']);
    expect(await refused({ trigger: daily })).to.deep.equal(['/sourceIds']);
    const badTime = { type: 'schedule', options: { schedule: { type: 'daily', at: '25:00' } } };
    expect(await refused({ trigger: badTime, sourceIds: [source] })).to.deep.equal(['/trigger/options/schedule/at']);
    const badZone = { type: 'schedule', options: { schedule: { type: 'daily', at: '02:00' }, zone: 'Mars' } };
    expect(await refused({ trigger: badZone, sourceIds: [source] })).to.deep.equal(['/trigger/options/zone']);
  });
});
