import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import { createTestServer } from '@quire/core';
import { field, file, json, post, send, type Answer, type Problem } from '../../../../test/http/support/client.js';
import { sendJson } from '../../../../test/http/support/login.js';
import { leftovers, until } from '../../../../test/http/support/server.js';
import { startRemote, zipOf, type RemoteService, type Seen } from './remote-service.js';

type Server = Awaited<ReturnType<typeof createTestServer>>;
type Fields = Readonly<Record<string, string | number | boolean | object>>;

const PATH = '/api/v1/integration/external-api-call';
const SECRET = 'canary-token-0123456789';
const pdf = readFileSync(new URL('../../fixtures/labelled.pdf', import.meta.url));
const TITLE = 'Quarterly "report" – Müller & Co';

describe('a file sent to an API connection', function () {
  this.timeout(20_000);
  let server: Server;
  let remote: RemoteService;
  let elsewhere: RemoteService;
  const ids = new Map<string, number>();

  const connect = async (config: object = {}, key = JSON.stringify(config)): Promise<number> => {
    let id = ids.get(key);
    if (id === undefined) {
      const answer = await sendJson(server, '/api/v1/integrations', { integrationType: 'API', name: 'Archive', config: { baseUrl: `${remote.url}/api`, authType: 'BEARER', token: SECRET, timeoutSeconds: 2, ...config } });
      expect(answer.status, answer.body.toString()).to.equal(200);
      ids.set(key, (id = json<{ id: number }>(answer).id));
    }
    return id;
  };
  const call = async (params: Fields = {}, config: object = {}, document: Uint8Array = pdf, name = 'report.pdf'): Promise<Answer> => {
    const connectionId = 'connectionId' in params ? params['connectionId'] : await connect(config);
    return post(`${server.url}${PATH}`, [file(document, name), ...Object.entries({ connectionId, ...params }).map(([key, value]) => field(key, typeof value === 'object' ? JSON.stringify(value) : String(value)))]);
  };
  const report = (answer: Answer): Record<string, unknown> => JSON.parse(String(answer.headers['x-tool-report'])) as Record<string, unknown>;
  const last = (): Seen => remote.seen.at(-1) ?? expect.fail('the service was not called');
  const problem = (answer: Answer): Problem => json(answer) as unknown as Problem;
  const failed = async (code: string, text: RegExp | string, params: Fields = {}, config: object = {}): Promise<void> => {
    const answer = await call(params, config);
    const { code: found, detail, status } = problem(answer);
    expect([found, status], detail).to.deep.equal([code, code === 'REMOTE_TIMEOUT' ? 504 : code.startsWith('REMOTE') ? 502 : 400]);
    expect(detail).to.match(typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text);
    expect(answer.body.toString()).not.to.contain(SECRET);
  };
  const answers = (body: string | Buffer, type = 'application/json', status = 200, headers: Readonly<Record<string, string>> = {}): void => {
    remote.answer = (_request, response) => void response.writeHead(status, { ...(type === '' ? {} : { 'content-type': type }), ...headers }).end(body);
  };

  before(async () => {
    [remote, elsewhere] = [await startRemote(), await startRemote()];
    server = await createTestServer({ plugins: ['@quire/plugin-integration', '@quire/plugin-general'], settings: { policies: { allowPrivateApiEndpoints: true }, limits: { workers: 1 } } });
    await server.start();
  });
  after(async () => {
    await server?.stop();
    await Promise.all([remote?.stop(), elsewhere?.stop()]);
  });
  beforeEach(() => {
    for (const service of [remote, elsewhere]) service.seen.length = 0;
    answers('{"ok":true}');
  });
  afterEach(async () => until('no temporary file is left', () => leftovers(server.basePath).length === 0));

  describe('as it is sent', () => {
    it('goes as a form, with its name and type, to the address of the connection, and comes back as it was', async () => {
      const answer = await call({ path: 'inbox?kind=a//b' });
      expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).to.deep.equal([200, 'application/pdf', "attachment; filename=\"report.pdf\"; filename*=UTF-8''report.pdf"]);
      expect(answer.body.equals(pdf)).to.equal(true);
      expect(last()).to.deep.include({ method: 'POST', url: '/api/inbox?kind=a//b' });
      expect(last().headers).to.deep.include({ authorization: `Bearer ${SECRET}`, 'content-length': String(last().body.length) });
      const form = await new Response(new Uint8Array(last().body), { headers: { 'content-type': String(last().headers['content-type']) } }).formData();
      const sent = form.get('file') as File;
      expect([[...form.keys()], sent.name, sent.type]).to.deep.equal([['file'], 'report.pdf', 'application/pdf']);
      expect(Buffer.from(await sent.arrayBuffer()).equals(pdf)).to.equal(true);
      expect(report(answer)).to.deep.equal({ status: 200, contentType: 'application/json', body: { ok: true } });
    });

    it('goes with fields and context, under another field name, by another method', async () => {
      await call({ method: 'PUT', fileFieldName: 'doc"ument', fields: { title: '{{document.title}}', n: 7, deep: { a: ['{{document.pageCount}}'] } }, includeContext: true, headers: { 'X-Sum': '{{document.sha256}}', 'X-None': '{{run.policyName}}' } });
      const form = await new Response(new Uint8Array(last().body), { headers: { 'content-type': String(last().headers['content-type']) } }).formData();
      expect([last().method, form.get('title'), form.get('n'), form.get('deep'), (form.get('doc"ument') as File | null)?.size]).to.deep.equal(['PUT', TITLE, '7', '{"a":["1"]}', pdf.length]);
      expect(last().headers).to.deep.include({ 'x-sum': createHash('sha256').update(pdf).digest('hex'), 'x-none': '' });
      const context = JSON.parse(String(form.get('context'))) as Record<string, Record<string, unknown>>;
      expect(Object.keys(context)).to.deep.equal(['document', 'classification', 'sensitivityLabel', 'run']);
      expect(context['document']).to.deep.include({ filename: 'report.pdf', extension: 'pdf', contentType: 'application/pdf', sizeBytes: pdf.length, pageCount: 1, encrypted: false, title: TITLE, author: 'Ada Lovelace', subject: null, created: '2024-02-29T12:00:00Z' });
      expect(context['classification']).to.deep.equal({ label: { id: 'finance', name: 'Finance' }, confidence: 0.9 });
      expect(context['sensitivityLabel']).to.deep.equal({ labelId: 'aaaaaaaa-0000-4000-8000-000000000007', name: 'Internal', siteId: '77777777-7777-4777-8777-777777777777', method: 'Standard', protected: true });
    });

    it('goes as JSON, as a template, and as the body itself', async () => {
      await call({ bodyMode: 'json', fields: { a: [1, '{{document.author}}'], content: 'is overwritten' }, includeContext: true });
      expect(last().headers['content-type']).to.equal('application/json');
      const body = JSON.parse(last().body.toString()) as Record<string, unknown>;
      expect(body).to.deep.include({ a: [1, 'Ada Lovelace'], filename: 'report.pdf', contentType: 'application/pdf', content: pdf.toString('base64') });
      expect(body['sensitivityLabel']).to.be.an('object');
      await call({ bodyMode: 'json', includeFile: false, fields: {} });
      expect(last().body.toString()).to.equal('{}');
      await call({ bodyTemplate: '{"t": "a {{document.title}} z", "n": {{document.pageCount}}, "s": {{document.subject}}, "c": "{{classification.label.name}}/{{classification.none}}", "o": {"i": {}}, "d": "data:{{document.resolvedContentType}};base64,{{document.base64}}"}' });
      expect(JSON.parse(last().body.toString())).to.deep.equal({ t: `a ${TITLE} z`, n: 1, s: null, c: 'Finance/', o: { i: {} }, d: `data:application/pdf;base64,${pdf.toString('base64')}` });
      await call({ bodyMode: 'binary', method: 'PATCH', headers: { 'Content-Type': 'application/x-own' } });
      expect([last().method, last().headers['content-type'], last().body.equals(pdf)]).to.deep.equal(['PATCH', 'application/x-own', true]);
    });

    it('fills its path encoded, whatever a document calls itself, and never leaves the address of the connection', async () => {
      expect((await call({ path: '/d/{{document.title}}/{{document.filename}}' })).status).to.equal(200);
      expect(last().url).to.equal(`/api/d/${encodeURIComponent(TITLE)}/report.pdf`);
      remote.seen.length = 0;
      for (const path of ['../admin', 'a/../../b', './x', '//evil.example.com/', 'https://evil.example.com/', 'a\\b', 'a b', 'a#b', 'a%2e%2e/b', '%2E%2E/x', 'a%2fb', 'a\tb', 'javascript:x']) await failed('INPUT_INVALID', 'path', { path });
      const dots = await call({ path: 'x/{{document.filename}}/y', bodyMode: 'binary' }, {}, pdf, '..pdf');
      expect(dots.status, 'a name with dots is no way up').to.equal(200);
      const up = await PDFDocument.create();
      up.addPage();
      up.setTitle('..');
      expect((await call({ path: '{{document.title}}/{{document.title}}/admin' }, {}, await up.save())).status, 'a title that is a way up').to.equal(400);
      remote.seen.length = 0;
      await failed('INPUT_INVALID', 'not known', { path: '{{document.secret}}' });
      expect(remote.seen).to.deep.equal([]);
    });

    it('refuses headers that are not for callers to set, and values that would begin others', async () => {
      for (const name of ['Authorization', 'HOST', 'Content-Length', 'transfer-encoding', 'Connection', 'Upgrade', 'Expect', 'Proxy-Authorization', 'X A', 'X:A', 'X\r\nEvil', '']) await failed('INPUT_INVALID', 'headers', { headers: { [name]: 'x' } });
      for (const value of ['a\r\nX-Evil: 1', 'a\nb', 'ü', '{{document.title}}', ' a', ['x']]) await failed('INPUT_INVALID', 'headers', { headers: { 'X-A': value } });
      await failed('INPUT_INVALID', 'Content-Type', { headers: { 'Content-Type': 'text/plain' } });
      await failed('INPUT_INVALID', 'by which the connection', { headers: { 'x-api-key': 'mine' } }, { authType: 'HEADER', headerName: 'X-Api-Key' });
      expect(remote.seen).to.deep.equal([]);
      await call({}, {}, pdf, 'a"; filename="evil.exe');
      expect(last().body.toString('latin1')).to.match(/filename="a[^"\r\n]*"\r\n/);
    });

    for (const [title, params, named] of [
      ['a method that is none', { method: 'DELETE' }, 'method'], ['a mode that is none', { bodyMode: 'xml' }, 'bodyMode'], ['an answer mode that is none', { responseMode: 'drop' }, 'responseMode'], ['fields that are no JSON', { fields: '{a' }, 'fields'],
      ['fields that are a list', { fields: '[1]' }, 'fields'], ['headers that are no object', { headers: '"x"' }, 'headers'], ['a template that is no JSON', { bodyTemplate: '{"a": }' }, 'bodyTemplate'], ['an unknown placeholder in a template', { bodyTemplate: '{"a": "{{nope}}"}' }, 'bodyTemplate'],
      ['fields beside a bare body', { bodyMode: 'binary', fields: { a: 1 } }, 'fields'], ['a bare body without file', { bodyMode: 'binary', includeFile: 'false' }, 'includeFile'], ['a path of JSON that is none', { requireTrue: 'a..b' }, 'requireTrue'],
      ['a connection that is no number', { connectionId: 'abc' }, 'connectionId'], ['no connection', { connectionId: '' }, 'connectionId'], ['a switch that is none', { includeContext: 'maybe' }, 'includeContext'],
    ] as const) {
      it(`refuses ${title}, naming it`, async () => {
        const answer = await call(params as Fields);
        expect([answer.status, problem(answer).code], problem(answer).detail).to.deep.equal([400, 'INPUT_INVALID']);
        expect(problem(answer).detail).to.contain(named);
        expect(remote.seen).to.deep.equal([]);
      });
    }

    it('takes files that are locked, damaged or no documents as they are', async () => {
      const damaged = Buffer.from('%PDF-1.7\nbroken');
      const answer = await call({ includeContext: true }, {}, damaged, 'broken.pdf');
      expect([answer.status, answer.body.equals(damaged)]).to.deep.equal([200, true]);
      expect((await call({ bodyMode: 'binary' }, {}, Buffer.from('plain'), 'note.txt')).headers['content-type']).to.contain('text/plain');
    });

    it('says who calls in each way, and cannot use connections that are not for it', async () => {
      const basic = { authType: 'BASIC', username: 'änn', password: 'p:w' };
      await call({}, basic);
      expect(last().headers['authorization']).to.equal(`Basic ${Buffer.from('änn:p:w').toString('base64')}`);
      await call({}, { authType: 'HEADER', headerName: 'X-Api-Key', headerPrefix: 'Key', headers: { 'X-Tenant': 't' } });
      expect(last().headers).to.deep.include({ 'x-api-key': `Key ${SECRET}`, 'x-tenant': 't' });
      await call({}, { authType: 'NONE' });
      expect(last().headers).not.to.have.property('authorization');
      const id = await connect(basic);
      await sendJson(server, `/api/v1/integrations/${id}`, { enabled: false }, {}, 'PUT');
      const off = problem(await call({ connectionId: id }));
      expect([off.code, off.detail]).to.deep.equal(['CONNECTION_UNUSABLE', `"connectionId" cannot be used: the connection ${id} is disabled.`]);
      await failed('CONNECTION_UNUSABLE', 'no connection 4711', { connectionId: 4711 });
      const mcp = json<{ id: number }>(await sendJson(server, '/api/v1/integrations', { integrationType: 'MCP', name: 'x' })).id;
      await failed('CONNECTION_UNUSABLE', 'takes API', { connectionId: mcp });
    });
  });

  describe('with an answer that is reported', () => {
    it('embeds short JSON, cuts long one, and tells the size of anything else', async () => {
      answers(JSON.stringify({ long: 'x'.repeat(5000) }));
      expect(report(await call())).to.deep.include({ status: 200, bodyTruncated: true }).and.to.have.property('body').with.length(4096);
      answers(JSON.stringify({ wide: '漢'.repeat(3000) }));
      const wide = await call();
      expect(String(wide.headers['x-tool-report']).length).to.be.lessThan(8193);
      expect(report(wide)).to.have.property('bodyTruncated', true);
      answers('{"a": tru', 'application/problem+json; charset=utf-8');
      expect(report(await call())).to.deep.equal({ status: 200, contentType: 'application/problem+json; charset=utf-8', bodyParseError: true, body: '{"a": tru' });
      answers('%PDF-1.4', 'application/pdf', 201);
      expect(report(await call())).to.deep.equal({ status: 201, contentType: 'application/pdf', bodyBytes: 8 });
      answers('', 'application/json');
      expect(report(await call())).to.deep.equal({ status: 200, contentType: 'application/json', bodyBytes: 0 });
      answers('['.repeat(2000) + ']'.repeat(2000));
      expect((await call()).status, 'lists in lists').to.equal(200);
    });

    it('demands that a verdict is true', async () => {
      answers('{"verdict":{"ok":[true,"true"]}}');
      expect((await call({ requireTrue: 'verdict.ok.0' })).status).to.equal(200);
      for (const requireTrue of ['verdict.ok.1', 'verdict.ok', 'none', '__proto__.x', 'constructor']) await failed('REMOTE_ANSWER', 'is not true', { requireTrue });
      answers('no json', 'text/plain');
      await failed('REMOTE_ANSWER', 'is not true', { requireTrue: 'ok' });
    });

    it('blots out the secrets of the connection where a service repeats them', async () => {
      remote.answer = (request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ you: request.headers['authorization'] }));
      const answer = await call();
      expect(String(answer.headers['x-tool-report'])).not.to.contain(SECRET);
      expect(report(answer)['body']).to.deep.equal({ you: '********' });
    });
  });

  describe('with an answer that takes its place', () => {
    const replace = { responseMode: 'replace' };

    it('becomes what was answered, under its name and type', async () => {
      answers(pdf, 'application/pdf', 200, { 'content-disposition': "attachment; filename*=UTF-8''%C3%BCber.pdf; filename=other.pdf" });
      const named = await call(replace);
      expect([named.status, named.headers['content-type'], named.body.equals(pdf), named.headers['x-tool-report']]).to.deep.equal([200, 'application/pdf', true, undefined]);
      expect(named.headers['content-disposition']).to.contain("filename*=UTF-8''%C3%BCber.pdf");
      answers('a,b', 'text/csv; charset=utf-8');
      expect((await call(replace)).headers['content-disposition']).to.contain('filename="report.csv"');
      answers('???', 'application/x-unheard-of');
      const unknown = await call(replace);
      expect([unknown.headers['content-type'], unknown.headers['content-disposition']]).to.deep.equal(['application/octet-stream', "attachment; filename=\"report.bin\"; filename*=UTF-8''report.bin"]);
      answers('x', 'text/plain', 200, { 'content-disposition': 'attachment; filename="../../etc/pass\\"wd.txt"' });
      expect((await call(replace)).headers['content-disposition']).to.match(/^attachment; filename="pass_?wd\.txt"/);
    });

    it('is fetched from a result URL in a header or in JSON, without saying who asks', async () => {
      remote.answer = (request, response) => (request.method === 'GET' ? response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf) : response.writeHead(202, { 'content-type': 'application/json', location: `${remote.url}/result/1` }).end(JSON.stringify({ files: [{ url: `${remote.url}/result/2` }] }))) as unknown as void;
      expect((await call({ ...replace, resultUrlPath: 'files[0].url' })).body.equals(pdf)).to.equal(true);
      expect([last().url, last().headers['authorization']]).to.deep.equal(['/result/2', undefined]);
      expect((await call({ ...replace, resultUrlHeader: 'location', resultUrlPath: 'files.0.url' })).status).to.equal(200);
      expect(last().url, 'the header wins').to.equal('/result/1');
      elsewhere.answer = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('from elsewhere');
      answers(JSON.stringify({ url: `http://localhost:${elsewhere.port}/x` }));
      await failed('REMOTE_ANSWER', 'resultUrlHosts', { ...replace, resultUrlPath: 'url' });
      expect((await call({ ...replace, resultUrlPath: 'url' }, { resultUrlHosts: ['localhost'] })).body.toString()).to.equal('from elsewhere');
      expect(elsewhere.seen.map(({ headers }) => headers['authorization'])).to.deep.equal([undefined]);
    });

    it('refuses result URLs that lead astray', async () => {
      for (const url of ['file:///etc/passwd', 'ftp://x/y', '/relative', `http://user:pw@127.0.0.1:${remote.port}/x`, 'http://evil.example.com/', 'http://127.0.0.1.evil.example.com/', 'http://xlocalhost/', 'http://169.254.169.254/latest', 'http://a b/', '']) {
        answers(JSON.stringify({ url }));
        await failed('REMOTE_ANSWER', 'result URL', { ...replace, resultUrlPath: 'url' }, { resultUrlHosts: ['localhost'] });
      }
      answers(JSON.stringify({ url: 'http://169.254.169.254/latest' }));
      await failed('ADDRESS_REFUSED', 'refused', { ...replace, resultUrlPath: 'url' }, { resultUrlHosts: ['169.254.169.254'] });
      remote.answer = (request, response) => (request.method === 'GET' ? response.writeHead(302, { location: 'http://169.254.169.254/' }).end() : response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url: `${remote.url}/r` }))) as unknown as void;
      await failed('REMOTE_ANSWER', 'redirects are not followed', { ...replace, resultUrlPath: 'url' });
    });

    it('takes the one file of a zip that is asked for', async () => {
      const zip = await zipOf([['out/a.txt', Buffer.from('A')], ['out/b.pdf', pdf], ['c.txt', Buffer.from('C')]]);
      answers(zip, 'application/zip');
      const picked = await call({ ...replace, responseSelect: '*.pdf' });
      expect([picked.status, picked.body.equals(pdf)]).to.deep.equal([200, true]);
      expect(picked.headers['content-disposition']).to.contain('filename="b.pdf"');
      expect((await call({ ...replace, responseSelect: '2' })).body.toString()).to.equal('C');
      expect((await call({ ...replace, responseSelect: 'OUT/?.TXT' })).body.toString()).to.equal('A');
      await failed('REMOTE_ANSWER', 'several files', { ...replace, responseSelect: '*.txt' });
      await failed('REMOTE_ANSWER', 'none of which', { ...replace, responseSelect: '3' });
      await failed('REMOTE_ANSWER', 'responseSelect does not say', replace);
      answers(zip, 'application/octet-stream');
      await failed('REMOTE_ANSWER', 'responseSelect does not say', replace);
      answers('text', 'text/plain');
      await failed('REMOTE_ANSWER', 'no zip archive', { ...replace, responseSelect: '0' });
    });

    it('refuses zips that are bombs, lead out or are damaged', async () => {
      answers(await zipOf([['big.bin', Buffer.alloc(40 * 1024 * 1024)]]), 'application/zip');
      await failed('REMOTE_ANSWER', 'refused', { ...replace, responseSelect: '0' });
      const out = await zipOf([['xx/evil.txt', Buffer.from('evil')]]);
      answers(Buffer.from(out.toString('latin1').replaceAll('xx/evil.txt', '../evil.txt'), 'latin1'), 'application/zip');
      await failed('REMOTE_ANSWER', 'leads out', { ...replace, responseSelect: '0' });
      answers((await zipOf([['a.txt', Buffer.from('a'.repeat(100))]])).subarray(0, 60), 'application/zip');
      await failed('REMOTE_ANSWER', 'damaged', { ...replace, responseSelect: '0' });
    });

    it('refuses answers that are empty, JSON without a result, or not what they say', async () => {
      answers('', 'application/pdf');
      await failed('REMOTE_ANSWER', 'empty body', replace);
      answers('{"a":1}');
      await failed('REMOTE_ANSWER', 'resultUrlPath', replace);
      await failed('REMOTE_ANSWER', 'without a result URL', { ...replace, resultUrlPath: 'b' });
      answers('<html>Sign in</html>', 'application/pdf');
      await failed('REMOTE_ANSWER', 'does not begin like it', replace);
      answers('%PDF-1.7\nnothing', 'application/pdf');
      await failed('REMOTE_ANSWER', 'cannot be used', replace);
    });
  });

  describe('to a service that misbehaves', () => {
    it('ends at once when it says no, redirects or is not there', async () => {
      for (const status of [301, 400, 401, 403, 404, 500, 503]) {
        answers('{"why": "no"}', 'application/json', status, { location: `${elsewhere.url}/` });
        await failed('REMOTE_ANSWER', `status ${status}`);
      }
      expect(elsewhere.seen).to.deep.equal([]);
      await failed('REMOTE_UNREACHABLE', 'could not be reached', {}, { baseUrl: 'http://127.0.0.1:1' });
    });

    it('ends when it is slow, in its head or in its body, and when it breaks off or lies about its length', async () => {
      const slow = { timeoutSeconds: 1 };
      remote.answer = () => undefined;
      await failed('REMOTE_TIMEOUT', 'within 1 seconds', {}, slow);
      remote.answer = (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      await failed('REMOTE_TIMEOUT', 'within 1 seconds', {}, slow);
      remote.answer = (_request, response) => void response.writeHead(200, { 'content-length': '100' }).write('short', () => response.destroy());
      await failed('REMOTE_UNREACHABLE', 'could not be reached');
      remote.answer = (_request, response) => void response.socket?.end('garbage\r\n\r\n');
      await failed('REMOTE_UNREACHABLE', 'could not be reached');
    });

    it('ends at 64 MiB of answer, and at one that is packed unasked', async () => {
      const piece = Buffer.alloc(1024 * 1024, 'x');
      remote.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        let left = 70;
        const more = (): void => {
          while (left-- > 0) if (!response.write(piece)) return void response.once('drain', more);
          response.end();
        };
        more();
      };
      await failed('REMOTE_ANSWER', 'more than 67108864 bytes', {}, { timeoutSeconds: 15 });
      answers('x', 'text/plain', 200, { 'content-encoding': 'gzip' });
      await failed('REMOTE_ANSWER', 'content encoding');
    });

    it('ends within a second when the client goes', async () => {
      remote.answer = () => undefined;
      const id = await connect({ timeoutSeconds: 60 });
      const abort = new AbortController();
      const waiting = post(`${server.url}${PATH}`, [file(pdf), field('connectionId', String(id))], {}, abort.signal).catch(() => undefined);
      await until('the service is called', () => remote.seen.length === 1);
      abort.abort();
      await waiting;
      await until('all is tidied up', () => leftovers(server.basePath).length === 0, 1);
    });
  });

  describe('over a connection that logs in', () => {
    const login = { authType: 'TOKEN_LOGIN', token: '', username: 'ann', password: 'canary-password', loginPath: '/login', tokenResponseJsonPath: 'data.token' };
    let tokens = 0;
    let good = '';
    const serve = (): void => {
      remote.answer = (request, response) => {
        if (request.url === '/api/login') {
          good = `canary-session-${++tokens}`;
          return void response.writeHead(200, { 'content-type': 'application/json', 'x-session': good }).end(JSON.stringify({ data: { token: good } }));
        }
        return void response.writeHead(Object.values(request.headers).some((value) => value === good || value === `Bearer ${good}` || value === `Token ${good}`) ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
      };
    };
    beforeEach(serve);
    const logins = (): Seen[] => remote.seen.filter(({ url }) => url === '/api/login');

    it('logs in once for many calls, and once more when the token is no longer taken', async () => {
      expect((await call({}, login)).status).to.equal(200);
      expect(JSON.parse(logins()[0]?.body.toString() ?? '')).to.deep.equal({ username: 'ann', password: 'canary-password' });
      await Promise.all([call({}, login), call({}, login)]);
      expect(logins()).to.have.length(1);
      good = 'taken away';
      const again = await call({}, login);
      expect([again.status, again.body.equals(pdf), logins().length]).to.deep.equal([200, true, 2]);
      expect(remote.seen.slice(-3).map(({ url }) => url)).to.deep.equal(['/api', '/api/login', '/api']);
    });

    it('tries no third time, and tells what failed', async () => {
      const config = { ...login, headers: { 'X-Case': 'never' } };
      remote.answer = (request, response) => void response.writeHead(request.url === '/api/login' ? 200 : 401, { 'content-type': 'application/json' }).end('{"data":{"token":"t0ken"}}');
      await failed('REMOTE_ANSWER', 'with status 401', {}, config);
      expect(remote.seen).to.have.length(4);
      for (const [body, status, text] of [['{}', 200, 'without a token'], ['no json', 200, 'without a token'], ['{"data":{"token":"a\\r\\nb"}}', 200, 'without a token'], ['{"data":{"token":{}}}', 200, 'without a token'], ['{}', 403, 'the login with status 403']] as const) {
        answers(body, 'application/json', status);
        await failed('REMOTE_ANSWER', text, {}, { ...login, headers: { 'X-Case': `${body} ${status}`.replace(/[^\w]/g, '') } });
      }
    });

    it('takes the token from a header, sends it in another, and logs in with a body of its own', async () => {
      const config = { ...login, tokenResponseJsonPath: undefined, tokenResponseHeader: 'X-Session', tokenHeaderName: 'X-Auth', tokenPrefix: 'Token ', loginBody: 'user={{username}}&pass={{password}}', loginHeaders: { 'X-Login': 'yes' }, password: 'a&b=ü' };
      expect((await call({}, config)).status).to.equal(200);
      expect([logins()[0]?.body.toString(), logins()[0]?.headers['content-type'], logins()[0]?.headers['x-login']]).to.deep.equal(['user=ann&pass=a%26b%3D%C3%BC', 'application/x-www-form-urlencoded', 'yes']);
      expect(last().headers['x-auth']).to.equal(`Token ${good}`);
      expect((await call({}, { ...login, loginBody: '{"u":"{{username}}","p":"{{password}}"}', password: 'a"b\\' })).status).to.equal(200);
      expect(JSON.parse(logins().at(-1)?.body.toString() ?? '')).to.deep.equal({ u: 'ann', p: 'a"b\\' });
    });

    it('logs in again when the time of a token is over, and when the connection has changed', async () => {
      const config = { ...login, tokenTtlSeconds: 1 };
      await call({}, config);
      await new Promise((resolve) => setTimeout(resolve, 1050));
      await call({}, config);
      expect(logins()).to.have.length(2);
      await sendJson(server, `/api/v1/integrations/${await connect(config)}`, { name: 'Renamed' }, {}, 'PUT');
      await call({}, config);
      expect(logins()).to.have.length(3);
    });
  });

  describe('as a step and as a job', () => {
    it('passes on what it was given or what was answered', async () => {
      answers(pdf, 'application/pdf');
      const run = { pipeline: [
        { operation: '/api/v1/integration/external-api-call', parameters: { connectionId: await connect(), fields: '{"a":"{{document.title}}"}' } },
        { operation: '/api/v1/integration/external-api-call', parameters: { connectionId: await connect(), responseMode: 'replace', bodyMode: 'binary' } },
        { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
      ] };
      const answer = await post(`${server.url}/api/v1/pipeline/handleData`, [file(pdf), field('json', JSON.stringify({ name: 'x', ...run }))]);
      expect([answer.status, remote.seen.length], answer.body.toString().slice(0, 300)).to.deep.equal([200, 2]);
      answers('no', 'text/plain', 500);
      const failing = problem(await post(`${server.url}/api/v1/pipeline/handleData`, [file(pdf), field('json', JSON.stringify({ name: 'x', ...run }))]));
      expect([failing.status, failing.code, failing.step?.index]).to.deep.equal([502, 'REMOTE_ANSWER', 0]);
    });

    it('leaves no secret in records, errors or files, whether it succeeds or fails', async () => {
      const config = { authType: 'HEADER', headerName: 'X-Key', token: 'canary-of-jobs-42', baseUrl: `${remote.url}/canary-place` };
      const ends: Record<string, unknown>[] = [];
      for (const status of [200, 500]) {
        remote.answer = (request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ echo: request.headers['x-key'] }));
        const accepted = await call({ async: true, headers: { 'X-Step': 'canary-of-the-step' } }, config);
        const { jobId } = json<{ jobId: string }>(accepted);
        let job: Record<string, unknown> = {};
        await until('the job ends', async () => (job = json(await send(`${server.url}/api/v1/general/job/${jobId}`)))['complete'] === true);
        ends.push(job);
        const result = await send(`${server.url}/api/v1/general/job/${jobId}/result`);
        expect([result.status, job['error'] ?? ''].join(' ')).to.match(status === 200 ? /^200 $/ : /^400 .*status 500/);
        if (status === 200) expect(report(result)).to.deep.include({ status: 200, body: { echo: '********' } });
        expect(JSON.stringify([job, result.headers, result.body.toString('latin1')])).not.to.contain('canary');
      }
      expect(ends.map((job) => job['status'])).to.deep.equal(['succeeded', 'failed']);
      expect(execFileSync('sh', ['-c', 'grep -rlaE "canary-of-jobs|canary-of-the-step|canary-password|canary-session" "$0" || true', server.basePath]).toString()).to.equal('');
    });
  });
});

describe('a file sent to a private address', function () {
  this.timeout(20_000);
  it('does not leave while the setting is off, also over a connection that was made before', async () => {
    const remote = await startRemote();
    const first = await createTestServer({ plugins: ['@quire/plugin-integration'], settings: { policies: { allowPrivateApiEndpoints: true } } });
    let second: Server | undefined;
    try {
      await first.start();
      const { basePath } = first;
      const made = await sendJson(first, '/api/v1/integrations', { integrationType: 'API', name: 'x', config: { baseUrl: remote.url } });
      const { id } = json<{ id: number }>(made);
      const stay = await sendJson(first, '/api/v1/integrations', { integrationType: 'API', name: 'x', config: { baseUrl: 'http://169.254.169.254/latest' } });
      expect(json<{ code: string }>(stay).code).to.equal('ADDRESS_REFUSED');
      const copy = `${basePath}-copy`;
      execFileSync('cp', ['-r', basePath, copy]);
      execFileSync('rm', ['-rf', `${copy}/store/quire.lock`]);
      await first.stop();
      second = await createTestServer({ plugins: ['@quire/plugin-integration'], basePath: copy });
      await second.start();
      const answer = await post(`${second.url}${PATH}`, [file(pdf), field('connectionId', String(id))]);
      expect([answer.status, json<{ code: string }>(answer).code], answer.body.toString()).to.deep.equal([400, 'ADDRESS_REFUSED']);
      expect(remote.seen).to.deep.equal([]);
      await second.stop();
      execFileSync('rm', ['-rf', copy]);
    } finally {
      await remote.stop();
    }
  });
});
