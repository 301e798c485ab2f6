import { expect } from 'chai';
import { Wire, json, send, type Answer } from '../support/client.js';
import { globalKey, startWithLogin } from '../support/login.js';
import { startServer, until, type TestServer } from '../support/server.js';

const allowedOrigin = 'https://app.example';
const evil = 'https://evil.example';

const corsHeaders = (answer: Answer): string[] =>
  Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
const list = (answer: Answer, name: string): string[] =>
  String(answer.headers[name] ?? '')
    .split(/\s*,\s*/)
    .map((item) => item.toLowerCase());

describe('Cross-origin requests (CORS)', () => {
  const preflight = (
    server: TestServer,
    path: string,
    origin: string,
    method = 'POST',
    headers = 'X-API-KEY, Content-Type',
  ): Promise<Answer> =>
    send(`${server.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
    });

  it('are refused while no origin is configured', async () => {
    const server = await startWithLogin();
    try {
      for (const path of [
        '/api/v1/info/status',
        '/api/v1/info/uptime',
        '/swagger-ui/index.html',
        '/nothing',
        '/v1/api-docs',
      ]) {
        const answer = await send(`${server.url}${path}`, { headers: { origin: evil, 'x-api-key': globalKey } });
        expect(corsHeaders(answer), path).to.deep.equal([]);
      }
      expect(corsHeaders(await preflight(server, '/api/v1/general/rotate-pdf', evil))).to.deep.equal([]);
    } finally {
      await server.stop();
    }
  });

  it('are allowed for a configured origin, with the headers it may send and read', async () => {
    const server = await startWithLogin(
      {},
      { system: { corsAllowedOrigins: [`${allowedOrigin}/`, 'https://other.example'] } },
    );
    try {
      const asked = await preflight(server, '/api/v1/general/rotate-pdf', allowedOrigin);
      expect(asked.status).to.equal(200);
      expect(asked.headers).to.include({
        'access-control-allow-origin': allowedOrigin,
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '3600',
      });
      expect(list(asked, 'access-control-allow-methods')).to.have.members([
        'get',
        'post',
        'put',
        'patch',
        'delete',
        'options',
      ]);
      expect(list(asked, 'access-control-allow-headers')).to.include.members([
        'authorization',
        'content-type',
        'x-requested-with',
        'accept',
        'origin',
        'x-api-key',
        'x-csrf-token',
        'x-xsrf-token',
        'x-browser-id',
      ]);
      const exposed = [
        'www-authenticate',
        'x-total-count',
        'x-page-number',
        'x-page-size',
        'content-disposition',
        'content-type',
      ];
      const called = await send(`${server.url}/api/v1/info/uptime`, {
        headers: { origin: allowedOrigin, 'x-api-key': globalKey },
      });
      expect([called.status, called.headers['access-control-allow-origin'], called.headers['vary']]).to.deep.equal([
        200,
        allowedOrigin,
        'origin',
      ]);
      expect(list(called, 'access-control-expose-headers')).to.include.members(exposed);
      const refused = await send(`${server.url}/api/v1/info/uptime`, { headers: { origin: allowedOrigin } });
      expect([refused.status, refused.headers['access-control-allow-origin']], 'a page can read why').to.deep.equal([
        401,
        allowedOrigin,
      ]);
    } finally {
      await server.stop();
    }
  });

  it('are refused for an origin that is not configured, and for one that looks similar', async () => {
    const server = await startWithLogin({}, { system: { corsAllowedOrigins: [allowedOrigin] } });
    try {
      for (const origin of [
        evil,
        'null',
        `${allowedOrigin}.evil.example`,
        allowedOrigin.replace('https', 'http'),
        `${allowedOrigin}:8443`,
        allowedOrigin.toUpperCase(),
      ]) {
        expect((await preflight(server, '/api/v1/general/rotate-pdf', origin)).headers, origin).not.to.have.property(
          'access-control-allow-origin',
        );
        expect(
          (await send(`${server.url}/api/v1/info/status`, { headers: { origin } })).headers,
          origin,
        ).not.to.have.property('access-control-allow-origin');
      }
      expect(
        (await preflight(server, '/api/v1/general/rotate-pdf', allowedOrigin, 'POST', 'X-Evil')).headers,
      ).not.to.have.property('access-control-allow-origin');
    } finally {
      await server.stop();
    }
  });

  it('are allowed for every origin when configured so, but without cookies', async () => {
    const server = await startServer({ system: { corsAllowedOrigins: ['*'] } });
    try {
      const answer = await send(`${server.url}/api/v1/info/status`, { headers: { origin: evil } });
      expect(answer.headers['access-control-allow-origin']).to.equal(evil);
      expect(answer.headers).not.to.have.property('access-control-allow-credentials');
    } finally {
      await server.stop();
    }
  });
});

describe('Headers of every answer', () => {
  let server: TestServer;
  before(async () => (server = await startWithLogin()));
  after(() => server.stop());

  it('forbid sniffing and framing, and do not name the server software', async () => {
    for (const [path, headers] of [
      ['/api/v1/info/status', {}],
      ['/api/v1/info/uptime', {}],
      ['/api/v1/info/uptime', { 'x-api-key': globalKey }],
      ['/swagger-ui/index.html', {}],
      ['/nothing', {}],
      ['/v1/api-docs', {}],
      ['/', {}],
    ] as const) {
      const answer = await send(`${server.url}${path}`, { headers: headers as Record<string, string> });
      expect(answer.headers, path).to.include({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      for (const name of ['server', 'x-powered-by', 'x-aspnet-version', 'via'])
        expect(answer.headers, path).not.to.have.property(name);
      if (path.startsWith('/api/')) expect(answer.headers['cache-control'], path).to.contain('no-store');
    }
  });

  it('include a content policy on pages, under which the pages still work', async () => {
    const page = await send(`${server.url}/swagger-ui/index.html`);
    const policy = String(page.headers['content-security-policy']);
    expect(policy)
      .to.contain("default-src 'none'")
      .and.contain("frame-ancestors 'none'")
      .and.contain("script-src 'self'");
    expect(policy).not.to.match(/script-src[^;]*'unsafe/);
    const html = page.body.toString();
    expect(html, 'no inline script').not.to.match(/<script(?![^>]*\bsrc=)/);
    for (const [, path = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(path, 'no foreign asset').to.match(/^\.\.\//);
      expect((await send(new URL(path, `${server.url}/swagger-ui/index.html`).href)).status, path).to.equal(200);
    }
  });

  it('allow framing as configured', async () => {
    for (const [option, header, ancestors] of [
      ['SAMEORIGIN', 'SAMEORIGIN', "frame-ancestors 'self'"],
      ['DISABLED', undefined, undefined],
    ] as const) {
      const other = await startWithLogin({ xFrameOptions: option });
      try {
        const { headers } = await send(`${other.url}/swagger-ui/index.html`);
        expect(headers['x-frame-options']).to.equal(header);
        expect(/frame-ancestors[^;]*/.exec(String(headers['content-security-policy']))?.[0]).to.equal(ancestors);
      } finally {
        await other.stop();
      }
    }
  });

  it('do not expose a stack trace when the server fails', async () => {
    for (const path of ['/api/v1/general/job/%ff', '/api/v1/info/requests?endpoint[a]=1', '/%ff']) {
      const answer = await send(`${server.url}${path}`, { headers: { 'x-api-key': globalKey } });
      expect(answer.body.toString()).not.to.match(/\bat \w+.*\(|node_modules|\.ts:|\.js:/);
    }
  });
});

describe('API keys in requests', () => {
  let server: TestServer;
  before(async () => (server = await startWithLogin()));
  after(() => server.stop());

  const raw = async (...lines: readonly string[]): Promise<number> => {
    const wire = (await Wire.open(server.url)).write(
      ['GET /api/v1/info/uptime HTTP/1.1', 'Host: test', 'Connection: close', ...lines, '', ''].join('\r\n'),
    );
    await until('the connection is closed', () => wire.closed);
    return wire.status;
  };

  it('are refused with two Host headers, whatever they say (RFC 9112, 3.2)', async () => {
    expect(await raw(`X-API-KEY: ${globalKey}`)).to.equal(200);
    for (const second of ['Host: test', 'HOST: elsewhere', 'host:'])
      expect(await raw(`X-API-KEY: ${globalKey}`, second), second).to.equal(400);
  });

  it('are accepted once, complete, in one header of any letter case', async () => {
    expect(await raw(`X-API-KEY: ${globalKey}`)).to.equal(200);
    expect(
      await raw(`x-api-key:${globalKey}  `),
      'white space around a value is not part of it (RFC 9110, 5.5)',
    ).to.equal(200);
    expect(await raw(`X-API-KEY: ${globalKey}`, `X-API-KEY: ${globalKey}`)).to.equal(401);
    expect(await raw('X-API-KEY: wrong', `X-API-KEY: ${globalKey}`)).to.equal(401);
    expect(await raw(`X-API-KEY: "${globalKey}"`)).to.equal(401);
    expect(await raw(`X-API-KEY : ${globalKey}`), 'a space before the colon is malformed').to.equal(400);
    expect(await raw(`X_API_KEY: ${globalKey}`)).to.equal(401);
    expect(await raw('X-API-KEY:')).to.equal(401);
  });

  it('are refused without being read to the end when they are a megabyte long', async () => {
    expect(await raw(`X-API-KEY: ${'a'.repeat(1_000_000)}`)).to.be.oneOf([400, 431]);
  });

  it('are rate-limited by the real address, not by a forged forwarding header', async () => {
    for (let i = 0; i < 10; i += 1) await raw('X-API-KEY: wrong', `X-Forwarded-For: 192.0.2.${i}`);
    expect(await raw('X-API-KEY: wrong', 'X-Forwarded-For: 192.0.2.99')).to.equal(429);
    expect(await raw(`X-API-KEY: ${globalKey}`, 'X-Forwarded-For: 192.0.2.99')).to.equal(200);
  });

  it('are refused with the 401 members that existing clients read', async () => {
    const body = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
      json(await send(`${server.url}${path}`, { headers }));
    expect(await body('/api/v1/info/uptime', {})).to.include({
      error: 'Authentication required',
      code: 'KEY_INVALID',
      status: 401,
    });
    expect((await send(`${server.url}/api/v1/info/uptime`)).headers).not.to.have.property('www-authenticate');
  });
});
