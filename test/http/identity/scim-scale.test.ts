import { expect } from 'chai';
import { json, send } from '../support/client.js';
import { sessionOf } from '../support/login.js';
import { expectScimError, scimToken, ScimClient, startWithScim } from '../support/scim.js';
import { until, type TestServer } from '../support/server.js';
import { isNightly } from '../../suites/nightly.js';

/** In the nightly run an organisation whose size shows in the times of calls. */
const PEOPLE = isNightly ? 5000 : 500;
const MEMBERS = PEOPLE * 0.8;
/** A filter that looks at everybody costs at least so many times a lookup. */
const LEAST_RATIO = 3;

interface Event {
  readonly principal: string;
  readonly type: string;
  readonly data: { readonly subject?: string; readonly reason?: string; readonly code?: string };
}

describe('SCIM for a large organisation', function () {
  this.timeout(180_000);
  let server: TestServer;
  let scim: ScimClient;
  let ids: string[];

  before(async () => {
    server = await startWithScim({ groupTeams: ['everybody=Everybody'] });
    scim = new ScimClient(server);
    ids = [];
    let next = 0;
    const create = async (): Promise<void> => {
      for (let at = next++; at < PEOPLE; at = next++)
        ids[at] = (await scim.createUser(`user-${at}@example.org`, { externalId: `x-${at}`, title: `t${at % 7}` })).id;
    };
    await Promise.all(Array.from({ length: 16 }, create));
  });
  after(() => server.stop());

  /** Milliseconds of the median of some calls with this filter, which finds so many users. */
  const costOf = async (filter: string, found: number): Promise<number> => {
    const costs: number[] = [];
    for (let call = 0; call < 9; call++) {
      const began = performance.now();
      expect((await scim.list('/Users', { filter, count: '1' })).totalResults, filter).to.equal(found);
      costs.push(performance.now() - began);
    }
    return costs.sort((a, b) => a - b)[4] ?? 0;
  };

  const itNightly = isNightly ? it : (): undefined => undefined;
  itNightly('looks up a name and an externalId, and looks at everybody only for other filters', async () => {
    const all = await costOf('title eq "t3" and active eq true', 714);
    for (const filter of ['userName eq "user-4711@example.org"', 'externalId eq "x-4711" and active eq true'])
      expect(all / (await costOf(filter, 1)), filter).to.be.above(LEAST_RATIO);
  });

  it('lists everybody once over all pages', async () => {
    const seen = new Set<string>();
    for (let startIndex = 1; startIndex <= PEOPLE; startIndex += 200)
      for (const { id } of (await scim.list('/Users', { startIndex: String(startIndex), count: '200' })).Resources)
        seen.add(id);
    expect(seen.size).to.equal(PEOPLE);
  });

  it('sorts them, with at most 200 in an answer', async () => {
    const sorted = await scim.list('/Users', { sortBy: 'userName', sortOrder: 'descending', count: '5000' });
    expect([sorted.totalResults, sorted.itemsPerPage]).to.deep.equal([PEOPLE, 200]);
    expect(sorted.Resources[0]?.['userName']).to.equal(
      ids
        .map((_id, i) => `user-${i}@example.org`)
        .sort()
        .at(-1),
    );
  });

  it('changes one member of a large group, and shows the group without them', async () => {
    const group = await scim.createGroup('thousands', ids.slice(0, MEMBERS));
    const add = { op: 'add', path: 'members', value: [{ value: ids[PEOPLE - 1] }] };
    const { members } = await scim.patch(`/Groups/${group.id}`, add);
    expect(members).to.have.length(MEMBERS + 1);
    const query = { filter: 'displayName eq "thousands"', excludedAttributes: 'members' };
    expect((await scim.list('/Groups', query)).Resources[0]).to.not.have.property('members');
  });

  it('records every change in the audit log, and calls with a wrong token', async () => {
    const boss = await sessionOf(server);
    const events = async (type: string): Promise<readonly Event[]> => {
      const answer = await send(`${server.url}/api/v1/audit/data?type=${type}&size=50`, { headers: boss });
      return json<{ content: readonly Event[] }>(answer).content;
    };
    const [id] = ids;
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'late' });
    await scim.createGroup('everybody', [ids[1] ?? '']);
    expect((await scim.send('DELETE', `/Users/${id}`)).status).to.equal(204);
    const reasons = async (): Promise<string[]> =>
      (await events('USER_PROFILE_UPDATE'))
        .filter(({ principal }) => principal === 'SCIM')
        .map(({ data }) => `${data.subject ?? 'no user'}: ${data.reason}`);
    await until('the changes are recorded', async () => (await reasons()).some((one) => one.includes('deleted')));
    expect((await reasons()).slice(0, 5).reverse()).to.deep.equal([
      'user-0@example.org: disabled: its sessions, API keys and jobs end',
      'user-0@example.org: changed title',
      'no user: group everybody created with 1 members',
      'user-1@example.org: moved to another team, by groups',
      'user-0@example.org: deleted with its sessions, API keys, jobs and files',
    ]);
    const wrong = { authorization: `Bearer ${scimToken}x` };
    expectScimError(await scim.send('GET', '/Users', undefined, wrong), 401);
    await until('the wrong token is recorded', async () =>
      (await events('USER_FAILED_LOGIN')).some(({ data }) => data.code === 'SCIM_TOKEN_INVALID'),
    );
  });
});
