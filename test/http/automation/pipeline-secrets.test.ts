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
});
