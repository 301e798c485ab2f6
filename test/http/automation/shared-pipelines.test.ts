import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, file, json, pointers, post, send, type Answer } from '../support/client.js';
import { addUser, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { API, step } from '../support/pipelines.js';
import type { TestServer } from '../support/server.js';

interface Shown {
  readonly name: string;
  readonly owner: string | null;
  readonly right: string;
  readonly definition?: object;
}
type Headers = Readonly<Record<string, string>>;

const turn = (more: object = {}): object => ({
  name: 'turn',
  title: 'Turn',
  definition: { pipeline: [step('general/rotate-pdf', { angle: 90 })] },
  ...more,
});

describe('Saved pipelines while login is on', () => {
  let server: TestServer;
  let boss: Headers;
  let ann: Headers;
  let bob: Headers;
  const people = ['ann', 'bob', 'cid'];
  const save = (who: Headers, pipeline: object): Promise<Answer> => sendJson(server, `${API}/pipelines`, pipeline, who);
  const change = (who: Headers, pipeline: object): Promise<Answer> =>
    sendJson(server, `${API}/pipelines/turn`, pipeline, who, 'PUT');
  const list = async (who: Headers): Promise<Shown[]> =>
    json<Shown[]>(await send(`${server.url}${API}/pipelines`, { headers: who }));
  const run = async (who: Headers): Promise<Answer> =>
    post(`${server.url}${API}/tools/turn`, [file(await makePdf({ pages: 1 }))], who);

  beforeEach(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
    for (const name of people) await addUser(server, boss, name);
    ann = await sessionOf(server, 'ann', 'password of ann');
    bob = await sessionOf(server, 'bob', 'password of bob');
  });
  afterEach(() => server.stop());

  it('belong to whom saved them; others neither see nor run them', async () => {
    expect((await save(ann, turn())).status).to.equal(201);
    expect((await run(ann)).status).to.equal(200);
    expect(await list(bob)).to.deep.equal([]);
    expectProblem(await run(bob), 404, 'NOT_FOUND');
    expectProblem(await change(bob, turn()), 404, 'NOT_FOUND');
    expectProblem(
      await send(`${server.url}${API}/pipelines/turn`, { headers: bob, method: 'DELETE' }),
      404,
      'NOT_FOUND',
    );
    expect((await list(boss)).map(({ owner, right }) => ({ owner, right }))).to.deep.equal([
      { owner: 'ann', right: 'edit' },
    ]);
  });

  it('are run by those with whom they are shared, who do not see its definition', async () => {
    await save(ann, turn({ sharedWith: [{ kind: 'user', name: 'bob' }] }));
    expect((await run(bob)).status).to.equal(200);
    const [seen] = await list(bob);
    expect(seen).to.include({ name: 'turn', owner: 'ann', right: 'use' });
    expect(seen).to.not.have.any.keys('definition', 'inputs', 'sharedWith');
    expectProblem(await change(bob, turn()), 403, 'PIPELINE_READ_ONLY');
    const versions = await send(`${server.url}${API}/pipelines/turn/versions`, { headers: bob });
    expectProblem(versions, 403, 'PIPELINE_READ_ONLY');
  });

  it('are changed by those who may edit them, and stay with their owner', async () => {
    const sharedWith = [
      { kind: 'everyone', right: 'use' },
      { kind: 'user', name: 'bob', right: 'edit' },
    ];
    await save(ann, turn({ sharedWith }));
    const changed = await change(bob, turn({ title: 'Turn them', sharedWith }));
    expect(json(changed)).to.include({ owner: 'ann', savedBy: 'bob', title: 'Turn them', version: 2 });
    const cid = await sessionOf(server, 'cid', 'password of cid');
    expect((await list(cid)).map(({ right }) => right)).to.deep.equal(['use']);
  });

  it('are shared with a team, for as long as somebody is in it', async () => {
    await sendFields(server, '/api/v1/team/create', { name: 'Blue' }, boss);
    const { id } = json<{ user: { id: number } }>(await send(`${server.url}/api/v1/auth/me`, { headers: bob })).user;
    await save(ann, turn({ sharedWith: [{ kind: 'team', name: 'blue' }] }));
    expectProblem(await run(bob), 404, 'NOT_FOUND');
    await sendFields(server, '/api/v1/team/addUser', { teamId: '3', userId: String(id) }, boss);
    expect((await run(await sessionOf(server, 'bob', 'password of bob'))).status).to.equal(200);
  });

  it('are not shared with somebody unknown', async () => {
    const sharedWith = [{ kind: 'user', name: 'eve' }, { kind: 'team', name: 'Red' }, { kind: 'user' }];
    const problem = expectProblem(await save(ann, turn({ sharedWith })), 400, 'INPUT_INVALID');
    expect(pointers(problem)).to.deep.equal(['/sharedWith/0/name', '/sharedWith/1/name', '/sharedWith/2/name']);
  });

  it('go with their owner', async () => {
    await save(ann, turn({ sharedWith: [{ kind: 'everyone' }] }));
    expect(
      (await send(`${server.url}/api/v1/user/admin/deleteUser/ann`, { method: 'POST', headers: boss })).status,
    ).to.equal(200);
    expect(await list(bob)).to.deep.equal([]);
    expect((await save(bob, turn())).status).to.equal(201);
  });
});
