import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, pointers, post, send, type Answer } from '../support/client.js';
import { addUser, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { until, type TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

const NAMED = '/api/v1/proprietary/ui-data/infrastructure/api-keys';

interface ListedKey {
  readonly name: string;
  readonly status: string;
  readonly expires: string;
  readonly categories: readonly string[] | null;
  readonly readOnly: boolean;
}

describe('API keys with limits', () => {
  let server: TestServer;
  let session: Headers;
  let boss: Headers;
  let pdf: Uint8Array;
  const create = (body: object, headers = session): Promise<Answer> => sendJson(server, NAMED, body, headers);
  const keyWith = async (limits: object, headers = session): Promise<Headers> => {
    const answer = await create({ name: 'limited', ...limits }, headers);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return { 'x-api-key': json<{ secret: string }>(answer).secret };
  };
  const get = (path: string, headers: Headers): Promise<Answer> => send(`${server.url}/api/v1/${path}`, { headers });
  const rotate = (headers: Headers, query = ''): Promise<Answer> =>
    post(`${server.url}/api/v1/general/rotate-pdf${query}`, [file(pdf), field('angle', '90')], headers);
  const flatten = (headers: Headers): Promise<Answer> =>
    post(`${server.url}/api/v1/misc/flatten`, [file(pdf)], headers);
  const pipeline = (headers: Headers, operations: readonly string[], query = ''): Promise<Answer> => {
    const steps = operations.map((operation) => ({ operation: `/api/v1/${operation}`, parameters: {} }));
    const definition = JSON.stringify({ name: 'x', pipeline: steps });
    return post(`${server.url}/api/v1/pipeline/handleData${query}`, [file(pdf), field('json', definition)], headers);
  };

  before(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
    const { username, password } = await addUser(server, boss, 'anna');
    session = await sessionOf(server, username, password);
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());

  it('call only the operations of their categories', async () => {
    const key = await keyWith({ categories: ['general', 'filter'] });
    expect((await rotate(key)).status).to.equal(200);
    const problem = expectProblem(await flatten(key), 403, 'KEY_SCOPE') as unknown as { detail: string };
    expect(problem.detail).to.contain('limited to the categories general, filter').and.contain('misc');
    expect((await flatten(await keyWith({}))).status, 'without limits').to.equal(200);
    expect((await get('auth/me', key)).status, 'what every client needs').to.equal(200);
    for (const path of ['user/users', 'proprietary/ui-data/infrastructure/api-keys'])
      expectProblem(await get(path, key), 403, 'KEY_SCOPE');
  });

  it('run only pipelines whose steps are all in their categories, also as jobs', async () => {
    const key = await keyWith({ categories: ['general'] });
    expect((await pipeline(key, ['general/remove-image-pdf'])).status, 'a step of the category').to.equal(200);
    for (const query of ['', '?async=true']) {
      const refused = await pipeline(key, ['general/remove-image-pdf', 'misc/flatten'], query);
      expect(refused.status, refused.body.toString()).to.equal(400);
      expect(refused.body.toString()).to.contain('/api/v1/misc/flatten is not allowed');
    }
    expect((await pipeline(session, ['general/remove-image-pdf', 'misc/flatten'])).status).to.equal(200);
    const { jobId } = json<{ jobId: string }>(await rotate(key, '?async=true'));
    const job = `general/job/${encodeURIComponent(jobId)}`;
    await until('the job is complete', async () => json<{ complete: boolean }>(await get(job, key)).complete);
    expect((await get(`${job}/result`, key)).status).to.equal(200);
    expectProblem(await post(`${server.url}/api/v1/misc/flatten?async=true`, [file(pdf)], key), 403, 'KEY_SCOPE');
  });

  it('only read if they are read-only', async () => {
    const key = await keyWith({ readOnly: true });
    expect((await get('auth/me', key)).status).to.equal(200);
    expect((await get('user/users', key)).status).to.equal(200);
    expect(expectProblem(await rotate(key), 403, 'KEY_SCOPE'))
      .to.have.property('detail')
      .that.contains('read-only');
    expectProblem(await sendJson(server, '/api/v1/user/updateUserSettings', { a: 'b' }, key), 403, 'KEY_SCOPE');
    expectProblem(await pipeline(key, ['general/remove-image-pdf']), 403, 'KEY_SCOPE');
    const bossKey = await keyWith({ readOnly: true }, boss);
    expect((await get('admin/job/stats', bossKey)).status, 'with the rights of its owner').to.equal(200);
    expectProblem(await get('database/createDatabaseBackup', bossKey), 403, 'KEY_SCOPE');
  });

  it('are listed with their limits, and keys without limits as before', async () => {
    await create({ name: 'listed', categories: ['misc'], readOnly: true, expiresInDays: 30 });
    await create({ name: 'plain' });
    const { keys } = json<{ keys: ListedKey[] }>(await send(`${server.url}${NAMED}`, { headers: session }));
    const listed = keys.find(({ name }) => name === 'listed');
    expect(listed).to.deep.include({ status: 'active', categories: ['misc'], readOnly: true });
    const days = (Date.parse(`${listed?.expires.replace(' ', 'T')}Z`) - Date.now()) / 86_400_000;
    expect(days).to.be.within(29.9, 30);
    expect(keys.find(({ name }) => name === 'plain')).to.deep.include({
      status: 'active',
      categories: null,
      readOnly: false,
      expires: 'Never',
    });
  });

  it('are refused with limits that do not exist', async () => {
    for (const [limits, pointer] of [
      [{ categories: ['genral'] }, '/categories'],
      [{ categories: [] }, '/categories'],
      [{ categories: ['general', 'general'] }, '/categories/1'],
      [{ categories: [7] }, '/categories/0'],
      [{ categories: 'general' }, '/categories'],
      [{ readOnly: 'perhaps' }, '/readOnly'],
      [{ expiresInDays: 0 }, '/expiresInDays'],
      [{ expiresInDays: 3651 }, '/expiresInDays'],
      [{ expiresInDays: 1.5 }, '/expiresInDays'],
    ] as const) {
      const problem = expectProblem(await create({ name: 'x', ...limits }), 400, 'INPUT_INVALID');
      expect(pointers(problem), JSON.stringify(limits)).to.deep.equal([pointer]);
      if ('categories' in limits && limits.categories[0] === 'genral')
        expect(JSON.stringify(problem)).to.contain('"genral\\" is not a category').and.contain('general, ');
    }
  });
});
