import { expect } from 'chai';
import { networkInterfaces } from 'node:os';
import { Wire, expectProblem, file, formBody, formType, json, post, send } from '../support/client.js';
import { globalKey, startWithLogin } from '../support/login.js';
import { startServer, until, type TestServer } from '../support/server.js';
import { makePdf } from '../../kit/index.js';

const API = '/api/v1';
const evil = 'https://evil.example';

/** Expects each of these Host headers to be answered with this status. */
async function expectHosts(server: TestServer, status: number, hosts: readonly string[]): Promise<void> {
  for (const host of hosts)
    expect((await send(`${server.url}${API}/config/app-config`, { headers: { host } })).status, host).to.equal(status);
}

describe('Without login, the Host header', () => {
  let server: TestServer;
  let port: string;

  before(async () => {
    server = await startServer();
    ({ port } = new URL(server.url));
  });
  after(() => server.stop());

  it('may be localhost or a loopback address, with any port', async () => {
    await expectHosts(server, 200, [
      `localhost:${port}`,
      'LOCALHOST',
      'localhost.',
      'localhost:9000',
      `127.0.0.1:${port}`,
      '127.8.9.10',
      '[::1]',
      '[0:0:0:0:0:0:0:1]:9000',
    ]);
  });

  it('may not be a name that somebody pointed to this machine (DNS rebinding)', async () => {
    const pdf = await makePdf({ pages: 1 });
    const answer = await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf)], {
      host: `evil.example:${port}`,
      origin: `http://evil.example:${port}`,
      'sec-fetch-site': 'same-origin',
    });
    const { detail } = expectProblem(answer, 421, 'HOST_REFUSED');
    expect(detail)
      .to.contain(`evil.example:${port}`)
      .and.contain('server.allowedHosts')
      .and.contain('SERVER_ALLOWEDHOSTS')
      .and.contain('security.enableLogin');
    await expectHosts(server, 421, [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'evil-localhost',
      '192.0.2.1',
      '0.0.0.0',
      '[2001:db8::1]',
      '2130706433',
      '0x7f.1',
      'user@localhost',
      'localhost/x',
      'localhost:port',
    ]);
  });

  it('is checked for pages, documents, settings and preflights too', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/v1/api-docs'],
      ['GET', '/swagger-ui/index.html'],
      ['GET', `${API}/info/status`],
      ['GET', `${API}/admin/settings`],
      ['OPTIONS', `${API}/general/rotate-pdf`],
      ['GET', '/actuator/health'],
      ['GET', '/nothing'],
    ] as const)
      expect((await send(`${server.url}${path}`, { method, headers: { host: 'evil.example' } })).status, path).to.equal(
        421,
      );
  });

  it('may be anything for the probes, which tell nothing', async () => {
    for (const path of ['/livez', '/readyz'])
      expect((await send(`${server.url}${path}`, { headers: { host: 'balancer.example' } })).status, path).to.equal(
        200,
      );
  });

  it('may be missing in HTTP/1.0, which no browser speaks', async () => {
    const wire = (await Wire.open(server.url)).write(`GET ${API}/info/status HTTP/1.0\r\n\r\n`);
    await until('the connection is closed', () => wire.closed);
    expect(wire.status).to.equal(200);
  });

  it('may be the address that the connection arrived at', async function () {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((candidate) => candidate !== undefined && !candidate.internal && candidate.family === 'IPv4')?.address;
    if (address === undefined) this.skip();
    const open = await startServer({ server: { port: 0, host: '0.0.0.0' } });
    const url = new URL(open.url);
    try {
      const at = async (hostname: string, host: string): Promise<number> =>
        (await send(`http://${hostname}:${url.port}/actuator/health`, { headers: { host } })).status;
      expect(await at(address, `${address}:${url.port}`), 'a probe of Kubernetes').to.equal(200);
      expect(await at('127.0.0.1', address), 'an address on which this call did not arrive').to.equal(421);
      expect(await at(address, 'evil.example')).to.equal(421);
    } finally {
      await open.stop();
    }
  });

  it('may be a name that the operator configured', async () => {
    const named = await startServer({
      server: {
        port: 0,
        host: '127.0.0.1',
        allowedHosts: ['PDF.local', 'my_service', '*.corp.example', '192.0.2.7', '2001:db8::7'],
      },
      system: {
        frontendUrl: 'https://front.example/tools',
        backendUrl: 'http://back.example:8443',
        corsAllowedOrigins: ['https://app.example', 'https://*.wild.example'],
      },
    });
    try {
      await expectHosts(named, 200, [
        'pdf.local',
        'PDF.LOCAL:8080',
        'pdf.local.',
        'my_service:8080',
        'a.corp.example',
        'a.b.corp.example',
        '192.0.2.7:8080',
        '[2001:DB8:0::7]',
        'front.example',
        'back.example',
        'app.example',
      ]);
      await expectHosts(named, 421, [
        'corp.example',
        'xpdf.local',
        'pdf.local.evil.example',
        'x.wild.example',
        '192.0.2.8',
      ]);
    } finally {
      await named.stop();
    }
  });

  it('stops the start when server.allowedHosts contains anything but hosts', async () => {
    for (const entry of ['https://pdf.local', 'pdf.local:8080', '*', 'a b', '', 'x.*.y'])
      expect(
        await startServer({ server: { port: 0, host: '127.0.0.1', allowedHosts: [entry] } }).then(
          (started) => started.stop().then(() => 'started'),
          (error: Error) => error.message,
        ),
        entry,
      ).to.contain(entry === '' ? 'server.allowedHosts' : `server.allowedHosts contains "${entry}"`);
  });

  it('is not restricted with login on, where a browser has no credential to add by itself', async () => {
    const login = await startWithLogin();
    try {
      const headers = { host: 'pdf.example', origin: evil, 'x-api-key': globalKey };
      expect((await send(`${login.url}${API}/info/uptime`, { headers })).status).to.equal(200);
      const pdf = await makePdf({ pages: 1 });
      expect((await post(`${login.url}${API}/general/rotate-pdf`, [file(pdf)], headers)).status).to.equal(200);
    } finally {
      await login.stop();
    }
  });
});

describe('Without login, a page of another site', () => {
  let pdf: Uint8Array;
  const rotate = async (server: TestServer, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf)], headers)).status;

  before(async () => (pdf = await makePdf({ pages: 1 })));

  describe('while no other site is configured', () => {
    let server: TestServer;
    before(async () => (server = await startServer()));
    after(() => server.stop());

    it('may start nothing, whatever it calls itself', async () => {
      const { port } = new URL(server.url);
      for (const origin of [
        evil,
        'null',
        '',
        'http://localhost',
        `http://localhost:${Number(port) + 1}`,
        `http://127.0.0.1.evil.example:${port}`,
        `http://127.0.0.1:${port}@evil.example`,
        'tauri://localhost',
        'nonsense',
      ]) {
        const answer = await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf)], { origin });
        const { detail } = expectProblem(answer, 403, 'CROSS_SITE_REFUSED');
        expect(detail, origin).to.contain('system.corsAllowedOrigins').and.contain('security.enableLogin');
      }
      expect(await rotate(server, { origin: 'file://' })).to.equal(403);
    });

    it('may start nothing without an Origin header either, where the browser reports it (Sec-Fetch-Site)', async () => {
      expect(await rotate(server, { 'sec-fetch-site': 'cross-site' })).to.equal(403);
      expect(await rotate(server, { 'sec-fetch-site': 'same-site' })).to.equal(403);
      expect(await rotate(server, { 'sec-fetch-site': 'same-origin' })).to.equal(200);
      expect(await rotate(server, { 'sec-fetch-site': 'none' })).to.equal(200);
    });

    it('may change neither settings nor anything else', async () => {
      for (const [method, path] of [
        ['PUT', 'admin/settings'],
        ['POST', 'admin/settings/restart'],
        ['PATCH', 'admin/plugins'],
        ['DELETE', 'general/job/x'],
        ['POST', 'mobile-scanner/create-session/abcdef'],
        ['POST', 'pipeline/handleData'],
      ] as const)
        expectProblem(
          await send(`${server.url}${API}/${path}`, {
            method,
            headers: { origin: evil, 'content-type': 'text/plain' },
            body: '{}',
          }),
          403,
          'CROSS_SITE_REFUSED',
        );
    });

    it('is told apart from our own pages and from programs, which send no Origin', async () => {
      const { host, port, origin } = new URL(server.url);
      expect(await rotate(server, {})).to.equal(200);
      expect(await rotate(server, { origin })).to.equal(200);
      expect(await rotate(server, { origin, 'sec-fetch-site': 'same-origin' })).to.equal(200);
      expect(await rotate(server, { host: `LOCALHOST:${port}`, origin: `http://localhost:${port}` })).to.equal(200);
      expect(await rotate(server, { host: 'localhost', origin: 'https://localhost' }), 'TLS ends at a proxy').to.equal(
        200,
      );
      expect(host).to.contain('127.0.0.1');
    });

    it('may link to us', async () => {
      const answer = await send(`${server.url}${API}/info/status`, {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      });
      expect(answer.status).to.equal(200);
    });
  });

  it('may call when it is configured', async () => {
    const server = await startServer({
      server: { port: 0, host: '127.0.0.1', allowedHosts: ['quire', 'tools.example'] },
      system: {
        corsAllowedOrigins: ['https://app.example/', 'https://*.wild.example'],
        frontendUrl: 'https://front.example:8443/tools',
      },
    });
    try {
      for (const origin of [
        'https://app.example',
        'https://a.wild.example',
        'https://front.example:8443',
        'https://tools.example',
      ])
        expect(await rotate(server, { origin, 'sec-fetch-site': 'cross-site' }), origin).to.equal(200);
      for (const origin of [
        'https://appXexample',
        'https://app.example.evil.example',
        'http://app.example',
        'https://a.wild.example.evil.example',
        'https://front.example:8444',
        'https://tools.example:444',
        'null',
      ])
        expect(await rotate(server, { origin }), origin).to.equal(403);
    } finally {
      await server.stop();
    }
  });

  it('may call when every site is configured', async () => {
    const server = await startServer({ system: { corsAllowedOrigins: ['*'] } });
    try {
      const answer = await send(`${server.url}${API}/general/rotate-pdf`, {
        method: 'POST',
        headers: { origin: evil, 'content-type': formType },
        body: formBody([file(pdf)]),
      });
      expect(answer.status).to.equal(200);
      expect(answer.headers['access-control-allow-origin']).to.equal(evil);
      expect(json(await send(`${server.url}${API}/info/status`))).to.include({ status: 'UP' });
    } finally {
      await server.stop();
    }
  });
});
