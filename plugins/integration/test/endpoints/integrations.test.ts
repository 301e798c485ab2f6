import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, send, type Answer } from '../../../../test/http/support/client.js';
import {
  type Server,
  type Connection,
  ALL,
  TENANT,
  api,
  start,
  make,
  change,
  get,
  remove,
  made,
} from './connections-server.js';

describe('connections without login', function () {
  this.timeout(60_000);
  let server: Server;
  before(async () => (server = await start()));
  after(() => server?.stop());

  it('are made, listed, read, changed and deleted, with their defaults', async () => {
    const one = await made(server, api());
    expect(one).to.deep.include({
      integrationType: 'API',
      name: 'Archive',
      scope: 'USER',
      ownerUserId: null,
      ownerTeamId: null,
      enabled: true,
      locked: false,
      defaultAccess: 'EXPLICIT_ONLY',
      canManage: true,
    });
    expect(one.config).to.deep.equal({
      baseUrl: 'https://archive.example.com/api',
      authType: 'BEARER',
      token: '********',
    });
    expect(json(await get(server, `/${one.id}`))).to.deep.equal(one);
    expect(json<Connection[]>(await get(server, '')).map(({ id }) => id)).to.deep.equal([one.id]);
    expect(json(await get(server, '/capabilities'))).to.deep.equal({ customApi: true });
    const changed = json<Connection>(await change(server, one.id, { name: 'Renamed', enabled: false }));
    expect(changed).to.deep.include({ name: 'Renamed', enabled: false, createdAt: one.createdAt });
    expect(changed.config).to.deep.equal(one.config);
    expect([
      (await remove(server, one.id)).status,
      (await remove(server, one.id)).status,
      (await get(server, `/${one.id}`)).status,
    ]).to.deep.equal([204, 404, 404]);
    const next = await made(server, api());
    expect(next.id, 'numbers are not given twice').to.be.greaterThan(one.id);
    await remove(server, next.id);
  });

  it('keep a secret that is sent back masked or blank, replace it otherwise, drop missing keys', async () => {
    const { id } = await made(
      server,
      api({ headers: { 'X-Tenant': 't1', 'X-Api-Key': 'key-in-a-header' }, timeoutSeconds: 5 }),
    );
    const seen = json<Connection>(await get(server, `/${id}`)).config;
    expect(seen).to.deep.include({ headers: { 'X-Tenant': 't1', 'X-Api-Key': '********' }, timeoutSeconds: 5 });
    const again = json<Connection>(
      await change(server, id, { config: { ...seen, timeoutSeconds: undefined, token: '' } }),
    );
    expect(again.config).to.deep.equal({
      baseUrl: 'https://archive.example.com/api',
      authType: 'BEARER',
      token: '********',
      headers: { 'X-Tenant': 't1', 'X-Api-Key': '********' },
    });
    const wrong = await change(server, id, {
      config: { baseUrl: 'https://archive.example.com', authType: 'BASIC', username: 'ann', password: '********' },
    });
    expect([wrong.status, json<{ errors: object[] }>(wrong).errors[0]]).to.deep.equal([
      400,
      {
        pointer: '/config/password',
        detail: 'config.password is masked, and nothing is stored that it could stand for',
      },
    ]);
    await remove(server, id);
  });

  it('lie encrypted in the store', async () => {
    const { id } = await made(
      server,
      api({ token: 'canary-of-the-store', baseUrl: 'https://canary-host.example.com' }),
    );
    const found = execFileSync('sh', [
      '-c',
      'grep -rlaE "canary-of-the-store|canary-host" "$0" || true',
      server.basePath,
    ]).toString();
    expect(found).to.equal('');
    await remove(server, id);
  });

  it('of other types are kept as data, with their secrets masked', async () => {
    const bodies = [
      {
        integrationType: 'S3',
        name: 's3',
        enabled: false,
        config: {
          endpoint: 'https://s3.example.com',
          bucket: 'b',
          accessKeyId: 'AKIA',
          secretAccessKey: 'sss',
          nested: { apiKey: 'k', list: [1, 'a'] },
        },
      },
      { integrationType: 'MCP', name: 'mcp', config: { url: 'https://mcp.example.com/x', token: 'ttt' } },
      { integrationType: 'CONSIGNO', name: 'sign', config: { baseUrl: 'https://sign.example.com', password: 'ppp' } },
      {
        integrationType: 'PURVIEW',
        name: 'labels',
        config: { tenantId: TENANT.toUpperCase(), clientId: TENANT, clientSecret: 'ccc' },
      },
      { integrationType: 'MCP', name: 'without settings' },
    ];
    const seen = [];
    for (const body of bodies) {
      const { id, config } = await made(server, body);
      seen.push(config);
      await remove(server, id);
    }
    const M = '********';
    expect(seen).to.deep.equal([
      {
        endpoint: 'https://s3.example.com',
        bucket: 'b',
        accessKeyId: 'AKIA',
        secretAccessKey: M,
        nested: { apiKey: M, list: [1, 'a'] },
      },
      { url: 'https://mcp.example.com/x', token: M },
      { baseUrl: 'https://sign.example.com', password: M },
      { tenantId: TENANT, clientId: TENANT, clientSecret: M },
      {},
    ]);
  });

  it('mask secrets in lists, headers and environments, and keep those sent back masked', async () => {
    const config = {
      servers: [
        { url: 'https://a.example.com', token: 'canary-1' },
        { token: 'canary-2', list: [{ pwd: 'canary-3' }] },
      ],
      headers: { 'X-Anything': 'canary-4' },
      env: { OPENAI_KEY: 'canary-5', MODE: 'canary-6' },
      args: ['a', ''],
    };
    const { id, config: seen } = await made(server, { integrationType: 'MCP', name: 'lists', config });
    const M = '********';
    expect(seen).to.deep.equal({
      servers: [
        { url: 'https://a.example.com', token: M },
        { token: M, list: [{ pwd: M }] },
      ],
      headers: { 'X-Anything': M },
      env: { OPENAI_KEY: M, MODE: M },
      args: ['a', ''],
    });
    const again = await change(server, id, { config: seen });
    expect([again.status, json<Connection>(again).config]).to.deep.equal([200, seen]);
    const lost = await change(server, id, {
      config: {
        ...seen,
        servers: [
          { url: 'https://b.example.com', token: M },
          { token: M, list: [{ pwd: M }] },
        ],
      },
    });
    expect(
      [lost.status, json<{ errors: object[] }>(lost).errors],
      'a token is for the server that it was given for',
    ).to.deep.equal([
      400,
      [
        {
          pointer: '/config/servers/0/token',
          detail: 'config.servers.0.token is masked, and nothing is stored that it could stand for',
        },
      ],
    ]);
    await remove(server, id);
  });

  it('show no secret of the query of an address, and keep it where it comes back masked', async () => {
    const { id, config: seen } = await made(
      server,
      api({
        authType: 'TOKEN_LOGIN',
        token: undefined,
        loginPath: '/session?app=quire&key=canary-7',
        tokenResponseJsonPath: 't',
      }),
    );
    expect(seen['loginPath']).to.equal('/session?app=********&key=********');
    const again = await change(server, id, { config: seen });
    expect([again.status, json<Connection>(again).config]).to.deep.equal([200, seen]);
    const lost = await change(server, id, { config: { ...seen, loginPath: '/elsewhere?key=********' } });
    expect([lost.status, json<{ errors: object[] }>(lost).errors]).to.deep.equal([
      400,
      [
        {
          pointer: '/config/loginPath',
          detail: 'config.loginPath is masked, and nothing is stored that it could stand for',
        },
      ],
    ]);
    await remove(server, id);
    const mcp = await made(server, {
      integrationType: 'MCP',
      name: 'mcp',
      config: { url: 'https://mcp.example.com/sse?token=canary-8' },
    });
    expect(mcp.config).to.deep.equal({ url: 'https://mcp.example.com/sse?token=********' });
    await remove(server, mcp.id);
  });

  it('are not deleted while a saved pipeline or a watched folder names them', async () => {
    const { id } = await made(server, api());
    const step = (connectionId: unknown) => ({
      operation: '/api/v1/integration/external-api-call',
      parameters: { connectionId },
    });
    const pipeline = (...steps: object[]): string =>
      JSON.stringify({
        name: 'Send away',
        pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { connectionId: id } }, ...steps],
      });
    const [presets, folder] = [
      join(server.basePath, 'pipeline', 'defaultWebUIConfigs'),
      join(server.basePath, 'pipeline', 'watchedFolders', 'outgoing'),
    ];
    for (const place of [presets, folder]) mkdirSync(place, { recursive: true });
    const refused = async (): Promise<string> => {
      const answer = await remove(server, id);
      expect([answer.status, json<{ code: string }>(answer).code]).to.deep.equal([409, 'CONNECTION_IN_USE']);
      return json<{ detail: string }>(answer).detail;
    };
    try {
      writeFileSync(join(presets, 'broken.json'), '{"pipeline": [');
      writeFileSync(join(presets, 'a.json'), pipeline(step(id + 1), step({}), step(null)));
      writeFileSync(join(folder, 'p.json'), pipeline(step(String(id))));
      expect(await refused())
        .to.contain('the pipeline of the watched folder "outgoing"')
        .and.not.contain('Send away');
      writeFileSync(join(presets, 'a.json'), pipeline(step(id)));
      expect(await refused()).to.contain(
        'the saved pipeline "Send away", the pipeline of the watched folder "outgoing"',
      );
      rmSync(folder, { recursive: true });
      expect(await refused()).to.match(/is used by the saved pipeline "Send away"\./);
    } finally {
      for (const place of [presets, folder]) rmSync(place, { recursive: true, force: true });
    }
    expect((await remove(server, id)).status).to.equal(204);
  });

  const wrong: readonly [string, unknown, string][] = [
    ['no type', { name: 'x' }, '/integrationType'],
    ['an unknown type', { integrationType: 'FTP', name: 'x' }, '/integrationType'],
    ['no name', { integrationType: 'MCP' }, '/name'],
    ['a blank name', { integrationType: 'MCP', name: '  ' }, '/name'],
    ['a name of two lines', { integrationType: 'MCP', name: 'a\nb' }, '/name'],
    ['a name that is not a text', { integrationType: 'MCP', name: 7 }, '/name'],
    ['an unknown scope', { integrationType: 'MCP', name: 'x', scope: 'WORLD' }, '/scope'],
    ['a team that is not a number', { integrationType: 'MCP', name: 'x', ownerTeamId: '7' }, '/ownerTeamId'],
    ['enabled as a text', { integrationType: 'MCP', name: 'x', enabled: 'yes' }, '/enabled'],
    ['settings as a text', { integrationType: 'MCP', name: 'x', config: '{}' }, '/config'],
    ['settings as a list', { integrationType: 'MCP', name: 'x', config: [] }, '/config'],
    ['a team connection without team', { integrationType: 'MCP', name: 'x', scope: 'TEAM' }, '/ownerTeamId'],
    ['a team that is not there', { integrationType: 'MCP', name: 'x', scope: 'TEAM', ownerTeamId: 1 }, '/ownerTeamId'],
    ['no address', api({ baseUrl: undefined }), '/config/baseUrl'],
    ['an address of another scheme', api({ baseUrl: 'ftp://x.example.com' }), '/config/baseUrl'],
    ['an address with a query', api({ baseUrl: 'https://x.example.com/?a=b' }), '/config/baseUrl'],
    ['an address with a password', api({ baseUrl: 'https://u:p@x.example.com/' }), '/config/baseUrl'],
    ['an address with a line end', api({ baseUrl: 'https://x.example.com/\r\nX: y' }), '/config/baseUrl'],
    ['an unknown way to say who calls', api({ authType: 'DIGEST' }), '/config/authType'],
    ['no token', api({ token: '' }), '/config/token'],
    ['a token with a line end', api({ token: 'a\r\nX-Evil: 1' }), '/config/token'],
    ['no user name', api({ authType: 'BASIC', password: 'x' }), '/config/username'],
    ['a user name with a colon', api({ authType: 'BASIC', username: 'a:b', password: 'x' }), '/config/username'],
    ['no header name', api({ authType: 'HEADER' }), '/config/headerName'],
    ['a header name with a blank', api({ authType: 'HEADER', headerName: 'X Y' }), '/config/headerName'],
    ['a reserved header', api({ headers: { Host: 'x' } }), '/config/headers/Host'],
    ['a header value with a line end', api({ headers: { 'X-A': 'a\nb' } }), '/config/headers/X-A'],
    ['headers as a list', api({ headers: ['X-A: b'] }), '/config/headers'],
    [
      'result hosts with a scheme',
      api({ resultUrlHosts: ['cdn.example.com', 'https://x.example.com'] }),
      '/config/resultUrlHosts/1',
    ],
    [
      'a result host that is long and none',
      api({ resultUrlHosts: [`${'a'.repeat(60)}!`] }),
      '/config/resultUrlHosts/0',
    ],
    ['a time limit out of bounds', api({ timeoutSeconds: 601 }), '/config/timeoutSeconds'],
    ['a time limit as a text', api({ timeoutSeconds: '5' }), '/config/timeoutSeconds'],
    ['a login without path', api({ authType: 'TOKEN_LOGIN', tokenResponseHeader: 'X-T' }), '/config/loginPath'],
    [
      'a login path that leads out',
      api({ authType: 'TOKEN_LOGIN', loginPath: '/../x', tokenResponseHeader: 'X-T' }),
      '/config/loginPath',
    ],
    [
      'a login without place of the token',
      api({ authType: 'TOKEN_LOGIN', loginPath: '/login' }),
      '/config/tokenResponseJsonPath',
    ],
    [
      'a login with two places of the token',
      api({ authType: 'TOKEN_LOGIN', loginPath: '/login', tokenResponseHeader: 'X-T', tokenResponseJsonPath: 'a.b' }),
      '/config/tokenResponseJsonPath',
    ],
    ['a token that lives too long', api({ tokenTtlSeconds: 86_401 }), '/config/tokenTtlSeconds'],
    ['a misspelt member', api({ timeoutSecs: 5 }), '/config/timeoutSecs'],
    ['a masked secret of a new one', api({ token: '********' }), '/config/token'],
    [
      'a tenant that is not a GUID',
      { integrationType: 'PURVIEW', name: 'x', config: { tenantId: 'contoso' } },
      '/config/tenantId',
    ],
    [
      'half a Purview client',
      { integrationType: 'PURVIEW', name: 'x', config: { tenantId: TENANT, clientId: TENANT } },
      '/config/clientSecret',
    ],
    [
      'settings of very many levels',
      {
        integrationType: 'MCP',
        name: 'x',
        config: JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`) as object,
      },
      '/config',
    ],
    [
      'an S3 address that is none',
      { integrationType: 'S3', name: 'x', config: { endpoint: 's3' } },
      '/config/endpoint',
    ],
  ];
  for (const [title, body, pointer] of wrong) {
    it(`are refused with ${title}, naming it`, async () => {
      const answer = await make(server, body);
      expect(answer.status, answer.body.toString()).to.equal(400);
      const { code, errors = [] } = json<{ code: string; errors?: { pointer: string }[] }>(answer);
      expect([code, errors.map((fault) => fault.pointer)]).to.deep.equal([
        'INPUT_INVALID',
        errors.map((fault) => fault.pointer),
      ]);
      expect(errors.map((fault) => fault.pointer)).to.include(pointer);
      expect(answer.body.toString()).not.to.contain('very-secret-token');
    });
  }

  it('refuse bodies that are not JSON, not an object, too large, or have members of answers', async () => {
    const raw = (body: string, type = 'application/json'): Promise<Answer> =>
      send(`${server.url}${ALL}`, { method: 'POST', headers: { 'content-type': type }, body });
    expect([
      (await raw('{"a')).status,
      (await raw('[]')).status,
      (await raw('null')).status,
      (await raw('"x"')).status,
      (await raw('{}', 'text/plain')).status,
      (await raw(JSON.stringify({ ...api(), more: 'x'.repeat(200_000) }))).status,
    ]).to.deep.equal([400, 400, 400, 400, 415, 413]);
    const one = await made(server, api());
    expect(
      (await change(server, one.id, { ...one, id: 99, canManage: false })).status,
      'a connection sent back as it was read',
    ).to.equal(200);
    expect((await change(server, one.id, { integrationType: 'S3' })).status).to.equal(400);
    await remove(server, one.id);
  });

  it('are looked up by whole numbers alone', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '..%2F..%2Fetc', '%2e%2e', '1%00', '9'.repeat(40), '1;drop']) {
      const answer = await get(server, `/${id}`);
      expect([400, 404], `${id}: ${answer.body.toString()}`).to.include(answer.status);
      expect(json<{ code: string }>(answer).code, id).to.be.a('string');
    }
  });
});
