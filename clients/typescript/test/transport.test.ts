import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthenticationError, ConnectionError, Quire, RateLimitError, ServerError, TimeoutError } from '@quire/client';
import { expect } from 'chai';
import { failure } from './failure.js';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const fine: Answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"pageCount":1}' };
const problem = (status: number, code: string, headers = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ status, code, title: code, detail: `${code} happened` }),
});

describe('The TypeScript client on a bad connection', () => {
  const pdf = new TextEncoder().encode('%PDF-1.7');
  let server: Server;
  let url: string;
  let answers: Answer[];
  let seen: IncomingMessage[];

  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      seen.push(request);
      request.resume();
      const answer = answers.shift();
      if (answer === undefined) return;
      request.once('end', () => response.writeHead(answer.status, answer.headers).end(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('repeats a call that the server could not take, with the same Idempotency-Key', async () => {
    answers = [problem(503, 'QUEUE_FULL', { 'retry-after': '0' }), { status: 502 }, fine];
    expect(await new Quire({ url }).countPages(pdf)).to.deep.equal({ pageCount: 1 });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).to.have.length(3);
    expect(new Set(keys).size).to.equal(1);
    expect(keys[0]).to.match(/^[0-9a-f-]{36}$/);
  });

  it('gives up after the last repetition, and for what repetition does not help', async () => {
    answers = [{ status: 503 }, { status: 503 }];
    expect(await failure(() => new Quire({ url, retries: 1 }).countPages(pdf), ServerError)).to.include({
      code: 'HTTP_503',
    });
    answers = [problem(429, 'DAILY_LIMIT_REACHED', { 'retry-after': '3600' })];
    const limit = await failure(() => new Quire({ url }).countPages(pdf), RateLimitError);
    expect(limit.retryAfter).to.equal(3600);
    answers = [problem(500, 'INTERNAL')];
    await failure(() => new Quire({ url }).countPages(pdf), ServerError);
    expect(seen).to.have.length(4);
  });

  it('sends no key of its own without repetitions, and the one that the caller gives', async () => {
    answers = [fine, fine];
    const quire = new Quire({ url, retries: 0 });
    await quire.countPages(pdf);
    await quire.countPages(pdf, {}, { idempotencyKey: 'mine' });
    expect(seen.map(({ headers }) => headers['idempotency-key'])).to.deep.equal([undefined, 'mine']);
  });

  it('sends the API key, from the environment too, or the token', async () => {
    answers = [fine, problem(401, 'KEY_INVALID'), fine];
    process.env['QUIRE_URL'] = `${url}/`;
    process.env['QUIRE_API_KEY'] = 'from-environment';
    try {
      await new Quire().countPages(pdf);
      await failure(() => new Quire({ apiKey: 'mine' }).countPages(pdf), AuthenticationError);
      await new Quire({ token: 'abc' }).countPages(pdf);
    } finally {
      delete process.env['QUIRE_URL'];
      delete process.env['QUIRE_API_KEY'];
    }
    expect(seen.map(({ headers }) => headers['x-api-key'])).to.deep.equal(['from-environment', 'mine', undefined]);
    expect(seen[2]?.headers.authorization).to.equal('Bearer abc');
  });

  it('reports a server that is away, and an answer that takes too long', async () => {
    answers = [];
    const gone = new Quire({ url: 'http://127.0.0.1:65535', retries: 0 });
    const away = await failure(() => gone.countPages(pdf), ConnectionError);
    expect(away.message).to.contain('http://127.0.0.1:65535').and.to.contain('ECONNREFUSED');
    await failure(() => new Quire({ url, timeoutMs: 50 }).countPages(pdf), TimeoutError);
    const signal = AbortSignal.abort(new Error('stopped by the user'));
    expect((await failure(() => new Quire({ url }).countPages(pdf, {}, { signal }), Error)).message).to.equal(
      'stopped by the user',
    );
  });

  it('refuses an address without http', () => {
    expect(() => new Quire({ url: 'localhost:8080' })).to.throw('http://127.0.0.1:8080');
  });
});
