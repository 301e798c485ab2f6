import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectProblem, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, keyOf, sessionOf } from '../support/login.js';
import { productRoot, startServer, until, type TestServer } from '../support/server.js';

const pdf = readFileSync(join(productRoot, 'plugins', 'general', 'fixtures', 'two-pages.pdf'));
const exposure = (include: readonly string[], more: Readonly<Record<string, unknown>> = {}) => ({
  management: {
    endpoints: { web: { exposure: { include } } },
    prometheus: { metrics: { export: { enabled: true } } },
    ...more,
  },
});
const login = {
  security: {
    enableLogin: true,
    customGlobalAPIKey: 'the-global-key-of-this-test',
    initialLogin: { username: 'admin', password: 'a long enough password' },
  },
};
const key = { 'x-api-key': 'the-global-key-of-this-test' };
const get = (server: TestServer, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  send(`${server.url}/actuator${path}`, { headers });

/** Runs one test with a server that has these settings. */
async function withServer(
  settings: Readonly<Record<string, unknown>>,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(settings);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

describe('the actuator as shipped', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it('reports health to everybody, without details', async () => {
    for (const path of ['/health', '/health/liveness', '/health/readiness']) {
      const answer = await get(server, path);
      expect(answer.status, path).to.equal(200);
      expect(json(answer), path).to.deep.equal({ status: 'UP' });
      expect(answer.headers['cache-control']).to.equal('no-store');
    }
  });

  it('has nothing else', async () => {
    for (const path of ['', '/info', '/prometheus', '/env', '/metrics', '/heapdump'])
      expectProblem(await get(server, path), 404, 'NOT_FOUND');
  });
});

describe('the actuator exposed', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer(
      exposure(['prometheus', 'health', 'info'], { endpoint: { health: { 'show-details': 'always' } } }),
    );
  });
  after(() => server.stop());

  it('lists its addresses', async () => {
    const { _links: links } = json<{ _links: Record<string, { href: string; templated: boolean }> }>(
      await get(server, ''),
    );
    expect(Object.keys(links)).to.have.members([
      'self',
      'health',
      'health-liveness',
      'health-readiness',
      'info',
      'prometheus',
    ]);
    for (const { href, templated } of Object.values(links)) {
      expect(templated).to.equal(false);
      expect((await send(new URL(href, server.url).href)).status, href).to.equal(200);
    }
  });

  it('reports version and uptime', async () => {
    const info = json<{
      build: { name: string; version: string };
      process: { startedAt: string; uptimeSeconds: number; runtime: string };
    }>(await get(server, '/info'));
    expect(info.build).to.deep.equal({
      name: 'quire',
      version: (JSON.parse(readFileSync(join(productRoot, 'package.json'), 'utf8')) as { version: string }).version,
    });
    expect(info.process.runtime).to.equal(`node ${process.versions.node}`);
    expect(info.process.uptimeSeconds).to.be.within(0, 600);
  });

  it('shows store, disk, queue, workers and programs', async () => {
    const health = json<{
      status: string;
      components: Record<string, { status: string; details?: Record<string, unknown> }>;
    }>(await get(server, '/health'));
    expect(health.status).to.equal('UP');
    expect(Object.keys(health.components)).to.have.members([
      'store',
      'diskSpace',
      'queue',
      'workers',
      'programs',
      'intake',
    ]);
    expect(health.components['store']).to.deep.equal({ status: 'UP', details: { kind: 'embedded' } });
    expect(health.components['programs']?.details).to.include.keys('qpdf', 'libreoffice');
    expect(JSON.stringify(health)).not.to.include(server.basePath);
  });

  it('counts requests by route, never by address, and without user names', async () => {
    const secret = 'canary-7f3a';
    for (let i = 0; i < 30; i++)
      await send(`${server.url}/api/v1/general/job/${secret}-${i}?${secret}`, {
        headers: { 'x-api-key': secret, 'x-browser-id': secret, authorization: `Bearer ${secret}` },
      });
    for (let i = 0; i < 30; i++) await send(`${server.url}/${secret}/${i}`);
    await post(`${server.url}/api/v1/general/rotate-pdf`, [file(pdf, `${secret}.pdf`)]);
    const answer = await get(server, '/prometheus');
    expect(answer.headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8');
    const text = answer.body.toString('utf8');
    expect(text).not.to.include(secret);
    expect(text).to.match(
      /^http_requests_total\{method="GET",endpoint="unmatched",status="404",session="anonymous"\} 30$/m,
    );
    expect(text).to.match(
      /^http_requests_total\{method="GET",endpoint="\/api\/v1\/general\/job\/\{jobId\}",status="4\d\d",session="anonymous"\} 30$/m,
    );
    expect(text).to.match(
      /^quire_operation_duration_seconds_count\{operation="general\/rotate-pdf",outcome="succeeded"\} 1$/m,
    );
  });

  it('has a bounded number of series, whatever is sent', async () => {
    const series = async (): Promise<number> =>
      (await get(server, '/prometheus')).body
        .toString('utf8')
        .split('\n')
        .filter((line) => line.startsWith('http_request')).length;
    const flood = async (round: number): Promise<void> => {
      for (let i = 0; i < 300; i++) {
        await server.inject({
          method: i % 2 === 0 ? 'GET' : 'POST',
          url: `/api/v1/general/job/${round}-${i}?x=${i}`,
          headers: { 'x-browser-id': `${round}-${i}` },
        });
        await server.inject({ method: i % 3 === 0 ? 'PROPFIND' : 'PUT', url: `/${round}/${i}` });
      }
    };
    await flood(1);
    const first = await series();
    await flood(2);
    expect(await series()).to.equal(first);
  });

  it('counts a client that disconnected as 499, and no request twice as in flight', async () => {
    const call = request(`${server.url}/api/v1/general/rotate-pdf`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 100_000 },
    });
    call.on('error', () => undefined);
    call.write('--x\r\n');
    await new Promise((resolve) => setTimeout(resolve, 100));
    call.destroy();
    await until('the call has ended', async () =>
      /endpoint="\/api\/v1\/general\/rotate-pdf",status="499",session="anonymous"\} 1/.test(
        (await get(server, '/prometheus')).body.toString(),
      ),
    );
    // The scrape itself is the one request in progress.
    expect((await get(server, '/prometheus')).body.toString()).to.match(/^http_requests_in_flight 1$/m);
  });

  it('counts a complete answer once, also when the client disconnects at its last byte', async () => {
    const read = async (): Promise<[number, number]> => {
      const text = (await get(server, '/prometheus')).body.toString();
      const of = (status: number): number =>
        Number(
          new RegExp(`endpoint="/api/v1/misc/repair",status="${status}",session="anonymous"\\} (\\d+)`).exec(
            text,
          )?.[1] ?? 0,
        );
      return [of(200), of(499)];
    };
    for (let i = 0; i < 40; i++)
      expect((await post(`${server.url}/api/v1/misc/repair`, [file(pdf)])).status).to.equal(200);
    await until('all are counted', async () => (await read()).reduce((sum, n) => sum + n) === 40);
    expect(await read()).to.deep.equal([40, 0]);
  }).timeout(120_000);

  it('shows queued jobs and busy workers', async () => {
    const text = (await get(server, '/prometheus')).body.toString();
    for (const line of [
      'quire_queue_depth 0',
      'quire_queue_oldest_seconds 0',
      'quire_store_up 1',
      'quire_workers 1',
      'quire_jobs{state="queued"} 0',
      'quire_jobs{state="failed"} 0',
    ])
      expect(text.split('\n')).to.include(line);
    expect(text).to.match(/^quire_program_found\{program="qpdf"\} [01]$/m);
    expect(text).to.match(/^quire_build_info\{version="[^"]+",node="[^"]+"\} 1$/m);
  });
});

describe('the actuator with some endpoints exposed', () => {
  it('has no metrics before the export is switched on', () =>
    withServer({ management: { endpoints: { web: { exposure: { include: ['prometheus'] } } } } }, async (server) => {
      expectProblem(await get(server, '/prometheus'), 404, 'NOT_FOUND');
      expectProblem(await get(server, ''), 404, 'NOT_FOUND');
    }));

  it('has no metrics that are exported but not exposed', () =>
    withServer(exposure(['health', 'info']), async (server) => {
      expectProblem(await get(server, '/prometheus'), 404, 'NOT_FOUND');
      expect(Object.keys(json<{ _links: object }>(await get(server, ''))._links)).not.to.include('prometheus');
    }));

  it('has no health when the list omits it', () =>
    withServer(exposure(['info']), async (server) => {
      for (const path of ['/health', '/health/liveness', '/health/readiness'])
        expectProblem(await get(server, path), 404, 'NOT_FOUND');
      expect((await send(`${server.url}/livez`)).status).to.equal(200);
    }));

  it('accepts * for everything', () =>
    withServer(exposure(['*']), async (server) => {
      for (const path of ['', '/health', '/info', '/prometheus'])
        expect((await get(server, path)).status, path).to.equal(200);
    }));

  it('has links with the context path', () =>
    withServer({ ...exposure(['*']), system: { rootUriPath: '/tools' } }, async (server) => {
      const { _links: links } = json<{ _links: Record<string, { href: string }> }>(await get(server, ''));
      expect(links['info']?.href).to.equal('/tools/actuator/info');
    }));
});

describe('the actuator with a licence below Team', () => {
  it('answers 404 for all except health', () =>
    withServer({ ...exposure(['*']), licence: { tier: 'free' } }, async (server) => {
      for (const path of ['', '/info', '/prometheus']) expectProblem(await get(server, path), 404, 'LICENCE_REQUIRED');
      for (const path of ['/health', '/health/liveness', '/health/readiness'])
        expect((await get(server, path)).status).to.equal(200);
    }));

  it('checks the key before the licence', () =>
    withServer({ ...exposure(['*']), ...login, licence: { tier: 'free' } }, async (server) => {
      for (const path of ['', '/info', '/prometheus']) {
        expectProblem(await get(server, path), 401, 'KEY_INVALID');
        expectProblem(await get(server, path, key), 404, 'LICENCE_REQUIRED');
      }
    }));

  it('is available with Team', () =>
    withServer({ ...exposure(['*']), licence: { tier: 'team' } }, async (server) => {
      for (const path of ['', '/info', '/prometheus']) expect((await get(server, path)).status, path).to.equal(200);
    }));
});

describe('the actuator with login on', () => {
  it('returns metrics only with a key, and counts callers by class', () =>
    withServer(
      { ...exposure(['*'], { endpoint: { health: { 'show-details': 'when-authorized' } } }), ...login },
      async (server) => {
        for (const headers of [{}, { 'x-api-key': 'wrong' }, { authorization: 'Basic YWRtaW46YQ==' }])
          for (const path of ['', '/info', '/prometheus'])
            expectProblem(await get(server, path, headers), 401, 'KEY_INVALID');
        expect((await get(server, '/prometheus', key)).status).to.equal(200);
        const text = (await get(server, '/prometheus', key)).body.toString();
        expect(text).to.match(
          /^http_requests_total\{method="GET",endpoint="\/actuator\/prometheus",status="200",session="globalKey"\} 1$/m,
        );
        expect(text).to.match(
          /^http_requests_total\{method="GET",endpoint="\/actuator\/prometheus",status="401",session="anonymous"\} 3$/m,
        );
        expect(text).not.to.include(key['x-api-key']).and.not.to.include('CUSTOM_API_USER');
      },
    ));

  it('returns metrics, which count the calls of everybody, to administrators and the global key only', () =>
    withServer({ ...exposure(['*']), ...login }, async (server) => {
      const admin = await sessionOf(server, 'admin', 'a long enough password');
      const { username, password } = await addUser(server, admin, 'ann');
      const ann = await sessionOf(server, username, password);
      for (const caller of [ann, { 'x-api-key': await keyOf(server, ann) }])
        expectProblem(await get(server, '/prometheus', caller), 403, 'ADMIN_ONLY');
      for (const caller of [admin, key]) expect((await get(server, '/prometheus', caller)).status).to.equal(200);
    }));

  it('shows the details of health to those who have a key, when set so', () =>
    withServer(
      { ...exposure(['health'], { endpoint: { health: { 'show-details': 'when-authorized' } } }), ...login },
      async (server) => {
        for (const headers of [{}, { 'x-api-key': 'wrong' }])
          expect(json(await get(server, '/health', headers))).to.deep.equal({ status: 'UP' });
        expect(json(await get(server, '/health', key))).to.include.keys('components');
      },
    ));

  it('treats nobody as authorised while login is off', () =>
    withServer(
      exposure(['health'], { endpoint: { health: { 'show-details': 'when-authorized' } } }),
      async (server) => {
        expect(json(await get(server, '/health', key))).to.deep.equal({ status: 'UP' });
      },
    ));
});

describe('the health of a server in trouble', () => {
  it('is DOWN with 503 when the disk is nearly full, while the process is alive', () =>
    withServer(
      exposure(['*'], {
        endpoint: { health: { 'show-details': 'always' } },
        health: { diskspace: { threshold: '1000000GB' } },
      }),
      async (server) => {
        const answer = await get(server, '/health');
        expect(answer.status).to.equal(503);
        const health = json<{ status: string; components: Record<string, { status: string }> }>(answer);
        expect(health.status).to.equal('DOWN');
        expect(health.components['diskSpace']?.status).to.equal('DOWN');
        expect((await get(server, '/health/liveness')).status).to.equal(200);
        expect((await get(server, '/health/readiness')).status).to.equal(200);
      },
    ));
});
