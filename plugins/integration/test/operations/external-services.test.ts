import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { createTestServer } from '@quire/core';
import { field, file, json, post, send } from '../../../../test/http/support/client.js';
import { sendJson } from '../../../../test/http/support/login.js';
import { leftovers, until } from '../../../../test/http/support/server.js';
import { Bench, PATH, pdf, problem, report, type Server } from './api-calls-bench.js';
import { startRemote, type Seen } from './remote-service.js';

describe('a file sent', function () {
  this.timeout(60_000);
  const bench = new Bench();

  describe('to a service that misbehaves', () => {
    it('ends at once when it says no, redirects or is not there', async () => {
      for (const status of [301, 400, 401, 403, 404, 500, 503]) {
        bench.answers('{"why": "no"}', 'application/json', status, { location: `${bench.elsewhere.url}/` });
        await bench.failed('REMOTE_ANSWER', `status ${status}`);
      }
      expect(bench.elsewhere.seen).to.deep.equal([]);
      await bench.failed('REMOTE_UNREACHABLE', 'could not be reached', {}, { baseUrl: 'http://127.0.0.1:1' });
    });

    it('ends if the service is slow, breaks off or sends a wrong length', async () => {
      const slow = { timeoutSeconds: 1 };
      bench.remote.answer = () => undefined;
      await bench.failed('REMOTE_TIMEOUT', 'within 1 seconds', {}, slow);
      bench.remote.answer = (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      await bench.failed('REMOTE_TIMEOUT', 'within 1 seconds', {}, slow);
      bench.remote.answer = (_request, response) =>
        void response.writeHead(200, { 'content-length': '100' }).write('short', () => response.destroy());
      await bench.failed('REMOTE_UNREACHABLE', 'could not be reached');
      bench.remote.answer = (_request, response) => void response.socket?.end('garbage\r\n\r\n');
      await bench.failed('REMOTE_UNREACHABLE', 'could not be reached');
    });

    it('ends at 64 MiB of answer, and at one that is packed unasked', async () => {
      const piece = Buffer.alloc(1024 * 1024, 'x');
      bench.remote.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        let left = 70;
        const more = (): void => {
          while (left-- > 0) if (!response.write(piece)) return void response.once('drain', more);
          response.end();
        };
        more();
      };
      await bench.failed('REMOTE_ANSWER', 'more than 67108864 bytes', {}, { timeoutSeconds: 15 });
      bench.answers('x', 'text/plain', 200, { 'content-encoding': 'gzip' });
      await bench.failed('REMOTE_ANSWER', 'content encoding');
    });

    it('ends within a second when the client goes', async () => {
      bench.remote.answer = () => undefined;
      const id = await bench.connect({ timeoutSeconds: 60 });
      const abort = new AbortController();
      const waiting = post(
        `${bench.server.url}${PATH}`,
        [file(pdf), field('connectionId', String(id))],
        {},
        abort.signal,
      ).catch(() => undefined);
      await until('the service is called', () => bench.remote.seen.length === 1);
      abort.abort();
      await waiting;
      await until('all is tidied up', () => leftovers(bench.server.basePath).length === 0);
    });
  });

  describe('over a connection that logs in', () => {
    const login = {
      authType: 'TOKEN_LOGIN',
      token: '',
      username: 'ann',
      password: 'canary-password',
      loginPath: '/login',
      tokenResponseJsonPath: 'data.token',
    };
    let tokens = 0;
    let good = '';
    const serve = (): void => {
      bench.remote.answer = (request, response) => {
        if (request.url === '/api/login') {
          good = `canary-session-${++tokens}`;
          return void response
            .writeHead(200, { 'content-type': 'application/json', 'x-session': good })
            .end(JSON.stringify({ data: { token: good } }));
        }
        return void response
          .writeHead(
            Object.values(request.headers).some(
              (value) => value === good || value === `Bearer ${good}` || value === `Token ${good}`,
            )
              ? 200
              : 401,
            { 'content-type': 'application/json' },
          )
          .end('{}');
      };
    };
    beforeEach(serve);
    const logins = (): Seen[] => bench.remote.seen.filter(({ url }) => url === '/api/login');

    it('logs in once for many calls, and once more when the token is no longer taken', async () => {
      expect((await bench.call({}, login)).status).to.equal(200);
      expect(JSON.parse(logins()[0]?.body.toString() ?? '')).to.deep.equal({
        username: 'ann',
        password: 'canary-password',
      });
      await Promise.all([bench.call({}, login), bench.call({}, login)]);
      expect(logins()).to.have.length(1);
      good = 'taken away';
      const again = await bench.call({}, login);
      expect([again.status, again.body.equals(pdf), logins().length]).to.deep.equal([200, true, 2]);
      expect(bench.remote.seen.slice(-3).map(({ url }) => url)).to.deep.equal(['/api', '/api/login', '/api']);
    });

    it('logs in once for all calls whose token is no longer taken', async () => {
      const config = { ...login, headers: { 'X-Case': 'many' } };
      await bench.call({}, config);
      good = 'taken away';
      const answers = await Promise.all(Array.from({ length: 6 }, () => bench.call({}, config)));
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
      expect(logins()).to.have.length(2);
    });

    it('tries no third time, and reports what failed', async () => {
      const config = { ...login, headers: { 'X-Case': 'never' } };
      bench.remote.answer = (request, response) =>
        void response
          .writeHead(request.url === '/api/login' ? 200 : 401, { 'content-type': 'application/json' })
          .end('{"data":{"token":"t0ken"}}');
      await bench.failed('REMOTE_ANSWER', 'with status 401', {}, config);
      expect(bench.remote.seen).to.have.length(4);
      for (const [body, status, text] of [
        ['{}', 200, 'without a token'],
        ['no json', 200, 'without a token'],
        ['{"data":{"token":"a\\r\\nb"}}', 200, 'without a token'],
        ['{"data":{"token":{}}}', 200, 'without a token'],
        ['{}', 403, 'the login with status 403'],
      ] as const) {
        bench.answers(body, 'application/json', status);
        await bench.failed(
          'REMOTE_ANSWER',
          text,
          {},
          { ...login, headers: { 'X-Case': `${body} ${status}`.replace(/[^\w]/g, '') } },
        );
      }
    });

    it('takes the token from a header, sends it in another, and logs in with a body of its own', async () => {
      const config = {
        ...login,
        tokenResponseJsonPath: undefined,
        tokenResponseHeader: 'X-Session',
        tokenHeaderName: 'X-Auth',
        tokenPrefix: 'Token ',
        loginBody: 'user={{username}}&pass={{password}}',
        loginHeaders: { 'X-Login': 'yes' },
        password: 'a&b=ü',
      };
      expect((await bench.call({}, config)).status).to.equal(200);
      expect([
        logins()[0]?.body.toString(),
        logins()[0]?.headers['content-type'],
        logins()[0]?.headers['x-login'],
      ]).to.deep.equal(['user=ann&pass=a%26b%3D%C3%BC', 'application/x-www-form-urlencoded', 'yes']);
      expect(bench.last().headers['x-auth']).to.equal(`Token ${good}`);
      expect(
        (await bench.call({}, { ...login, loginBody: '{"u":"{{username}}","p":"{{password}}"}', password: 'a"b\\' }))
          .status,
      ).to.equal(200);
      expect(JSON.parse(logins().at(-1)?.body.toString() ?? '')).to.deep.equal({ u: 'ann', p: 'a"b\\' });
    });

    it('logs in with a query, whose values it does not reveal', async () => {
      bench.remote.answer = (request, response) => {
        const login = request.url?.startsWith('/api/login') === true;
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(
            JSON.stringify(
              login ? { data: { token: 'canary-session' } } : { you: 'sent canary-query and cänary', ok: true },
            ),
          );
      };
      const answer = await bench.call({}, { ...login, loginPath: '/login?key=canary-query&more=c%C3%A4nary' });
      expect([answer.status, bench.remote.seen[0]?.url]).to.deep.equal([
        200,
        '/api/login?key=canary-query&more=c%C3%A4nary',
      ]);
      expect(JSON.parse(String(answer.headers['x-tool-report'])))
        .to.have.nested.property('body.you')
        .that.does.not.match(/canary|c.nary/);
    });

    it('logs in again when the time of a token is over, and when the connection has changed', async () => {
      const config = { ...login, tokenTtlSeconds: 1 };
      await bench.call({}, config);
      await new Promise((resolve) => setTimeout(resolve, 1050));
      await bench.call({}, config);
      expect(logins()).to.have.length(2);
      await sendJson(
        bench.server,
        `/api/v1/integrations/${await bench.connect(config)}`,
        { name: 'Renamed' },
        {},
        'PUT',
      );
      await bench.call({}, config);
      expect(logins()).to.have.length(3);
    });
  });

  describe('as a step and as a job', () => {
    it('passes on what it was given or what was answered', async () => {
      bench.answers(pdf, 'application/pdf');
      const run = {
        pipeline: [
          {
            operation: '/api/v1/integration/external-api-call',
            parameters: { connectionId: await bench.connect(), fields: '{"a":"{{document.title}}"}' },
          },
          {
            operation: '/api/v1/integration/external-api-call',
            parameters: { connectionId: await bench.connect(), responseMode: 'replace', bodyMode: 'binary' },
          },
          { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
        ],
      };
      const answer = await post(`${bench.server.url}/api/v1/pipeline/handleData`, [
        file(pdf),
        field('json', JSON.stringify({ name: 'x', ...run })),
      ]);
      expect([answer.status, bench.remote.seen.length], answer.body.toString().slice(0, 300)).to.deep.equal([200, 2]);
      bench.answers('no', 'text/plain', 500);
      const failing = problem(
        await post(`${bench.server.url}/api/v1/pipeline/handleData`, [
          file(pdf),
          field('json', JSON.stringify({ name: 'x', ...run })),
        ]),
      );
      expect([failing.status, failing.code, failing.step?.index]).to.deep.equal([502, 'REMOTE_ANSWER', 0]);
    });

    it('leaves no secret in records, errors or files, whether it succeeds or fails', async () => {
      const config = {
        authType: 'HEADER',
        headerName: 'X-Key',
        token: 'canary-of-jobs-42',
        baseUrl: `${bench.remote.url}/canary-place`,
      };
      const ends: Record<string, unknown>[] = [];
      for (const status of [200, 500]) {
        bench.remote.answer = (request, response) =>
          void response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify({ echo: request.headers['x-key'] }));
        const accepted = await bench.call({ async: true, headers: { 'X-Step': 'canary-of-the-step' } }, config);
        const { jobId } = json<{ jobId: string }>(accepted);
        let job: Record<string, unknown> = {};
        await until(
          'the job ends',
          async () => (job = json(await send(`${bench.server.url}/api/v1/general/job/${jobId}`)))['complete'] === true,
        );
        ends.push(job);
        const result = await send(`${bench.server.url}/api/v1/general/job/${jobId}/result`);
        expect([result.status, job['error'] ?? ''].join(' ')).to.match(status === 200 ? /^200 $/ : /^400 .*status 500/);
        if (status === 200) expect(report(result)).to.deep.include({ status: 200, body: { echo: '********' } });
        expect(JSON.stringify([job, result.headers, result.body.toString('latin1')])).not.to.contain('canary');
      }
      expect(ends.map((job) => job['status'])).to.deep.equal(['succeeded', 'failed']);
      expect(
        execFileSync('sh', [
          '-c',
          'grep -rlaE "canary-of-jobs|canary-of-the-step|canary-password|canary-session" "$0" || true',
          bench.server.basePath,
        ]).toString(),
      ).to.equal('');
    });
  });
});

describe('a file sent to a private address', function () {
  this.timeout(60_000);
  it('does not leave while the setting is off, also over a connection that was made before', async () => {
    const remote = await startRemote();
    const first = await createTestServer({
      plugins: ['@quire/plugin-integration'],
      settings: { policies: { allowPrivateApiEndpoints: true } },
    });
    let second: Server | undefined;
    try {
      await first.start();
      const { basePath } = first;
      const made = await sendJson(first, '/api/v1/integrations', {
        integrationType: 'API',
        name: 'x',
        config: { baseUrl: remote.url },
      });
      const { id } = json<{ id: number }>(made);
      const stay = await sendJson(first, '/api/v1/integrations', {
        integrationType: 'API',
        name: 'x',
        config: { baseUrl: 'http://169.254.169.254/latest' },
      });
      expect(json<{ code: string }>(stay).code).to.equal('ADDRESS_REFUSED');
      const copy = `${basePath}-copy`;
      execFileSync('cp', ['-r', basePath, copy]);
      execFileSync('rm', ['-rf', `${copy}/store/quire.lock`]);
      await first.stop();
      second = await createTestServer({ plugins: ['@quire/plugin-integration'], basePath: copy });
      await second.start();
      const answer = await post(`${second.url}${PATH}`, [file(pdf), field('connectionId', String(id))]);
      expect([answer.status, json<{ code: string }>(answer).code], answer.body.toString()).to.deep.equal([
        400,
        'ADDRESS_REFUSED',
      ]);
      expect(remote.seen).to.deep.equal([]);
      await second.stop();
      execFileSync('rm', ['-rf', copy]);
    } finally {
      await remote.stop();
    }
  });
});
