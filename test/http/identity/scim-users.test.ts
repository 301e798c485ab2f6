import SwaggerParser from '@apidevtools/swagger-parser';
import { expect } from 'chai';
import { json, send } from '../support/client.js';
import { sessionOf } from '../support/login.js';
import { enterpriseUrn, expectScimError, ScimClient, startWithScim, userUrn, type List } from '../support/scim.js';
import type { TestServer } from '../support/server.js';

interface Account {
  readonly username: string;
  readonly role?: string;
  readonly roleName?: string;
  readonly enabled?: boolean;
  readonly authenticationType: string;
}

describe('Users of SCIM', () => {
  let server: TestServer;
  let scim: ScimClient;
  let boss: Readonly<Record<string, string>>;

  const account = async (username: string): Promise<Account | undefined> => {
    const answer = await send(`${server.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: boss });
    return json<{ users: readonly Account[] }>(answer).users.find((one) => one.username === username);
  };

  before(async () => {
    server = await startWithScim();
    scim = new ScimClient(server);
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  it('are created as accounts without a password, with the address in the answer', async () => {
    const answer = await scim.send('POST', '/Users', {
      schemas: [userUrn, enterpriseUrn],
      userName: 'ada@example.org',
      externalId: '00u1',
      password: 'never stored 123',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'ada@example.org', type: 'work', primary: true }],
      [enterpriseUrn]: { department: 'Engines', manager: { value: '1' } },
    });
    expect(answer.status, answer.body.toString()).to.equal(201);
    const user = json<Record<string, unknown> & { id: string; meta: Record<string, string> }>(answer);
    expect(user).to.deep.include({
      schemas: [userUrn, enterpriseUrn],
      userName: 'ada@example.org',
      externalId: '00u1',
      active: true,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      roles: [{ value: 'ROLE_USER' }],
      [enterpriseUrn]: { department: 'Engines', manager: { value: '1' } },
    });
    expect(user).to.not.have.property('password');
    expect(user.meta['location']).to.equal(`${server.url}/scim/v2/Users/${user.id}`);
    expect(answer.headers['location']).to.equal(user.meta['location']);
    expect(answer.headers['etag']).to.equal(user.meta['version']);
    expect(await account('ada@example.org')).to.include({ authenticationType: 'oauth2' });
  });

  it('are refused with 409 when the name or the externalId is in use, in any case of letters', async () => {
    await scim.createUser('taken@example.org', { externalId: 'taken-1' });
    for (const body of [
      { userName: 'Taken@Example.org' },
      { userName: 'other@example.org', externalId: 'taken-1' },
      { userName: 'boss' },
    ])
      expectScimError(await scim.send('POST', '/Users', { schemas: [userUrn], ...body }), 409, 'uniqueness');
    expect(await account('other@example.org'), 'no account is left behind').to.equal(undefined);
  });

  it('do not include accounts with a password, which SCIM can neither see nor change', async () => {
    expect(await scim.names('userName eq "boss"')).to.deep.equal([]);
    const list = await scim.list('/Users', { count: '200' });
    expect(list.Resources.map(({ userName }) => userName)).to.not.include('boss');
    for (const method of ['GET', 'DELETE']) expectScimError(await scim.send(method, '/Users/1'), 404);
    expect((await sessionOf(server)).authorization).to.match(/^Bearer /);
  });

  it('are replaced: attributes that are left out go, state and role stay', async () => {
    const { id } = await scim.createUser('grace', {
      displayName: 'Grace',
      title: 'Admiral',
      roles: ['ROLE_DEMO_USER'],
    });
    const user = await scim.resource('PUT', `/Users/${id}`, {
      schemas: [userUrn],
      USERNAME: 'grace.hopper',
      displayname: 'Grace Hopper',
    });
    expect(user).to.deep.include({ userName: 'grace.hopper', displayName: 'Grace Hopper', active: true });
    expect(user).to.deep.include({ roles: [{ value: 'ROLE_DEMO_USER' }] });
    expect(user).to.not.have.property('title');
    expect(await account('grace.hopper')).to.not.equal(undefined);
  });

  it('are deleted with their account', async () => {
    const { id } = await scim.createUser('gone@example.org');
    expect((await scim.send('DELETE', `/Users/${id}`)).status).to.equal(204);
    expectScimError(await scim.send('GET', `/Users/${id}`), 404);
    expectScimError(await scim.send('DELETE', `/Users/${id}`), 404);
    expect(await account('gone@example.org')).to.equal(undefined);
    await scim.createUser('gone@example.org');
  });

  it('get a role that exists, with what was sent beside it', async () => {
    const given = [{ value: 'ROLE_ADMIN', primary: true, display: 'Chief' }];
    const { id, roles } = await scim.createUser('chief', { roles: given });
    expect(roles).to.deep.equal(given);
    const down = await scim.patch(`/Users/${id}`, { op: 'replace', path: 'roles', value: [{ value: 'ROLE_USER' }] });
    expect(down).to.deep.include({ roles: [{ value: 'ROLE_USER' }] });
    const up = await scim.patch(`/Users/${id}`, { op: 'add', path: 'roles', value: [{ value: 'role_admin' }] });
    expect(up).to.deep.include({ roles: [{ value: 'ROLE_ADMIN' }] });
    const taken = await scim.patch(`/Users/${id}`, { op: 'remove', path: 'roles[value eq "ROLE_ADMIN"]' });
    expect(taken).to.deep.include({ roles: [{ value: 'ROLE_USER' }] });
    const wrong = await scim.send('PATCH', `/Users/${id}`, {
      Operations: [{ op: 'replace', path: 'roles', value: [{ value: 'ROLE_KING' }] }],
    });
    expect(expectScimError(wrong, 400, 'invalidValue'))
      .to.include('ROLE_KING')
      .and.include('ROLE_ADMIN');
  });

  it('change only while their version is that of If-Match, and are not sent again to whoever has them', async () => {
    const { id, meta } = await scim.createUser('versioned@example.org');
    const change = { Operations: [{ op: 'replace', path: 'title', value: 'one' }] };
    const first = await scim.send('PATCH', `/Users/${id}`, change, { 'if-match': meta.version });
    expect(first.status).to.equal(200);
    expectScimError(await scim.send('PATCH', `/Users/${id}`, change, { 'if-match': meta.version }), 412);
    expectScimError(await scim.send('DELETE', `/Users/${id}`, undefined, { 'if-match': meta.version }), 412);
    const now = String(first.headers['etag']);
    const known = await scim.send('GET', `/Users/${id}`, undefined, { 'if-none-match': now });
    expect(known.status).to.equal(304);
    const again = await scim.send('PATCH', `/Users/${id}`, change, { 'if-match': '*' });
    expect(again.headers['etag'], 'the same value again changes nothing').to.equal(now);
    const whole = { userName: 'versioned@example.org', title: 'one' };
    expect((await scim.send('PUT', `/Users/${id}`, whole)).headers['etag'], 'nor the same whole').to.equal(now);
  });

  it('show only the attributes that were asked for', async () => {
    const { id } = await scim.createUser('short', { displayName: 'Short', name: { givenName: 'S', familyName: 'T' } });
    const get = (query: string) => scim.resource('GET', `/Users/${id}?${query}`);
    expect(await get('attributes=USERNAME,name.givenName')).to.deep.equal({
      schemas: [userUrn],
      id,
      userName: 'short',
      name: { givenName: 'S' },
    });
    expect(await get('excludedAttributes=meta,name,id,roles')).to.deep.equal({
      schemas: [userUrn],
      id,
      userName: 'short',
      active: true,
      displayName: 'Short',
    });
  });

  it('have attributes of unknown extensions kept and returned', async () => {
    const urn = 'urn:example:params:scim:schemas:extension:acme:2.0:User';
    const { id } = await scim.createUser('custom', { [urn]: { badge: 7 }, schemas: [userUrn, urn] });
    const user = await scim.patch(`/Users/${id}`, { op: 'add', path: `${urn}:floor`, value: 'third' });
    expect(user).to.deep.include({ schemas: [userUrn, urn], [urn]: { badge: 7, floor: 'third' } });
  });

  it('are described in the API document of this server', async () => {
    const answer = await send(`${server.url}/v1/api-docs`, { headers: boss });
    const document = json<{ paths: Record<string, object> }>(answer);
    await SwaggerParser.validate(structuredClone(document) as never);
    expect(Object.keys(document.paths['/scim/v2/Users/{id}'] ?? {})).to.have.members(['get', 'put', 'patch', 'delete']);
  });

  describe('in lists', () => {
    before(async () => {
      for (const name of ['list-c', 'list-a', 'list-b'])
        await scim.createUser(name, {
          externalId: `x-${name}`,
          displayName: name.toUpperCase(),
          active: name !== 'list-b',
          emails: [
            { type: 'home', value: `${name}@home.example` },
            { type: 'work', value: `${name}@work.example` },
          ],
        });
    });

    it('are filtered by all operators', async () => {
      for (const [filter, found] of [
        ['userName eq "LIST-A"', ['list-a']],
        ['username Eq "list-a" And active eq true', ['list-a']],
        ['userName eq "list-a" and active eq false', []],
        ['externalId eq "x-list-b"', ['list-b']],
        ['externalId eq "X-list-b"', []],
        ['userName sw "list-" and active eq "False"', ['list-b']],
        ['userName sw "list-" and not (userName ew "c")', ['list-a', 'list-b']],
        ['displayName co "st-" and userName gt "list-a"', ['list-c', 'list-b']],
        ['userName le "list-b" and userName ge "list-b"', ['list-b']],
        ['emails[type eq "work" and value sw "list-a@work"]', ['list-a']],
        ['emails[type eq "work" and value co "home"]', []],
        ['emails.value eq "list-c@home.example"', ['list-c']],
        ['emails co "list-c@"', ['list-c']],
        ['displayName pr and userName sw "list-" and title pr', []],
        ['displayName ne "LIST-A" and userName sw "list"', ['list-c', 'list-b']],
        [`${userUrn}:userName eq "list-a"`, ['list-a']],
        [`userName eq "list-a" or (userName eq "list-b" and active eq false)`, ['list-a', 'list-b']],
        ['meta.created gt "2020-01-01T00:00:00Z" and userName eq "list-a"', ['list-a']],
        ['title eq null and userName eq "list-a"', ['list-a']],
      ] as const)
        expect((await scim.names(filter)).sort(), filter).to.deep.equal([...found].sort());
    });

    it('are sorted and come in pages', async () => {
      const list = (query: Readonly<Record<string, string>>): Promise<List> =>
        scim.list('/Users', { filter: 'userName sw "list-"', ...query });
      const names = ({ Resources }: List) => Resources.map(({ userName }) => userName);
      expect(names(await list({ sortBy: 'userName' }))).to.deep.equal(['list-a', 'list-b', 'list-c']);
      expect(names(await list({ sortBy: 'displayName', sortOrder: 'descending' }))).to.deep.equal([
        'list-c',
        'list-b',
        'list-a',
      ]);
      const page = await list({ sortBy: 'emails', startIndex: '2', count: '1' });
      expect(page).to.deep.include({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
      expect(names(page)).to.deep.equal(['list-b']);
      expect(await list({ startIndex: '-3', count: '-1' })).to.deep.include({
        totalResults: 3,
        startIndex: 1,
        itemsPerPage: 0,
        Resources: [],
      });
    });

    it('are searched by POST, alone and with groups', async () => {
      const group = await scim.createGroup('list-group');
      const search = (path: string, body: object): Promise<List> => scim.resource<List>('POST', path, body);
      const users = await search('/Users/.search', {
        filter: 'userName sw "list-"',
        attributes: ['userName'],
        count: 2,
      });
      expect(users).to.deep.include({ totalResults: 3, itemsPerPage: 2 });
      expect(Object.keys(users.Resources[0] ?? {})).to.have.members(['schemas', 'id', 'userName']);
      const filter = 'displayName sw "list-"';
      expect((await search('/Groups/.search', { filter })).Resources.map(({ id }) => id)).to.deep.equal([group.id]);
      const all = await search('/.search', { filter, startIndex: 3, count: 2 });
      expect(all.totalResults).to.equal(4);
      expect(all.Resources.map(({ displayName }) => displayName)).to.deep.equal(['LIST-B', 'list-group']);
    });
  });

  describe('as Entra ID sends them', () => {
    it('change by capital operations, texts for booleans and filters in paths', async () => {
      const { id } = await scim.createUser('entra@example.org');
      const user = await scim.patch(
        `/Users/${id}`,
        { op: 'Add', path: 'emails[type eq "work"].value', value: 'work@example.org' },
        { op: 'Add', path: 'name.givenName', value: 'En' },
        { op: 'Add', path: `${enterpriseUrn}:department`, value: 'Sales' },
        { op: 'Add', path: `${enterpriseUrn}:manager`, value: '7' },
        { op: 'Replace', path: 'active', value: 'False' },
        {
          op: 'Replace',
          value: { displayName: 'En Tra', 'name.familyName': 'Tra', [`${enterpriseUrn}:division`]: 'EU' },
        },
      );
      expect(user).to.deep.include({
        active: false,
        displayName: 'En Tra',
        name: { givenName: 'En', familyName: 'Tra' },
        emails: [{ type: 'work', value: 'work@example.org' }],
        [enterpriseUrn]: { department: 'Sales', manager: { value: '7' }, division: 'EU' },
      });
      const changed = await scim.patch(
        `/Users/${id}`,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.org' },
        { op: 'Replace', path: 'active', value: 'True' },
        { op: 'Remove', path: `${enterpriseUrn}:manager` },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'ROLE_PRO_USER' },
      );
      expect(changed).to.deep.include({
        active: true,
        emails: [{ type: 'work', value: 'new@example.org' }],
        roles: [{ primary: true, value: 'ROLE_PRO_USER' }],
        [enterpriseUrn]: { department: 'Sales', division: 'EU' },
      });
    });
  });

  describe('as Okta sends them', () => {
    it('are found by name, created, deactivated without a path, and replaced', async () => {
      const userName = 'okta.user@example.org';
      expect(
        await scim.list('/Users', { filter: `userName eq "${userName}"`, startIndex: '1', count: '100' }),
      ).to.deep.equal({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 0,
        startIndex: 1,
        itemsPerPage: 0,
        Resources: [],
      });
      const body = {
        schemas: [userUrn],
        userName,
        name: { givenName: 'Okta', familyName: 'User' },
        emails: [{ primary: true, value: userName, type: 'work' }],
        displayName: 'Okta User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      };
      const { id } = await scim.resource('POST', '/Users', body, 201);
      const off = await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
      expect(off).to.deep.include({ active: false, locale: 'en-US' });
      const on = await scim.resource('PUT', `/Users/${id}`, {
        ...body,
        id,
        meta: { resourceType: 'User' },
        active: true,
      });
      expect(on).to.deep.include({ active: true, userName });
    });
  });
});
