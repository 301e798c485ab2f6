import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, pointers, post, send, type Answer } from '../support/client.js';
import { sendJson } from '../support/login.js';
import { API, step } from '../support/pipelines.js';
import { quiet, startServer, until, type TestServer } from '../support/server.js';

interface Saved {
  readonly name: string;
  readonly title: string;
  readonly version: number;
  readonly path: string;
  readonly valid: boolean;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  readonly fields: readonly Readonly<Record<string, unknown>>[];
  readonly definition: object;
}

const turnAndTitle = {
  name: 'turn-and-title',
  title: 'Turn and title',
  definition: {
    pipeline: [
      step('general/rotate-pdf', { angle: 90 }),
      step('misc/update-metadata', { title: '{{input.customer}}, {{file.base}}', deleteAll: false }),
    ],
  },
  inputs: [
    { name: 'angle', field: '/pipeline/0/parameters/angle', label: 'Turn by', values: [90, 180] },
    { name: 'customer', label: 'Customer', required: true },
  ],
};

describe('Saved pipelines', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  const save = (pipeline: object): Promise<Answer> => sendJson(server, `${API}/pipelines`, pipeline);
  const saved = async (pipeline: object): Promise<Saved> => {
    const answer = await save(pipeline);
    expect(answer.status, answer.body.toString()).to.equal(201);
    return json<Saved>(answer);
  };
  const run = (
    tool: string,
    values: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    post(
      `${server.url}${API}/tools/${tool}`,
      [file(pdf, 'letter.pdf'), ...Object.entries(values).map(([name, value]) => field(name, value))],
      headers,
    );
  const facts = async (answer: Answer): Promise<{ angle: number; title: string | undefined }> => {
    expect(answer.status, answer.body.toString()).to.equal(200);
    const document = await PDFDocument.load(answer.body);
    return { angle: document.getPage(0).getRotation().angle, title: document.getTitle() };
  };

  before(async () => {
    server = await startServer();
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(async () => {
    const all = json<Saved[]>(await send(`${server.url}${API}/pipelines`, {}));
    for (const { name } of all)
      expect((await send(`${server.url}${API}/pipelines/${name}`, { method: 'DELETE' })).status).to.equal(204);
    await quiet(server);
  });

  it('run as tools with their own fields', async () => {
    const { path } = await saved(turnAndTitle);
    expect(path).to.equal('/api/v1/tools/turn-and-title');
    expect(await facts(await run('turn-and-title', { angle: '180', customer: 'Ångström' }))).to.deep.equal({
      angle: 180,
      title: 'Ångström, letter',
    });
    expect(await facts(await run('turn-and-title', { customer: 'B' }))).to.deep.equal({
      angle: 90,
      title: 'B, letter',
    });
  });

  it('show their inputs as the steps declare them, in the words of the author', async () => {
    const { fields, valid, errors, version } = await saved(turnAndTitle);
    expect({ valid, errors, version }).to.deep.equal({ valid: true, errors: [], version: 1 });
    expect(fields[0]).to.deep.include({
      name: 'angle',
      label: 'Turn by',
      type: 'integer',
      default: 90,
      required: false,
    });
    expect(((fields[0]?.['values'] ?? []) as { value: number }[]).map(({ value }) => value)).to.deep.equal([90, 180]);
    expect(fields[1]).to.deep.equal({
      name: 'customer',
      label: 'Customer',
      type: 'text',
      widget: 'text',
      required: true,
    });
  });

  it('refuse values that the author or the step does not allow, by the names of the inputs', async () => {
    await saved(turnAndTitle);
    const missing = expectProblem(await run('turn-and-title', { angle: '270' }), 400, 'INPUT_INVALID');
    expect(pointers(missing)).to.deep.equal(['/angle', '/customer']);
    expect(missing.detail).to.include('must be one of 90, 180').and.include('customer is required');
    await saved({
      ...turnAndTitle,
      name: 'free',
      inputs: [{ ...turnAndTitle.inputs[0], values: undefined }, turnAndTitle.inputs[1]],
    });
    const odd = expectProblem(await run('free', { angle: '45', customer: 'A' }), 400, 'INPUT_INVALID');
    expect(pointers(odd)).to.deep.equal(['/angle']);
    expect(odd.detail).to.match(/multiple of 90/);
  });

  it('name fields that they do not have, and refuse them in strict calls', async () => {
    await saved(turnAndTitle);
    const answer = await run('turn-and-title', { customer: 'A', custmer: 'B' });
    expect(answer.headers['x-ignored-fields']).to.equal('custmer');
    expect(answer.status).to.equal(200);
    const strict = await run('turn-and-title', { customer: 'A', custmer: 'B' }, { prefer: 'handling=strict' });
    expect(expectProblem(strict, 400, 'INPUT_INVALID').detail).to.include('custmer');
  });

  it('run as jobs', async () => {
    await saved(turnAndTitle);
    const started = await run('turn-and-title', { customer: 'A' }, { prefer: 'respond-async' });
    expect(started.status, started.body.toString()).to.equal(202);
    const { jobId } = json<{ jobId: string }>(started);
    const result = (): Promise<Answer> => send(`${server.url}${API}/general/job/${jobId}/result`, {});
    await until('the job has ended', async () => (await result()).status === 200);
    expect(await facts(await result())).to.deep.equal({ angle: 90, title: 'A, letter' });
  });

  it('keep every version: it can be read, run and restored', async () => {
    await saved(turnAndTitle);
    const second = {
      ...turnAndTitle,
      title: 'Turn by 180',
      inputs: [{ ...turnAndTitle.inputs[0], default: 180 }, turnAndTitle.inputs[1]],
    };
    const changed = await sendJson(server, `${API}/pipelines/turn-and-title?basedOn=1`, second, {}, 'PUT');
    expect(json<Saved>(changed)).to.deep.include({ version: 2, title: 'Turn by 180' });
    expect((await facts(await run('turn-and-title', { customer: 'A' }))).angle).to.equal(180);
    expect((await facts(await run('turn-and-title@1', { customer: 'A' }))).angle).to.equal(90);
    const late = await sendJson(server, `${API}/pipelines/turn-and-title?basedOn=1`, turnAndTitle, {}, 'PUT');
    expect(expectProblem(late, 409, 'PIPELINE_CONFLICT').detail).to.include('version is 2');
    const restored = await send(`${server.url}${API}/pipelines/turn-and-title/versions/1/restore`, { method: 'POST' });
    expect(json<Saved>(restored)).to.deep.include({ version: 3, title: 'Turn and title' });
    const versions = await send(`${server.url}${API}/pipelines/turn-and-title/versions`, {});
    expect(json<Saved[]>(versions).map(({ version }) => version)).to.deep.equal([3, 2, 1]);
    expectProblem(await run('turn-and-title@9', { customer: 'A' }), 404, 'NOT_FOUND');
  });

  it('lose no change when several people save at once', async () => {
    await saved(turnAndTitle);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) =>
        sendJson(
          server,
          `${API}/pipelines/turn-and-title?basedOn=1`,
          { ...turnAndTitle, title: `By ${number}` },
          {},
          'PUT',
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409]);
    const winner = json<Saved>(answers.find(({ status }) => status === 200)!);
    const now = json<Saved>(await send(`${server.url}${API}/pipelines/turn-and-title`, {}));
    expect(now).to.deep.include({ version: 2, title: winner.title });
  });

  it('are checked whole before they are saved', async () => {
    const wrong = {
      ...turnAndTitle,
      definition: {
        pipeline: [
          step('general/rotate-pdf', { angle: 45 }),
          step('misc/update-metadata', { title: '{{input.custmer}}', deleteAll: false }),
          step('general/rotat-pdf'),
        ],
      },
      inputs: [
        { name: 'angel', field: '/pipeline/0/parameters/angel' },
        { name: 'customer' },
        { name: 'customer', field: '/pipeline/9/parameters/title' },
      ],
    };
    const problem = expectProblem(await save(wrong), 400, 'PIPELINE_INVALID');
    expect(pointers(problem), JSON.stringify(problem.errors)).to.have.members([
      '/inputs/0/field',
      '/inputs/1/name',
      '/inputs/2/name',
      '/inputs/2/field',
      '/definition/pipeline/0/parameters/angle',
      '/definition/pipeline/1/parameters/title',
      '/definition/pipeline/2/operation',
    ]);
    expect(json<Saved[]>(await send(`${server.url}${API}/pipelines`, {}))).to.deep.equal([]);
  });

  it('have a default that they allow', async () => {
    const [angle, customer] = turnAndTitle.inputs;
    const problem = expectProblem(
      await save({ ...turnAndTitle, inputs: [{ ...angle, default: 270 }, customer] }),
      400,
      'PIPELINE_INVALID',
    );
    expect(pointers(problem)).to.deep.equal(['/inputs/0/default']);
  });

  it('have names of their own', async () => {
    await saved(turnAndTitle);
    expectProblem(await save(turnAndTitle), 409, 'PIPELINE_CONFLICT');
    for (const name of ['Turn', '../x', 'a b', '', 'x'.repeat(64)])
      expect(pointers(expectProblem(await save({ ...turnAndTitle, name }), 400, 'INPUT_INVALID'))).to.deep.equal([
        '/name',
      ]);
    await saved({ ...turnAndTitle, name: 'other' });
    const renamed = await sendJson(server, `${API}/pipelines/other`, turnAndTitle, {}, 'PUT');
    expectProblem(renamed, 409, 'PIPELINE_CONFLICT');
  });

  it('branch by values of their inputs, also inside of others', async () => {
    const branching = {
      name: 'turn-long',
      title: 'Turn long documents',
      definition: {
        pipeline: [
          {
            if: { fact: 'pages', atLeast: '{{input.limit}}' },
            then: [{ each: [step('general/rotate-pdf', { angle: 90 })], name: '{{file.base}}-{{input.angle}}' }],
          },
        ],
      },
      inputs: [
        { name: 'angle', field: '/pipeline/0/then/0/each/0/parameters/angle' },
        { name: 'limit', type: 'integer', default: 1, minimum: 1 },
      ],
    };
    const { fields } = await saved(branching);
    expect(fields[0]).to.deep.include({ name: 'angle', type: 'integer', default: 90 });
    const turned = await run('turn-long', { angle: '180' });
    expect((await facts(turned)).angle).to.equal(180);
    expect(turned.headers['content-disposition']).to.include('letter-180.pdf');
    expect((await facts(await run('turn-long', { limit: '2' }))).angle).to.equal(0);
    const asStep = step('tools/turn-long', { limit: '{{input.pages}}' });
    const outer = { pipeline: [{ parallel: [[{ ...asStep, onError: 'skip' }]] }] };
    await saved({ ...branching, name: 'outer', definition: outer, inputs: [{ name: 'pages', default: 1 }] });
    expect((await facts(await run('outer', { pages: '1' }))).angle).to.equal(90);
    expect((await facts(await run('outer', { pages: '2' }))).angle).to.equal(0);
    const itself = { pipeline: [{ if: { fact: 'pages', above: 1 }, then: [step('tools/outer')] }] };
    const circle = await sendJson(
      server,
      `${API}/pipelines/turn-long`,
      { ...branching, definition: itself, inputs: [] },
      {},
      'PUT',
    );
    const problem = expectProblem(circle, 400, 'PIPELINE_INVALID');
    expect(problem.errors?.[0]?.pointer).to.equal('/definition/pipeline/0/then/0/operation');
    expect(problem.errors?.[0]?.detail).to.include('would run itself');
    const wrong = { ...branching, name: 'wrong', inputs: [{ name: 'limit', default: 'many' }] };
    expect(pointers(expectProblem(await save(wrong), 400, 'PIPELINE_INVALID'))).to.include(
      '/definition/pipeline/0/if/atLeast',
    );
  });

  it('that cannot run any more say why, and are not run', async () => {
    const base = await mkdtemp(join(tmpdir(), 'quire-saved-'));
    await server.stop();
    server = await startServer({}, base);
    await saved(turnAndTitle);
    await server.stop();
    server = await startServer({ endpoints: { toRemove: ['rotate-pdf'] } }, base);
    const now = json<Saved>(await send(`${server.url}${API}/pipelines/turn-and-title`, {}));
    expect(now.valid).to.equal(false);
    expect(now.errors[0]?.pointer).to.equal('/definition/pipeline/0/operation');
    expect(now.errors[0]?.detail).to.include('rotate-pdf');
    expectProblem(await run('turn-and-title', { customer: 'A' }), 400, 'PIPELINE_INVALID');
  });
});
