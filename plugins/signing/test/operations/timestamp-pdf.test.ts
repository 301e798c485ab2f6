import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { readTimeStamp } from '@quire/document/signatures/cms';
import { callOperation } from '@quire/plugin-kit';
import { expect } from 'chai';
import { Authority, type Issued, PkiServer, timeStampReply } from '../../../../test/pki/index.js';

const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const path = 'security/timestamp-pdf';

describe('timestamp-pdf over HTTP', function () {
  this.timeout(60_000);
  let folder: string;
  let authority: Authority;
  let tsa: Issued;
  let pki: PkiServer;
  let server: QuireServer;
  let url: string;
  let stamps: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-tsa-'));
    authority = await Authority.root(join(folder, 'root'), { name: 'Root', key: 'rsa2048' });
    tsa = await authority.issue({ name: 'Time', key: 'rsa2048', purpose: 'time-stamp' });
    pki = await PkiServer.start();
    stamps = pki.timeStamps('/tsr', authority, tsa);
    server = await createTestServer({
      plugins: ['@quire/plugin-signing'],
      settings: {
        'security.timestamp.defaultTsaUrl': stamps,
        'security.timestamp.customTsaUrls': ['/other', '/broken', '/html', '/redirect', '/huge', '/late', '/nonce'].map(
          (route) => pki.url + route,
        ),
        'outbound.allowed': ['127.0.0.1'],
      },
    });
    url = await server.start();
  });

  after(async () => {
    await server.stop();
    await pki.stop();
    await rm(folder, { recursive: true });
  });

  const call = async (params: Record<string, unknown> = {}, name = 'plain.pdf') =>
    callOperation(url, { path, files: [await fixture(name)], params });

  it('appends a stamp over the whole document, and only its digest leaves the server', async () => {
    pki.requests.length = 0;
    const answer = await call();
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'plain_timestamped.pdf']);
    const bytes = Buffer.from(answer.bytes);
    const { bytes: before } = await fixture('plain.pdf');
    expect(bytes.subarray(0, before.length).equals(before)).to.equal(true);
    const text = bytes.toString('latin1');
    expect(text)
      .to.match(/\/Type\s*\/DocTimeStamp/)
      .and.to.match(/\/SubFilter\s*\/ETSI\.RFC3161/)
      .and.to.match(/\/Filter\s*\/Adobe\.PPKLite/);
    const [, ...range] = /\/ByteRange\s*\[(\d+) (\d+) (\d+) (\d+)\s*\]/.exec(text) ?? [];
    const [start = -1, length = 0, second = 0, rest = 0] = range.map(Number);
    expect([start, second + rest]).to.deep.equal([0, bytes.length]);
    const digest = createHash('sha256').update(bytes.subarray(0, length)).update(bytes.subarray(second)).digest();
    const stamp = await readTimeStamp(Buffer.from(text.slice(length + 1, second - 1), 'hex'));
    expect(stamp).not.to.have.property('fault');
    expect(Buffer.from(stamp.imprint.hash).equals(digest)).to.equal(true);
    const [sent] = pki.requests;
    expect(pki.requests).to.have.length(1);
    expect(sent).to.deep.include({ method: 'POST', path: '/tsr' });
    expect(sent?.headers['content-type']).to.equal('application/timestamp-query');
    expect([sent?.body.includes(digest), (sent?.body.length ?? 999) < 100]).to.deep.equal([true, true]);
  });

  it('stamps a document again, and the first stamp still covers what it covered', async () => {
    const once = await call();
    const twice = await callOperation(url, { path, files: [{ name: 'once.pdf', bytes: once.bytes }] });
    expect(twice.status).to.equal(200);
    expect(Buffer.from(twice.bytes).subarray(0, once.bytes.length).equals(once.bytes)).to.equal(true);
    expect(
      Buffer.from(twice.bytes)
        .toString('latin1')
        .match(/\/DocTimeStamp/g),
    ).to.have.length(2);
  });

  it('takes allowed authorities in any case of their host, and blank for the default', async () => {
    pki.route('/other', async ({ body }) => ({
      type: 'application/timestamp-reply',
      bytes: await timeStampReply(authority, tsa, body),
    }));
    for (const tsaUrl of ['', '   ', ` ${pki.url}/other `, `HTTP://127.0.0.1:${new URL(pki.url).port}/other`])
      expect((await call({ tsaUrl })).status, tsaUrl).to.equal(200);
  });

  it('refuses any other address before anything leaves, in the words that clients compare', async () => {
    pki.requests.length = 0;
    for (const tsaUrl of [
      'http://tsa.example.com/',
      `${pki.url}/tsr?x=1`,
      `${pki.url}/tsr/`,
      pki.url,
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      `http://user@${new URL(pki.url).host}/tsr`,
      'nonsense',
    ]) {
      const answer = await call({ tsaUrl });
      expect([answer.status, answer.code], tsaUrl).to.deep.equal([400, 'TSA_NOT_ALLOWED']);
      expect(JSON.parse(Buffer.from(answer.bytes).toString()) as { detail: string })
        .to.have.property('detail')
        .that.matches(/^TSA URL is not in the allowed list/);
    }
    expect(pki.requests).to.deep.equal([]);
  });

  it('answers 502 when the authority does not do its part, never an unstamped document', async () => {
    pki.route('/broken', () => (_request, response) => response.writeHead(500).end('no'));
    pki.route('/html', () => ({ type: 'text/html', bytes: Buffer.from('<html>login</html>') }));
    pki.route('/redirect', () => (_request, response) => response.writeHead(302, { location: '/tsr' }).end());
    pki.route('/huge', () => ({ type: 'application/timestamp-reply', bytes: Buffer.alloc(10 * 1024 * 1024, 0x30) }));
    let kept: Buffer | undefined;
    pki.route('/nonce', async ({ body }) => ({
      type: 'application/timestamp-reply',
      bytes: (kept ??= await timeStampReply(authority, tsa, body)),
    }));
    expect((await call({ tsaUrl: `${pki.url}/nonce` })).status).to.equal(200);
    for (const [route, why] of [
      ['/broken', 'status 500'],
      ['/html', 'not a time stamp response'],
      ['/redirect', 'status 302'],
      ['/huge', 'more than 1048576 bytes'],
      ['/nonce', 'something else'],
    ] as const) {
      const answer = await call({ tsaUrl: pki.url + route }, route === '/nonce' ? 'signed.pdf' : 'plain.pdf');
      expect([answer.status, answer.code], route).to.deep.equal([502, 'REMOTE_ANSWER']);
      expect(Buffer.from(answer.bytes).toString(), route).to.contain(why);
    }
  });

  it('ends when the caller gives up on an authority that never answers', async () => {
    pki.route('/late', () => () => undefined);
    const abort = new AbortController();
    const form = new FormData();
    form.set('fileInput', new Blob([(await fixture('plain.pdf')).bytes]), 'plain.pdf');
    form.set('tsaUrl', `${pki.url}/late`);
    setTimeout(() => abort.abort(), 1500);
    expect(
      await fetch(`${url}/api/v1/${path}`, { method: 'POST', body: form, signal: abort.signal }).then(
        () => 'answered',
        (error: Error) => error.name,
      ),
    ).to.equal('AbortError');
    expect((await call()).status).to.equal(200);
  });
});
