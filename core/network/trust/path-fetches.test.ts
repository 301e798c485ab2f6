import { expect } from 'chai';
import { codeOf } from '../../../test/suites/code-of.js';
import { PkiServer } from '../../../test/pki/index.js';
import { createOutbound } from '../outbound/index.js';
import { PathFetches } from './path-fetches.js';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const request = Buffer.from('3003020101', 'hex').toString('base64');

describe('what certificates point to', () => {
  let server: PkiServer;
  const clients: { close(): Promise<void> }[] = [];
  let now = 0;

  before(async () => void (server = await PkiServer.start()));
  beforeEach(() => void ([server.requests.length, now] = [0, 0]));
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  after(() => server.stop());

  function fetches(allowed: readonly string[] = ['127.0.0.1']): PathFetches {
    const outbound = createOutbound({
      get: <T>(path: string): T => (path === 'outbound.allowed' ? allowed : '/nowhere') as T,
    });
    clients.push(outbound);
    return new PathFetches(outbound, log, () => now);
  }
  const text = (answer: string | null): string | null =>
    answer === null ? null : Buffer.from(answer, 'base64').toString();
  const serve = (path: string, body: string | Buffer): string =>
    server.route(path, () => ({ type: 'application/octet-stream', bytes: Buffer.from(body) }));

  it('is fetched: certificates and lists with GET, OCSP with POST', async () => {
    const url = serve('/any', 'answer');
    const all = fetches();
    expect([
      text(await all.get('issuers', url, null)),
      text(await all.get('crl', url, null)),
      text(await all.get('ocsp', url, request)),
    ]).to.deep.equal(['answer', 'answer', 'answer']);
    expect(
      server.requests.map(({ method, headers, body }) => [method, headers['content-type'], body.toString('base64')]),
    ).to.deep.equal([
      ['GET', undefined, ''],
      ['GET', undefined, ''],
      ['POST', 'application/ocsp-request', request],
    ]);
  });

  it('is not fetched from internal addresses, not even after a redirect', async () => {
    const url = serve('/canary', 'inner');
    const guarded = fetches([]);
    for (const address of [
      url,
      url.replace('127.0.0.1', 'localhost'),
      url.replace('127.0.0.1', '2130706433'),
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'ldap://127.0.0.1/x',
      'nonsense',
    ])
      expect(await guarded.get('crl', address, null), address).to.equal(null);
    expect(server.requests).to.deep.equal([]);
    const away = server.route(
      '/away',
      () => (_request, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    );
    expect(await fetches().get('crl', away, null)).to.equal(null);
    const posted = server.route(
      '/posted',
      () => (_request, response) => void response.writeHead(307, { location: url }).end(),
    );
    expect(await fetches().get('ocsp', posted, request)).to.equal(null);
    expect(server.requests.map(({ path }) => path)).to.deep.equal(['/away', '/posted']);
  });

  it('is null when nobody answers well: too large, another status, empty, broken off', async () => {
    const all = fetches();
    expect(await all.get('ocsp', serve('/large', Buffer.alloc(200_000)), request)).to.equal(null);
    expect(await all.get('issuers', serve('/larger', Buffer.alloc(300_000)), null)).to.equal(null);
    expect(text(await all.get('crl', serve('/list', Buffer.alloc(300_000, 'a')), null))?.length).to.equal(300_000);
    expect(await all.get('crl', serve('/huge', Buffer.alloc(11_000_000)), null)).to.equal(null);
    expect(await all.get('crl', `${server.url}/absent`, null)).to.equal(null);
    expect(await all.get('crl', serve('/empty', ''), null)).to.equal(null);
    expect(
      await all.get(
        'crl',
        server.route('/broken', () => (_request, response) => void response.destroy()),
        null,
      ),
    ).to.equal(null);
  });

  it('is waited for five seconds, or until the work is cancelled', async () => {
    const hangs = server.route('/hangs', () => () => undefined);
    const all = fetches();
    const abort = new AbortController();
    const cancelled = codeOf(all.get('ocsp', hangs, request, abort.signal));
    setTimeout(() => abort.abort(new Error('enough')), 50);
    const started = Date.now();
    expect(await all.get('crl', hangs, null)).to.equal(null);
    expect(Date.now() - started).to.be.at.least(4500);
    expect(await cancelled).to.equal('CANCELLED');
    expect(await codeOf(all.get('crl', `${server.url}/never`, null, abort.signal))).to.equal('CANCELLED');
  });

  it('repeats an answer for some minutes, and does not ask a failed server again for half a minute', async () => {
    let answer = 'one';
    const url = server.route('/changes', () => ({ type: 'x/y', bytes: Buffer.from(answer) }));
    const all = fetches();
    expect(text(await all.get('crl', url, null))).to.equal('one');
    answer = 'two';
    expect(text(await all.get('crl', url, null))).to.equal('one');
    now += 5 * 60_000;
    expect(text(await all.get('crl', url, null))).to.equal('two');
    const absent = `${server.url}/later`;
    expect(await all.get('crl', absent, null)).to.equal(null);
    serve('/later', 'here');
    expect(await all.get('crl', absent, null)).to.equal(null);
    now += 31_000;
    expect(text(await all.get('crl', absent, null))).to.equal('here');
  });

  it('is fetched from few places at once, and all get their turn', async () => {
    let open = 0;
    let most = 0;
    const url = server.route('/slow', () => (_request, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.end('x');
      }, 20);
    });
    const all = fetches();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => all.get('crl', `${url}?${i}`, null)));
    expect(answers.every((answer) => text(answer) === 'x')).to.equal(true);
    expect(most).to.be.within(2, 8);
  });

  it('is nothing but that: other kinds, requests and addresses are refused', async () => {
    const url = serve('/canary', 'x');
    const all = fetches();
    const odd = all.get.bind(all) as (...args: unknown[]) => Promise<unknown>;
    for (const args of [
      ['POST', url, null],
      ['crl', url, request],
      ['issuers', url, request],
      ['ocsp', url, null],
      ['ocsp', url, Buffer.from('GET / HTTP/1.1').toString('base64')],
      ['ocsp', url, Buffer.alloc(2000, 0x30).toString('base64')],
      ['ocsp', url, { length: 5 }],
      ['crl', `${url}?${'a'.repeat(3000)}`, null],
      ['crl', [url], null],
    ])
      expect(await codeOf(odd(...args)), JSON.stringify(args).slice(0, 60)).to.equal('INPUT_INVALID');
    expect(server.requests).to.deep.equal([]);
  });
});
