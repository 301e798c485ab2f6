import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { AutomationServer, turn } from '../support/automations.js';
import { expectProblem, file, json, pointers, post } from '../support/client.js';
import { API } from '../support/pipelines.js';
import { quiet, until } from '../support/server.js';

interface Step {
  readonly operation: string;
  readonly returned: { readonly count: number; readonly bytes: number };
  readonly error?: { readonly code: string; readonly pointer: string; readonly file: string };
}

describe('Automations', () => {
  const on = new AutomationServer();
  let source: string;
  let count = 0;
  const named = (): string => `Automation ${++count}`;
  const manual = () => ({ name: named(), inputs: [{ source, trigger: { type: 'manual' } }] });
  const shelf = [{ type: 'shelf', options: {} }];

  before(async () => {
    await on.start();
    source = await on.source();
  });
  after(() => on.server.stop());
  beforeEach(() => {
    on.box.files.clear();
    on.shelf.delivered.clear();
    on.shelf.before = () => undefined;
  });
  afterEach(() => quiet(on.server));

  it('run a pipeline on the files of a source and deliver the results', async () => {
    const { id } = await on.create({ ...manual(), destinations: shelf });
    await on.scan('a.pdf');
    const answer = await on.post(`automations/${id}/trigger`);
    expect(answer.status, answer.body.toString()).to.equal(202);
    expect(json(answer)).to.deep.equal({ listed: 1, taken: 1, delivered: 0, parked: 0, inFlight: 0, problems: [] });
    await until('the file is delivered', async () => (await on.files(id))[0]?.state === 'delivered');
    const [delivered] = on.shelf.delivered.values();
    const document = await PDFDocument.load(Buffer.from(delivered?.bytes ?? '', 'latin1'));
    expect(document.getPage(0).getRotation().angle).to.equal(90);
    expect(on.box.files.size).to.equal(0);
    const { runs } = json<{ runs: { state: string; inputs: string[]; outputs: { places: string[] }[] }[] }>(
      await on.get(`automations/${id}/runs`),
    );
    expect(runs.map(({ state, inputs, outputs }) => [state, inputs, outputs[0]?.places])).to.deep.equal([
      ['completed', ['a.pdf'], ['shelf a.pdf']],
    ]);
    expect((await on.shown(id)).files).to.deep.equal({
      waiting: 0,
      running: 0,
      delivering: 0,
      delivered: 1,
      parked: 0,
    });
  });

  it('run as soon as a file arrives', async () => {
    const { id } = await on.create({
      name: named(),
      inputs: [{ source, trigger: { type: 'arrival' } }],
      destinations: shelf,
    });
    await on.scan('b.pdf');
    await until('the file is delivered', () => on.shelf.delivered.size === 1);
    expect((await on.delete(`automations/${id}`)).status).to.equal(204);
    await until('nothing watches the source', () => on.box.watched === 0);
  });

  it('park a damaged file, and process it again on request', async () => {
    const { id } = await on.create({ ...manual(), destinations: shelf });
    on.box.put('broken.pdf', 'no PDF at all');
    await on.post(`automations/${id}/trigger`);
    await until('the file is parked', async () => (await on.files(id, '?state=parked')).length === 1);
    const [parked] = await on.files(id);
    expect(parked?.reason?.code).to.match(/^PDF_DAMAGED$|^INPUT_KIND$/);
    expectProblem(await on.post(`automations/${id}/items/retry?file=nobody`), 404, 'NOT_FOUND');
    const retried = await on.post(`automations/${id}/items/retry?file=${parked?.id}`);
    expect(json(retried)).to.deep.equal({ count: 1 });
    await until(
      'it was tried again',
      async () => json<{ runs: object[] }>(await on.get(`automations/${id}/runs`)).runs.length === 2,
    );
    await until('the file is parked', async () => (await on.files(id, '?state=parked')).length === 1);
    expect(on.box.files.size).to.equal(1);
    expect(json(await on.delete(`automations/${id}/items`))).to.deep.equal({ count: 1 });
    expect(await on.files(id)).to.deep.equal([]);
  });

  it('keep which steps ran when one of them fails, and why', async () => {
    const pages = { operation: `${API}/general/remove-pages`, parameters: { pageNumbers: '1' } };
    const { id } = await on.create({ ...manual(), work: { pipeline: [...turn.pipeline, pages] } });
    await on.scan('one-page.pdf');
    await on.post(`automations/${id}/trigger`);
    const failedRuns = async () =>
      json<{ runs: { id: string; steps: Step[] }[] }>(await on.get(`automations/${id}/runs?state=failed`)).runs;
    await until('the run has failed', async () => (await failedRuns()).length === 1);
    const runs = await failedRuns();
    const [turned, failed] = runs[0]?.steps ?? [];
    expect([turned?.operation, turned?.error, turned?.returned.count]).to.deep.equal([
      `${API}/general/rotate-pdf`,
      undefined,
      1,
    ]);
    expect(turned?.returned.bytes).to.be.above(100);
    expect(failed?.operation).to.equal(`${API}/general/remove-pages`);
    expect(failed?.error).to.include({ pointer: '/pipeline/1/parameters/pageNumbers', file: 'one-page.pdf' });
    const view = json<{ currentStep: number }>(await on.get(`policies/run/${runs[0]?.id}`));
    expect(view.currentStep).to.equal(2);
  });

  it('run on uploaded files, whose results stay with the job or go to the destinations', async () => {
    const pdf = await makePdf({ pages: 1 });
    const { id } = await on.create({ name: named() });
    const answer = await post(`${on.url}${API}/automations/${id}/run`, [file(pdf, 'mine.pdf')]);
    expect(answer.status, answer.body.toString()).to.equal(202);
    const { jobId } = json<{ jobId: string }>(answer);
    const view = async () =>
      json<{ status: string; outputs: { fileId: string }[] }>(await on.get(`policies/run/${jobId}`));
    await until('the run has ended', async () => (await view()).status === 'COMPLETED');
    const result = await on.get(`general/files/${(await view()).outputs[0]?.fileId}`);
    expect((await PDFDocument.load(result.body)).getPage(0).getRotation().angle).to.equal(90);
    const delivering = await on.create({ name: named(), destinations: shelf });
    await post(`${on.url}${API}/automations/${delivering.id}/run`, [file(pdf, 'mine.pdf')]);
    await until('the result is delivered', () => on.shelf.delivered.size === 1);
    expectProblem(await on.post(`automations/${id}/trigger`), 409, 'AUTOMATION_CONFLICT');
  });

  it('start the same upload once when the call is repeated', async () => {
    const pdf = await makePdf({ pages: 1 });
    const { id } = await on.create({ name: named(), destinations: shelf });
    const once = { 'idempotency-key': '"the-same-call"' };
    const first = await post(`${on.url}${API}/automations/${id}/run`, [file(pdf)], once);
    const second = await post(`${on.url}${API}/automations/${id}/run`, [file(pdf)], once);
    expect(json(second)).to.deep.equal(json(first));
    await until('the result is delivered', async () => (await on.files(id, '?state=delivered')).length === 1);
    expect(on.shelf.delivered.size).to.equal(1);
  });

  it('never show a secret, and keep it when the mask comes back', async () => {
    const body = {
      ...manual(),
      work: {
        pipeline: [{ operation: `${API}/security/add-password`, parameters: { password: 'canary-1', keyLength: 256 } }],
      },
      destinations: [{ type: 'shelf', options: { directory: '/out', secret: 'canary-2' } }],
    };
    const answer = await on.send('automations', body);
    expect(answer.status, answer.body.toString()).to.equal(201);
    const created = json<Awaited<ReturnType<typeof on.create>>>(answer);
    const texts = [
      answer,
      await on.get('automations'),
      await on.get(`policies/${created.id}`),
      await on.get('policies'),
    ];
    for (const { body: text } of texts) expect(text.toString()).to.not.include('canary');
    expect(created.work.pipeline[0]?.parameters['password']).to.equal('********');
    const { name, inputs, work, destinations } = created;
    const changed = await on.send(`automations/${created.id}`, { name, inputs, work, destinations }, 'PUT');
    expect(changed.status, changed.body.toString()).to.equal(200);
    expect(json<typeof created>(changed).destinations[0]?.id).to.equal(destinations[0]?.id);
    await on.scan('a.pdf');
    await on.post(`automations/${created.id}/trigger`);
    await until('the file is delivered', () => on.shelf.delivered.size === 1);
    const [delivered] = on.shelf.delivered.values();
    expect(delivered?.bytes).to.include('/Encrypt');
  });

  it('are refused with every fault at its place', async () => {
    const answer = await on.send('automations', {
      name: named(),
      work: { pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 91 } }] },
      inputs: [
        { source: 'nobody', trigger: { type: 'manual' } },
        { source, trigger: { type: 'schedule', cron: '61 * * * *', zone: 'Mars/Base' } },
        { trigger: { type: 'arrival' } },
      ],
      destinations: [{ type: 'fax' }, { type: 'shelf', options: { colour: 'red' } }],
      filters: { names: ['a/b'], minBytes: 10, maxBytes: 5 },
    });
    expect(pointers(expectProblem(answer, 400, 'AUTOMATION_INVALID')).sort()).to.deep.equal([
      '/destinations/0/type',
      '/destinations/1/options/colour',
      '/filters/minBytes',
      '/filters/names/0',
      '/inputs/0/source',
      '/inputs/1/trigger/cron',
      '/inputs/1/trigger/zone',
      '/inputs/2/source',
      '/work/pipeline/0/parameters/angle',
    ]);
    const unknown = await on.send('automations', { name: named(), work: { pipeline: 'no-such-pipeline' } });
    expect(pointers(expectProblem(unknown, 400, 'AUTOMATION_INVALID'))).to.deep.equal(['/work/pipeline']);
  });

  it('are refused when they would feed each other', async () => {
    const [from, to] = [
      await on.source({ name: 'A', options: { directory: '/loop/a' } }),
      await on.source({ name: 'B', options: { directory: '/loop/b' } }),
    ];
    const between = (name: string, reads: string, directory: string) => ({
      name,
      work: turn,
      inputs: [{ source: reads, trigger: { type: 'arrival' } }],
      destinations: [{ type: 'shelf', options: { directory } }],
    });
    const { id } = await on.create(between('There', from, '/loop/b'));
    const back = await on.send('automations', between('Back', to, '/loop/a'));
    const problem = expectProblem(back, 400, 'AUTOMATION_INVALID');
    expect(problem.errors?.[0]).to.deep.equal({
      pointer: '/destinations/0',
      detail: 'would feed the automation with its own results: Back → There → Back',
    });
    const own = await on.create(between('Own folder', from, '/loop/a'));
    for (const one of [id, own.id]) await on.delete(`automations/${one}`);
  });

  it('have a name of their own, and know when somebody else has changed them', async () => {
    const body = { ...manual(), work: turn };
    const { id, revision } = await on.create(body);
    expectProblem(await on.send('automations', { ...body, name: body.name.toUpperCase() }), 409, 'AUTOMATION_CONFLICT');
    expect((await on.send(`automations/${id}?basedOn=${revision}`, body, 'PUT')).status).to.equal(200);
    expectProblem(await on.send(`automations/${id}?basedOn=${revision}`, body, 'PUT'), 409, 'AUTOMATION_CONFLICT');
    expectProblem(await on.get('automations/nobody'), 404, 'NOT_FOUND');
  });

  it('say when a schedule starts them next', async () => {
    const trigger = { type: 'schedule', cron: '0 6 1 1 *', zone: 'Europe/Berlin' };
    const { id } = await on.create({ name: named(), inputs: [{ source, trigger }] });
    await until('the schedule is set', async () => (await on.shown(id)).nextStart !== null);
    expect((await on.shown(id)).nextStart).to.match(/-01-01T05:00:00/);
  });

  it('fire on the second, and stream what becomes of their files', async () => {
    await on.scan('every-second.pdf');
    const trigger = { type: 'schedule', cron: '* * * * * *' };
    const { id } = await on.create({ name: named(), inputs: [{ source, trigger }], destinations: shelf });
    const leaving = new AbortController();
    const text = await new Promise<string>((resolve) => {
      let seen = '';
      const timer = setInterval(() => {
        if (on.shelf.delivered.size === 0) return;
        clearInterval(timer);
        setTimeout(() => leaving.abort(), 1500);
      }, 50);
      void fetch(`${on.url}${API}/automations/${id}/events`, { signal: leaving.signal })
        .then(async ({ body }) => {
          for await (const chunk of body ?? []) seen += Buffer.from(chunk as Uint8Array).toString();
        })
        .catch(() => resolve(seen));
    });
    expect(text)
      .to.match(/"name":"every-second\.pdf"/)
      .and.to.match(/"state":"delivered"/);
    await on.delete(`automations/${id}`);
  });
});
