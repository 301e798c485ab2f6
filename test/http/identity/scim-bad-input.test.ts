import { expect } from 'chai';
import { send } from '../support/client.js';
import { globalKey, keyOf, sessionOf } from '../support/login.js';
import { enterpriseUrn, expectScimError, ScimClient, scimToken, startWithScim, userUrn } from '../support/scim.js';
import { startServer, type TestServer } from '../support/server.js';

describe('Bad input of SCIM', () => {
  let server: TestServer;
  let scim: ScimClient;
  let id: string;

  before(async () => {
    server = await startWithScim();
    scim = new ScimClient(server);
    ({ id } = await scim.createUser('ada', { displayName: 'Ada' }));
  });
  after(() => server.stop());

  const patched = (...Operations: readonly object[]) => scim.send('PATCH', `/Users/${id}`, { Operations });

  it('in filters is refused with the place and the reason', async () => {
    for (const [filter, place, reason] of [
      ['userNam eq "x"', 'character 1', 'userNam'],
      ['userName eqq "x"', 'character 10', 'eq'],
      ['userName eq', 'character 12', 'double quotes'],
      ['userName eq "x', 'character 13', 'not closed'],
      ["userName eq 'x'", 'character 13', 'double quotes'],
      ['userName eq "x" and', 'character 20', 'name of an attribute'],
      ['userName eq "x" "y"', 'character 17', 'not expected'],
      ['(userName eq "x"', 'character 17', '")" is missing'],
      ['not userName eq "x"', 'character 5', 'brackets'],
      ['active gt true', 'character 11', 'true or false'],
      ['active eq "yes"', 'character 11', 'true or false'],
      ['userName gt 5', 'character 13', 'a text'],
      ['name eq "x"', 'character 1:', 'has parts'],
      ['emails[type eq "work"', 'character 22', '"]" is missing'],
      ['userName[value eq "x"]', 'character 9', 'not a list'],
      ['meta.created gt "yesterday"', 'character 17', 'a time'],
      ['emails[colour eq "red"]', 'character 8', 'colour'],
      [`${'('.repeat(50)}userName pr${')'.repeat(50)}`, 'character', 'levels'],
    ] as const) {
      const answer = await scim.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      const detail = expectScimError(answer, 400, 'invalidFilter');
      expect(detail, filter).to.include(place).and.to.include(reason);
    }
    const long = await scim.send('POST', '/Users/.search', { filter: `userName eq "${'x'.repeat(5000)}"` });
    expectScimError(long, 400, 'invalidValue');
    expectScimError(await scim.send('GET', '/Users?sortBy=colour'), 400, 'invalidPath');
  });

  it('in paths and operations is refused, and nothing of the change stays', async () => {
    const good = { op: 'replace', path: 'displayName', value: 'Changed' };
    for (const [operation, scimType, reason] of [
      [{ op: 'replace', path: 'actve', value: false }, 'invalidPath', 'actve'],
      [{ op: 'replace', value: { actve: false } }, 'invalidPath', 'actve'],
      [{ op: 'replace', path: 'emails[type eq]', value: 'x' }, 'invalidPath', 'emails'],
      [{ op: 'replace', path: 'emails[type eq "work"].colour', value: 'x' }, 'invalidPath', 'colour'],
      [{ op: 'replace', path: `${enterpriseUrn}:colour`, value: 'x' }, 'invalidPath', 'colour'],
      [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'x' }, 'noTarget', 'emails'],
      [{ op: 'add', path: 'emails[type co "wo"].value', value: 'x' }, 'noTarget', 'emails'],
      [{ op: 'remove' }, 'noTarget', 'path'],
      [{ op: 'remove', path: 'userName' }, 'invalidValue', 'userName'],
      [{ op: 'remove', path: 'active' }, 'mutability', 'active'],
      [{ op: 'replace', path: 'userName', value: 'a b' }, 'invalidValue', 'userName'],
      [{ op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue', 'active'],
      [{ op: 'replace', path: 'displayName', value: { a: 1 } }, 'invalidValue', 'displayName'],
      [{ op: 'replace', path: 'name', value: 'Ada' }, 'invalidValue', 'name'],
      [{ op: 'replace', path: 'id', value: '7' }, 'mutability', 'id'],
      [{ op: 'add', path: 'groups', value: [{ value: '1' }] }, 'mutability', 'groups'],
      [{ op: 'move', path: 'displayName', value: 'x' }, 'invalidSyntax', 'operation 2'],
      [{ op: 'replace', path: 'displayName' }, 'invalidSyntax', 'operation 2'],
      [{ op: 'replace', value: 'x' }, 'invalidSyntax', 'operation 2'],
      [{ op: 'replace', path: 7, value: 'x' }, 'invalidSyntax', 'operation 2'],
    ] as const)
      expect(expectScimError(await patched(good, operation), 400, scimType)).to.include(reason);
    expect(await scim.resource('GET', `/Users/${id}`)).to.deep.include({ displayName: 'Ada', active: true });
  });

  it('in bodies is refused with what is expected', async () => {
    for (const [body, scimType, reason] of [
      ['{', 'invalidSyntax', 'JSON'],
      [{ userName: 'x1y', schemas: ['urn:other'] }, 'invalidSyntax', userUrn],
      [{ displayName: 'x' }, 'invalidValue', 'userName'],
      [{ userName: 'a' }, 'invalidValue', 'userName'],
      [{ userName: 'anonymousUser' }, 'invalidValue', 'reserved'],
      [
        {
          userName: 'xyz',
          emails: [
            { value: 'a', primary: true },
            { value: 'b', primary: true },
          ],
        },
        'invalidValue',
        'emails',
      ],
      [{ userName: 'xyz', emails: [['a']] }, 'invalidValue', 'emails'],
      [{ userName: 'xyz', [enterpriseUrn]: 'text' }, 'invalidValue', enterpriseUrn],
      [`{"userName":"xyz","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'invalidSyntax', 'levels'],
      [{ userName: 'xyz', externalId: 'x'.repeat(600) }, 'invalidValue', 'externalId'],
      [{ userName: 'xyz', title: 'x'.repeat(70_000) }, 'invalidValue', 'title'],
      [{ userName: 'xyz', roles: [{ value: 'ROLE_BACKEND_API_USER' }] }, 'invalidValue', 'ROLE_BACKEND_API_USER'],
    ] as const)
      expect(expectScimError(await scim.send('POST', '/Users', body), 400, scimType)).to.include(reason);
    expectScimError(await scim.send('PATCH', `/Users/${id}`, { Operations: [] }), 400, 'invalidSyntax');
    const many = Array.from({ length: 1001 }, () => ({ op: 'add', path: 'title', value: 'x' }));
    expectScimError(await scim.send('PATCH', `/Users/${id}`, { Operations: many }), 400, 'invalidSyntax');
    expectScimError(await scim.send('POST', '/Users', { userName: 'big', x: 'x'.repeat(1_100_000) }), 413);
    expectScimError(await scim.send('POST', '/Users', 'a=b', { 'content-type': 'text/plain' }), 415);
    const list = await scim.list('/Users', {});
    expect(list.totalResults, 'no account was made').to.equal(1);
  });

  it('in attributes of unknown extensions is refused where they are no objects', async () => {
    const urn = 'urn:example:text';
    const user = await scim.createUser('texts', { [urn]: 'a text' });
    const change = { Operations: [{ op: 'add', path: `${urn}:part`, value: 'x' }] };
    expectScimError(await scim.send('PATCH', `/Users/${user.id}`, change), 400, 'invalidPath');
    const deep = `{"Operations":[{"op":"add","path":"${urn}","value":${'['.repeat(90_000)}${']'.repeat(90_000)}}]}`;
    expectScimError(await scim.send('PATCH', `/Users/${user.id}`, deep), 400, 'invalidSyntax');
    expect(await scim.resource('GET', `/Users/${user.id}`)).to.deep.include({ [urn]: 'a text' });
  });

  it('cannot reach the prototype of objects', async () => {
    const user = await scim.resource('POST', '/Users', '{"userName":"proto","__proto__":{"active":false,"x":1}}', 201);
    expect(user).to.deep.include({ active: true });
    expect(user).to.not.have.property('x');
    const operations = '{"Operations":[{"op":"add","path":"__proto__.x","value":1}]}';
    expectScimError(await scim.send('PATCH', `/Users/${user.id}`, operations), 400, 'invalidPath');
    const named = '{"Operations":[{"op":"add","value":{"__proto__":{"x":1},"constructor":1}}]}';
    expectScimError(await scim.send('PATCH', `/Users/${user.id}`, named), 400, 'invalidPath');
    expect(({} as Record<string, unknown>)['x']).to.equal(undefined);
  });

  it('at addresses that do not exist or are not supported has the form of SCIM too', async () => {
    expectScimError(await scim.send('GET', '/Printers'), 404);
    expectScimError(await scim.send('GET', '/Users/no-such-user'), 404);
    expectScimError(await scim.send('DELETE', '/Users'), 405);
    expectScimError(await scim.send('GET', '/Me'), 501);
    expectScimError(await scim.send('POST', '/Bulk', { Operations: [] }), 501);
    expectScimError(await scim.send('GET', '/Schemas?filter=x'), 403);
    expectScimError(await scim.send('GET', '/Schemas/urn:other'), 404);
  });

  it('of credentials opens nothing: only the token does, and only these addresses', async () => {
    const boss = await sessionOf(server);
    for (const headers of [
      { authorization: '' },
      { authorization: boss.authorization },
      { authorization: '', 'x-api-key': globalKey },
      { authorization: '', 'x-api-key': await keyOf(server, boss) },
      { authorization: '', 'x-api-key': scimToken },
      { authorization: `Basic ${Buffer.from(`scim:${scimToken}`).toString('base64')}` },
    ]) {
      const answer = await scim.send('GET', '/Users', undefined, headers);
      expectScimError(answer, 401);
      expect(answer.headers['www-authenticate']).to.match(/^Bearer realm="scim"/);
    }
    for (const path of ['/api/v1/auth/me', '/api/v1/admin/settings', '/api/v1/general/jobs'])
      for (const headers of [{ authorization: `Bearer ${scimToken}` }, { 'x-api-key': scimToken }])
        expect((await send(`${server.url}${path}`, { headers })).status, path).to.equal(401);
  });

  it('of tokens is slowed down, while the right one is accepted', async () => {
    const other = await startWithScim({}, { throttle: { wrongKeys: 3, windowSeconds: 600 } });
    try {
      const client = new ScimClient(other);
      const wrong = { authorization: `Bearer ${scimToken}x` };
      for (let at = 0; at < 3; at++) expectScimError(await client.send('GET', '/Users', undefined, wrong), 401);
      expectScimError(await client.send('GET', '/Users', undefined, wrong), 429);
      expect((await client.list('/Users')).totalResults).to.equal(0);
    } finally {
      await other.stop();
    }
  });

  it('is none while SCIM is off, has no token, or there are no accounts', async () => {
    for (const [settings, status] of [
      [{ security: { enableLogin: true } }, 404],
      [{ security: { enableLogin: false }, scim: { enabled: true, token: scimToken } }, 404],
      [{ security: { enableLogin: true }, scim: { enabled: true } }, 401],
    ] as const) {
      const other = await startServer(settings);
      try {
        const answer = await new ScimClient(other).send('GET', '/Users');
        expect(answer.status, JSON.stringify(settings)).to.equal(status);
        const empty = await send(`${other.url}/scim/v2/Users`, { headers: { authorization: 'Bearer ' } });
        expect(empty.status).to.equal(status);
      } finally {
        await other.stop();
      }
    }
  });

  it('in settings stops the start with a sentence', async () => {
    for (const [scimSettings, reason] of [
      [{ token: 'short' }, '32 to 512'],
      [{ token: scimToken, externalIdIsSubjectOf: 'nobody' }, 'not a provider of security.oauth2'],
      [{ token: scimToken, groupRoles: ['x=king'] }, 'king'],
      [{ token: scimToken, authenticationType: 'web' }, 'oauth2'],
    ] as const) {
      const text = await startWithScim(scimSettings).then(
        (started) => started.stop().then(() => 'started'),
        (error: unknown) => String(error),
      );
      expect(text).to.include(reason);
    }
  });
});
