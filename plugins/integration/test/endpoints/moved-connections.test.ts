import { expect } from 'chai';
import { json } from '../../../../test/http/support/client.js';
import { TENANT, api, change, get, made, remove, start, type Connection, type Server } from './connections-server.js';

const M = '********';

describe('connections whose address changes', function () {
  this.timeout(60_000);
  let server: Server;
  before(async () => (server = await start()));
  after(() => server?.stop());

  /** Makes a connection, changes its settings as they were read, and returns the status and the faults. */
  const moved = async (
    body: object,
    set: Readonly<Record<string, unknown>>,
  ): Promise<{ status: number; faults: readonly { pointer: string; detail: string }[]; config: object }> => {
    const { id, config: seen } = await made(server, body);
    const answer = await change(server, id, { config: { ...seen, ...set } });
    const { config } = json<Connection>(await get(server, `/${id}`));
    await remove(server, id);
    const faults = json<{ errors?: { pointer: string; detail: string }[] }>(answer).errors ?? [];
    return { status: answer.status, faults, config };
  };

  it('ask for the secret again when scheme, host or port differ, and keep nothing of it', async () => {
    for (const baseUrl of [
      'https://evil.example.com/api',
      'http://archive.example.com/api',
      'https://archive.example.com:8443/api',
      'https://archive.example.com.evil.example/api',
    ])
      for (const token of [M, '', null]) {
        const { status, faults, config } = await moved(api(), { baseUrl, token });
        expect([status, faults.map(({ pointer }) => pointer)], baseUrl).to.deep.equal([400, ['/config/token']]);
        expect(faults[0]?.detail).to.contain('config.baseUrl changes it').and.contain('send the secret again');
        expect(config, 'nothing has changed').to.deep.include({ baseUrl: 'https://archive.example.com/api' });
      }
  });

  it('keep the secret for another path of the same address', async () => {
    for (const baseUrl of ['https://archive.example.com/v2', 'https://ARCHIVE.example.com:443/api'])
      expect((await moved(api(), { baseUrl })).status, baseUrl).to.equal(200);
  });

  it('take a secret that is sent with the new address, or none', async () => {
    const baseUrl = 'https://new.example.com/api';
    expect((await moved(api(), { baseUrl, token: 'another-token' })).status).to.equal(200);
    expect((await moved(api(), { baseUrl, authType: 'NONE', token: undefined })).status).to.equal(200);
    expect((await moved(api({ authType: 'NONE', token: undefined }), { baseUrl })).status, 'no secret').to.equal(200);
  });

  it('ask for every secret: passwords, headers, bodies of logins and queries of paths', async () => {
    const body = api({
      authType: 'TOKEN_LOGIN',
      token: undefined,
      password: 'canary-1',
      headers: { 'X-Tenant': 't1', 'X-Api-Key': 'canary-2' },
      loginPath: '/session?key=canary-3',
      loginBody: { password: 'canary-4' },
      loginHeaders: { 'X-Login': 'canary-5' },
      tokenResponseJsonPath: 't',
    });
    const { status, faults } = await moved(body, { baseUrl: 'https://evil.example.com' });
    expect(status).to.equal(400);
    expect(faults.map(({ pointer }) => pointer)).to.have.members([
      '/config/password',
      '/config/headers/X-Api-Key',
      '/config/loginPath',
      '/config/loginBody',
      '/config/loginHeaders/X-Login',
    ]);
  });

  it('ask for it whatever the type of the connection', async () => {
    for (const [integrationType, config, set, pointer] of [
      [
        'S3',
        { endpoint: 'https://s3.example.com', secretAccessKey: 'canary' },
        { endpoint: 'https://evil.example' },
        'secretAccessKey',
      ],
      ['S3', { bucket: 'b', secretAccessKey: 'canary' }, { endpoint: 'https://evil.example' }, 'secretAccessKey'],
      ['MCP', { url: 'https://mcp.example.com/sse', token: 'canary' }, { url: 'https://evil.example/sse' }, 'token'],
      [
        'MCP',
        { url: 'https://mcp.example.com/sse?token=canary' },
        { url: `https://evil.example/sse?token=${M}` },
        'url',
      ],
      ['MCP', { command: 'npx', env: { KEY: 'canary' } }, { command: 'curl' }, 'env/KEY'],
      [
        'CONSIGNO',
        { server: { host: 'sign.example.com', port: 443 }, password: 'canary' },
        { server: { host: 'sign.example.com', port: 444 } },
        'password',
      ],
      [
        'PURVIEW',
        { tenantId: TENANT, clientId: TENANT, clientSecret: 'canary' },
        { loginBaseUrl: 'https://evil.example' },
        'clientSecret',
      ],
    ] as const) {
      const { status, faults } = await moved({ integrationType, name: 'any', enabled: false, config }, set);
      expect([status, faults.map((fault) => fault.pointer)], JSON.stringify(set)).to.deep.equal([
        400,
        [`/config/${pointer}`],
      ]);
    }
  });
});
