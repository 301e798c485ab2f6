import { expect } from 'chai';
import { json, send } from '../support/client.js';
import { sessionOf } from '../support/login.js';
import { expectScimError, groupUrn, ScimClient, startWithScim, type Resource } from '../support/scim.js';
import type { TestServer } from '../support/server.js';

interface AdminSettings {
  readonly users: readonly { readonly username: string; readonly team?: { readonly name: string } }[];
}

const memberIds = (group: Resource): string[] =>
  ((group['members'] ?? []) as { value: string }[]).map(({ value }) => value).sort();

describe('Groups of SCIM', () => {
  let server: TestServer;
  let scim: ScimClient;
  const ids: Record<string, string> = {};

  const roleOf = async (name: string): Promise<unknown> => {
    const [user] = (await scim.list('/Users', { filter: `userName eq "${name}"` })).Resources;
    return (user?.['roles'] as { value: string }[] | undefined)?.[0]?.value;
  };
  const teamOf = async (name: string): Promise<string | undefined> => {
    const answer = await send(`${server.url}/api/v1/proprietary/ui-data/admin-settings`, {
      headers: await sessionOf(server),
    });
    return json<AdminSettings>(answer).users.find(({ username }) => username === name)?.team?.name;
  };

  before(async () => {
    server = await startWithScim({
      groupRoles: ['quire-admins=ROLE_ADMIN', 'pros=ROLE_PRO_USER'],
      groupTeams: ['accounting=Accounting', 'ext-77=Sales'],
    });
    scim = new ScimClient(server);
    for (const name of ['ada', 'bob', 'cleo', 'dan']) ids[name] = (await scim.createUser(name)).id;
  });
  after(() => server.stop());

  it('keep their members, who see their groups', async () => {
    const group = await scim.createGroup('staff', [ids['ada'] ?? '', ids['bob'] ?? '']);
    expect(group).to.deep.include({
      displayName: 'staff',
      members: ['ada', 'bob'].map((name) => ({
        value: ids[name],
        $ref: `${server.url}/scim/v2/Users/${ids[name]}`,
        type: 'User',
      })),
    });
    const ada = await scim.resource('GET', `/Users/${ids['ada']}`);
    expect(ada).to.deep.include({
      groups: [{ value: group.id, $ref: group.meta.location, display: 'staff', type: 'direct' }],
    });
    expect(await scim.names('groups.display eq "staff"')).to.deep.equal(['ada', 'bob']);
    expect(await scim.names(`groups eq "${group.id}" and userName eq "bob"`)).to.deep.equal(['bob']);
  });

  it('are found by name, externalId and member, without reading members that nobody asks for', async () => {
    const { id } = await scim.resource('POST', '/Groups', { displayName: 'Finders', externalId: 'f-1' }, 201);
    await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: ids['dan'] }] });
    for (const filter of [
      'displayName eq "finders"',
      'externalId eq "f-1"',
      `members eq "${ids['dan']}"`,
      `members[value eq "${ids['dan']}"] and displayName sw "F"`,
      `id eq "${id}"`,
    ])
      expect(
        (await scim.list('/Groups', { filter })).Resources.map((one) => one.id),
        filter,
      ).to.deep.equal([id]);
    const [found] = (await scim.list('/Groups', { filter: 'displayName eq "finders"', excludedAttributes: 'members' }))
      .Resources;
    expect(found).to.not.have.property('members');
  });

  it('give role and team by rules, and take them away with the membership', async () => {
    const admins = await scim.createGroup('quire-admins', [ids['cleo'] ?? '']);
    const accounting = await scim.createGroup('accounting', [ids['cleo'] ?? '']);
    await scim.resource(
      'POST',
      '/Groups',
      { displayName: 'sellers', externalId: 'ext-77', members: [{ value: ids['cleo'] }] },
      201,
    );
    expect([await roleOf('cleo'), await teamOf('cleo')]).to.deep.equal(['ROLE_ADMIN', 'Accounting']);
    await scim.patch(`/Groups/${accounting.id}`, { op: 'remove', path: `members[value eq "${ids['cleo']}"]` });
    expect(await teamOf('cleo'), 'a group can be named by its externalId').to.equal('Sales');
    await scim.patch(`/Groups/${admins.id}`, { op: 'replace', path: 'displayName', value: 'pros' });
    expect(await roleOf('cleo'), 'a renamed group').to.equal('ROLE_PRO_USER');
    expect((await scim.send('DELETE', `/Groups/${admins.id}`)).status).to.equal(204);
    expect(await roleOf('cleo')).to.equal('ROLE_USER');
  });

  it('decide alone about the role: the attribute roles is then read-only', async () => {
    const user = await scim.patch(`/Users/${ids['dan']}`, {
      op: 'replace',
      path: 'roles',
      value: [{ value: 'ROLE_ADMIN' }],
    });
    expect(user).to.deep.include({ roles: [{ value: 'ROLE_USER' }] });
    const schema = await scim.resource<{ attributes: { name: string; mutability: string }[] }>(
      'GET',
      '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User',
    );
    expect(schema.attributes.find(({ name }) => name === 'roles')).to.include({ mutability: 'readOnly' });
  });

  it('lose members as Entra ID and Okta remove them', async () => {
    const { id } = await scim.createGroup('leavers', [ids['ada'] ?? '', ids['bob'] ?? '', ids['cleo'] ?? '']);
    const entra = { op: 'Remove', path: 'members', value: [{ $ref: null, value: ids['ada'] }] };
    expect(memberIds(await scim.patch(`/Groups/${id}`, entra))).to.deep.equal([ids['bob'], ids['cleo']].sort());
    const okta = { op: 'remove', path: `members[value eq "${ids['bob']}"]` };
    expect(memberIds(await scim.patch(`/Groups/${id}`, okta))).to.deep.equal([ids['cleo']]);
    expect(memberIds(await scim.patch(`/Groups/${id}`, okta)), 'who is gone stays gone').to.deep.equal([ids['cleo']]);
    const renamed = await scim.patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName: 'Leavers 2' } });
    expect(renamed).to.deep.include({ displayName: 'Leavers 2' });
    const all = await scim.patch(`/Groups/${id}`, {
      op: 'replace',
      path: 'members',
      value: [{ value: ids['ada'], display: 'ada' }, { value: ids['dan'] }],
    });
    expect(memberIds(all)).to.deep.equal([ids['ada'], ids['dan']].sort());
    expect(await scim.patch(`/Groups/${id}`, { op: 'remove', path: 'members' })).to.not.have.property('members');
  });

  it('are replaced with exactly the members that are sent', async () => {
    const { id } = await scim.createGroup('replaced', [ids['ada'] ?? '']);
    const body = {
      schemas: [groupUrn],
      displayName: 'replaced',
      members: [{ value: ids['bob'] }, { value: ids['bob'] }],
    };
    expect(memberIds(await scim.resource('PUT', `/Groups/${id}`, body))).to.deep.equal([ids['bob']]);
  });

  it('lose no member when many are added at once', async () => {
    const { id } = await scim.createGroup('crowd');
    const people = await Promise.all(Array.from({ length: 20 }, (_, at) => scim.createUser(`crowd-${at}`)));
    await Promise.all(
      people.map((person) =>
        scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: person.id }] }),
      ),
    );
    const group = await scim.resource('GET', `/Groups/${id}`);
    expect(memberIds(group)).to.deep.equal(people.map((person) => person.id).sort());
    await Promise.all(
      people
        .slice(5)
        .map((person) => scim.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${person.id}"]` })),
    );
    expect(memberIds(await scim.resource('GET', `/Groups/${id}`))).to.have.length(5);
  });

  it('lose a user who is deleted, and change their version by it', async () => {
    const gone = await scim.createUser('soon-gone');
    const { id, meta } = await scim.createGroup('shrinking', [gone.id, ids['ada'] ?? '']);
    expect((await scim.send('DELETE', `/Users/${gone.id}`)).status).to.equal(204);
    const group = await scim.resource<Resource>('GET', `/Groups/${id}`);
    expect(memberIds(group)).to.deep.equal([ids['ada']]);
    expect(group.meta.version).to.not.equal(meta.version);
  });

  it('are refused with a name in use, unknown members, groups as members, and an old version', async () => {
    const { id, meta } = await scim.createGroup('strict');
    expectScimError(await scim.send('POST', '/Groups', { displayName: 'STRICT' }), 409, 'uniqueness');
    for (const members of [[{ value: '99999' }], [{ value: '1' }], [{ value: ids['ada'], type: 'Group' }], [{}]])
      expectScimError(await scim.send('POST', '/Groups', { displayName: 'new', members }), 400, 'invalidValue');
    const add = { Operations: [{ op: 'add', path: 'members', value: [{ value: ids['ada'] }, { value: '99999' }] }] };
    expectScimError(await scim.send('PATCH', `/Groups/${id}`, add), 400, 'invalidValue');
    expect(await scim.resource('GET', `/Groups/${id}`), 'nothing of a refused change stays').to.not.have.property(
      'members',
    );
    await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: ids['ada'] }] });
    const old = { 'if-match': meta.version };
    expectScimError(await scim.send('PUT', `/Groups/${id}`, { displayName: 'strict' }, old), 412);
    expectScimError(await scim.send('DELETE', `/Groups/${id}`, undefined, old), 412);
  });
});
