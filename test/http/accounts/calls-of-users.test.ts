import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { globalKey, keyOf, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { quiet, until, type TestServer } from '../support/server.js';

const API = '/api/v1';
type Headers = Readonly<Record<string, string>>;

describe('Webhooks and idempotent calls of users', () => {
  let server: TestServer;
  let receiver: Receiver;
  let pdf: Uint8Array;
  let boss: Headers;
  let ann: Headers;

  before(async () => {
    receiver = await startReceiver();
    server = await startWithLogin(
      {},
      { limits: { workers: 2 }, outbound: { allowed: ['127.0.0.1'] }, jobs: { callbacks: { maxPendingPerOwner: 1 } } },
    );
    pdf = await makePdf({ pages: 2 });
    boss = await sessionOf(server);
    const made = await sendFields(
      server,
      `${API}/user/admin/saveUser`,
      { username: 'ann', password: 'the-password-of-ann', role: 'ROLE_USER', authType: 'web' },
      boss,
    );
    expect(made.status, made.body.toString()).to.be.within(200, 201);
    ann = await sessionOf(server, 'ann', 'the-password-of-ann');
  });
  after(async () => {
    await server.stop();
    await receiver.stop();
  });
  afterEach(() => quiet(server));

  const tool = (path: string, headers: Headers, parts = [file(pdf)]): Promise<Answer> =>
    post(`${server.url}${API}/${path}`, parts, headers);

  it("are shown to the job's owner alone", async () => {
    const { jobId } = json<{ jobId: string }>(
      await tool('general/rotate-pdf', { ...ann, prefer: 'respond-async' }, [
        file(pdf),
        field('callbackUrl', receiver.url),
      ]),
    );
    const path = `${server.url}${API}/general/job/${encodeURIComponent(jobId)}/callbacks`;
    await until(
      'it is delivered',
      async () =>
        json<{ callbacks: { status: string }[] }>(await send(path, { headers: ann })).callbacks[0]?.status ===
        'delivered',
    );
    for (const address of [path, `${server.url}${API}/general/job/unknown/callbacks`])
      expectProblem(await send(address, { headers: boss }), 403, 'JOB_FORBIDDEN');
    expect((await send(path)).status).to.equal(401);
    expect(receiver.calls[0]?.body).to.contain(jobId);
    for (const secret of ['caller', 'owner', 'callbackUrl', 'authorization'])
      expect(receiver.calls[0]?.body, secret).not.to.contain(`"${secret}"`);
  });

  it('are limited for each user separately', async () => {
    const start = (headers: Headers): Promise<Answer> =>
      tool('misc/unruly-slow', { ...headers, prefer: 'respond-async' }, [
        file(pdf),
        field('ms', '1000'),
        field('callbackUrl', receiver.url),
      ]);
    const [first, second, other] = [await start(ann), await start(ann), await start(boss)];
    expect([first.status, other.status]).to.deep.equal([202, 202]);
    expectProblem(second, 429, 'CALLBACKS_FULL');
    await until('both calls were received', () =>
      [first, other].every(({ body }) =>
        receiver.calls.some((call) => call.body.includes((JSON.parse(body.toString()) as { jobId: string }).jobId)),
      ),
    );
  });

  it('are replayed for the same user with any credentials, and for nobody else', async () => {
    const key = { 'idempotency-key': 'the-same' };
    expect((await tool('general/rotate-pdf', { ...ann, ...key })).status).to.equal(200);
    const byKey = { 'x-api-key': await keyOf(server, ann) };
    expect((await tool('general/rotate-pdf', { ...byKey, ...key })).headers['idempotent-replayed']).to.equal('true');
    for (const other of [boss, { 'x-api-key': globalKey }]) {
      const answer = await tool('general/rotate-pdf', { ...other, ...key });
      expect([answer.status, answer.headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
    }
    expect((await tool('general/rotate-pdf', key)).status, 'who may not call gets no kept answer').to.equal(401);
  });

  it('are replayed for JSON calls and account changes, and never for a login', async () => {
    const key = { 'idempotency-key': 'make-ben' };
    const make = (password: string): Promise<Answer> =>
      sendFields(
        server,
        `${API}/user/admin/saveUser`,
        { username: 'ben', password, role: 'ROLE_USER', authType: 'web' },
        { ...boss, ...key },
      );
    const [first, again] = [await make('the-password-of-ben'), await make('the-password-of-ben')];
    expect([again.status, again.headers['idempotent-replayed'], again.body.equals(first.body)]).to.deep.equal([
      first.status,
      'true',
      true,
    ]);
    expectProblem(await make('another-password-of-ben'), 422, 'IDEMPOTENCY_KEY_REUSED');
    const login = (): Promise<Answer> =>
      sendJson(
        server,
        `${API}/auth/login`,
        { username: 'ben', password: 'the-password-of-ben' },
        { 'idempotency-key': 'login' },
      );
    const [one, two] = [await login(), await login()];
    expect([one.status, two.status, two.headers['idempotent-replayed']]).to.deep.equal([200, 200, undefined]);
  });
});
