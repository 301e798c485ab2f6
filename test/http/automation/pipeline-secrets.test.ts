import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, pointers, post, send, type Answer } from '../support/client.js';
import { sendJson } from '../support/login.js';
import { API, step } from '../support/pipelines.js';
import { quiet, startServer, usualPlugins, type TestServer } from '../support/server.js';

interface Saved {
  readonly definition: { readonly pipeline: readonly object[] };
}

describe('Passwords in the steps of saved pipelines', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  const save = (pipeline: object): Promise<Answer> => sendJson(server, `${API}/pipelines`, pipeline);
  const run = (): Promise<Answer> => post(`${server.url}${API}/tools/lock`, [file(pdf, 'letter.pdf')]);

  before(async () => {
    server = await startServer({}, undefined, [...usualPlugins, '@quire/plugin-security']);
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('are shown to nobody, and stay where their masks are sent back', async () => {
    const lock = (password: unknown, more = {}): object => step('security/add-password', { password, ...more });
    const pipeline = (definition: readonly object[], inputs: readonly object[] = []): object => ({
      name: 'lock',
      title: 'Lock',
      definition: { pipeline: definition },
      inputs,
    });
    const locked = {
      if: { fact: 'pages', atLeast: 1 },
      then: [lock('first secret')],
      else: [lock('second', { keyLength: 128 })],
    };
    const asked = [{ name: 'password', field: '/pipeline/0/then/0/parameters/password', default: 'of the input' }];
    const created = await save(pipeline([locked], asked));
    expect(created.status, created.body.toString()).to.equal(201);
    expect(created.body.toString()).to.not.include('first secret');
    const answer = await send(`${server.url}${API}/pipelines/lock`, {});
    for (const secret of ['first secret', 'second', 'of the input'])
      expect(answer.body.toString()).to.not.include(secret);
    const shown = json<Saved>(answer);
    expect(JSON.stringify(shown.definition).match(/"password":"\*{8}"/g)).to.have.length(2);
    const opens = async (password: string): Promise<boolean> => {
      const form = [file((await run()).body, 'x.pdf'), field('password', password)];
      return (await post(`${server.url}${API}/security/remove-password`, form)).status === 200;
    };
    expect(await opens('of the input')).to.equal(true);
    const moved = [step('general/rotate-pdf', { angle: 90 }), ...shown.definition.pipeline];
    const change = (steps: readonly object[]): Promise<Answer> =>
      sendJson(server, `${API}/pipelines/lock`, pipeline(steps), {}, 'PUT');
    expect((await change(moved)).status).to.equal(200);
    expect(await opens('first secret')).to.equal(true);
    const lost = expectProblem(
      await change([...moved, step('security/remove-password', { password: '********' })]),
      400,
      'PIPELINE_INVALID',
    );
    expect(pointers(lost)).to.deep.equal(['/definition/pipeline/2/parameters/password']);
    const made = expectProblem(await save({ ...pipeline([lock('********')]), name: 'new' }), 400, 'PIPELINE_INVALID');
    expect(made.detail).to.include('is masked');
    const direct = await post(`${server.url}${API}/pipeline/handleData`, [
      file(pdf, 'a.pdf'),
      field('json', JSON.stringify({ pipeline: [lock('********')] })),
    ]);
    expect(pointers(expectProblem(direct, 400, 'PIPELINE_INVALID'))).to.deep.equal(['/pipeline/0/parameters/password']);
  });

  it('are used by a trial of a step where their masks are sent back, and not shown by its errors', async () => {
    const lock = (password: string): object => step('security/add-password', { password, keyLength: 256 });
    const sent = (password: string): object => ({
      pipeline: [step('general/rotate-pdf', { angle: 90 }), lock(password)],
    });
    const saved = { name: 'tried', title: 'Tried', definition: sent('canary-tried'), inputs: [] };
    expect((await save(saved)).status).to.equal(201);
    const attempt = (name: string, definition: object, at?: string, bytes = pdf, fileName = 'a.pdf'): Promise<Answer> =>
      post(`${server.url}${API}/pipelines/${name}/try`, [
        file(bytes, fileName),
        field('json', JSON.stringify(definition)),
        ...(at === undefined ? [] : [field('step', at)]),
      ]);
    const opens = async ({ body }: Answer): Promise<boolean> => {
      const form = [file(body, 'x.pdf'), field('password', 'canary-tried')];
      return (await post(`${server.url}${API}/security/remove-password`, form)).status === 200;
    };
    for (const at of [undefined, '/pipeline/1']) {
      const answer = await attempt('tried', sent('********'), at);
      expect(answer.status, answer.body.toString()).to.equal(200);
      expect(JSON.stringify(answer.headers)).to.not.include('canary');
      expect(await opens(answer)).to.equal(true);
    }
    const turned = await attempt('tried', sent('********'), '/pipeline/0');
    expect([turned.status, turned.body.includes('/Encrypt')]).to.deep.equal([200, false]);
    const damaged = await attempt(
      'tried',
      sent('********'),
      '/pipeline/1',
      Buffer.from('%PDF-1.7 x'),
      'canary-tried.pdf',
    );
    expect(damaged.status).to.equal(400);
    expect(damaged.body.toString()).to.not.include('canary');
    const nested = { pipeline: [step('tools/tried', {})] };
    expect((await save({ name: 'outer', title: 'Outer', definition: nested, inputs: [] })).status).to.equal(201);
    expect(await opens(await attempt('outer', nested))).to.equal(true);
    const inner = await attempt('outer', nested, undefined, Buffer.from('%PDF-1.7 x'), 'canary-tried.pdf');
    expect(inner.status).to.equal(400);
    expect(inner.body.toString()).to.not.include('canary');
    const other = { pipeline: [step('security/remove-password', { password: '********' })] };
    expect(pointers(expectProblem(await attempt('tried', other), 400, 'PIPELINE_INVALID'))).to.deep.equal([
      '/pipeline/0/parameters/password',
    ]);
    expect(
      pointers(expectProblem(await attempt('tried', sent('x'), '/pipeline/7'), 400, 'INPUT_INVALID')),
    ).to.deep.equal(['/step']);
    expectProblem(await attempt('nobody', sent('********')), 404, 'NOT_FOUND');
  });
});
