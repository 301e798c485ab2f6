import { expect } from 'chai';
import { Bench, pdf, report, SECRET } from './api-calls-bench.js';
import { zipOf } from './remote-service.js';

describe('external-api-call', function () {
  this.timeout(60_000);
  const bench = new Bench();

  describe('with an answer that is reported', () => {
    it('embeds short JSON, cuts long one, and reports the size of anything else', async () => {
      bench.answers(JSON.stringify({ long: 'x'.repeat(5000) }));
      expect(report(await bench.call()))
        .to.deep.include({ status: 200, bodyTruncated: true })
        .and.to.have.property('body')
        .with.length(4096);
      bench.answers(JSON.stringify({ wide: '漢'.repeat(3000) }));
      const wide = await bench.call();
      expect(String(wide.headers['x-tool-report']).length).to.be.lessThan(8193);
      expect(report(wide)).to.have.property('bodyTruncated', true);
      bench.answers('{"a": tru', 'application/problem+json; charset=utf-8');
      expect(report(await bench.call())).to.deep.equal({
        status: 200,
        contentType: 'application/problem+json; charset=utf-8',
        bodyParseError: true,
        body: '{"a": tru',
      });
      bench.answers('%PDF-1.4', 'application/pdf', 201);
      expect(report(await bench.call())).to.deep.equal({ status: 201, contentType: 'application/pdf', bodyBytes: 8 });
      bench.answers('', 'application/json');
      expect(report(await bench.call())).to.deep.equal({ status: 200, contentType: 'application/json', bodyBytes: 0 });
      bench.answers('['.repeat(2000) + ']'.repeat(2000));
      expect((await bench.call()).status, 'lists in lists').to.equal(200);
    });

    it('demands that a verdict is true', async () => {
      bench.answers('{"verdict":{"ok":[true,"true"]}}');
      expect((await bench.call({ requireTrue: 'verdict.ok.0' })).status).to.equal(200);
      for (const requireTrue of ['verdict.ok.1', 'verdict.ok', 'none', '__proto__.x', 'constructor'])
        await bench.failed('REMOTE_ANSWER', 'is not true', { requireTrue });
      bench.answers('no json', 'text/plain');
      await bench.failed('REMOTE_ANSWER', 'is not true', { requireTrue: 'ok' });
    });

    it('blots out the secrets of the connection where a service repeats them', async () => {
      bench.remote.answer = (request, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ you: request.headers['authorization'] }));
      const answer = await bench.call();
      expect(String(answer.headers['x-tool-report'])).not.to.contain(SECRET);
      expect(report(answer)['body']).to.deep.equal({ you: '********' });
    });
  });

  describe('with an answer that takes its place', () => {
    const replace = { responseMode: 'replace' };

    it('becomes what was answered, under its name and type', async () => {
      bench.answers(pdf, 'application/pdf', 200, {
        'content-disposition': "attachment; filename*=UTF-8''%C3%BCber.pdf; filename=other.pdf",
      });
      const named = await bench.call(replace);
      expect([
        named.status,
        named.headers['content-type'],
        named.body.equals(pdf),
        named.headers['x-tool-report'],
      ]).to.deep.equal([200, 'application/pdf', true, undefined]);
      expect(named.headers['content-disposition']).to.contain("filename*=UTF-8''%C3%BCber.pdf");
      bench.answers('a,b', 'text/csv; charset=utf-8');
      expect((await bench.call(replace)).headers['content-disposition']).to.contain('filename="report.csv"');
      bench.answers('???', 'application/x-unheard-of');
      const unknown = await bench.call(replace);
      expect([unknown.headers['content-type'], unknown.headers['content-disposition']]).to.deep.equal([
        'application/octet-stream',
        'attachment; filename="report.bin"; filename*=UTF-8\'\'report.bin',
      ]);
      bench.answers('x', 'text/plain', 200, {
        'content-disposition': 'attachment; filename="../../etc/pass\\"wd.txt"',
      });
      expect((await bench.call(replace)).headers['content-disposition']).to.match(
        /^attachment; filename="pass_?wd\.txt"/,
      );
    });

    it('is fetched from a result URL in a header or in JSON, without saying who asks', async () => {
      bench.remote.answer = (request, response) =>
        (request.method === 'GET'
          ? response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
          : response
              .writeHead(202, { 'content-type': 'application/json', location: `${bench.remote.url}/result/1` })
              .end(JSON.stringify({ files: [{ url: `${bench.remote.url}/result/2` }] }))) as unknown as void;
      expect((await bench.call({ ...replace, resultUrlPath: 'files[0].url' })).body.equals(pdf)).to.equal(true);
      expect([bench.last().url, bench.last().headers['authorization']]).to.deep.equal(['/result/2', undefined]);
      expect(
        (await bench.call({ ...replace, resultUrlHeader: 'location', resultUrlPath: 'files.0.url' })).status,
      ).to.equal(200);
      expect(bench.last().url, 'the header wins').to.equal('/result/1');
      bench.elsewhere.answer = (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end('from elsewhere');
      bench.answers(JSON.stringify({ url: `http://localhost:${bench.elsewhere.port}/x` }));
      await bench.failed('REMOTE_ANSWER', 'resultUrlHosts', { ...replace, resultUrlPath: 'url' });
      expect(
        (await bench.call({ ...replace, resultUrlPath: 'url' }, { resultUrlHosts: ['localhost'] })).body.toString(),
      ).to.equal('from elsewhere');
      expect(bench.elsewhere.seen.map(({ headers }) => headers['authorization'])).to.deep.equal([undefined]);
    });

    it('refuses result URLs that lead astray', async () => {
      for (const url of [
        'file:///etc/passwd',
        'ftp://x/y',
        '/relative',
        `http://user:pw@127.0.0.1:${bench.remote.port}/x`,
        'http://evil.example.com/',
        'http://127.0.0.1.evil.example.com/',
        'http://xlocalhost/',
        'http://169.254.169.254/latest',
        'http://a b/',
        '',
      ]) {
        bench.answers(JSON.stringify({ url }));
        await bench.failed(
          'REMOTE_ANSWER',
          'result URL',
          { ...replace, resultUrlPath: 'url' },
          { resultUrlHosts: ['localhost'] },
        );
      }
      bench.answers(JSON.stringify({ url: 'http://169.254.169.254/latest' }));
      await bench.failed(
        'ADDRESS_REFUSED',
        'is not allowed',
        { ...replace, resultUrlPath: 'url' },
        { resultUrlHosts: ['169.254.169.254'] },
      );
      bench.remote.answer = (request, response) =>
        (request.method === 'GET'
          ? response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
          : response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ url: `${bench.remote.url}/r` }))) as unknown as void;
      await bench.failed('REMOTE_ANSWER', 'redirects are not followed', { ...replace, resultUrlPath: 'url' });
    });

    it('takes the one file of a zip that is asked for', async () => {
      const zip = await zipOf([
        ['out/a.txt', Buffer.from('A')],
        ['out/b.pdf', pdf],
        ['c.txt', Buffer.from('C')],
      ]);
      bench.answers(zip, 'application/zip');
      const picked = await bench.call({ ...replace, responseSelect: '*.pdf' });
      expect([picked.status, picked.body.equals(pdf)]).to.deep.equal([200, true]);
      expect(picked.headers['content-disposition']).to.contain('filename="b.pdf"');
      expect((await bench.call({ ...replace, responseSelect: '2' })).body.toString()).to.equal('C');
      expect((await bench.call({ ...replace, responseSelect: 'OUT/?.TXT' })).body.toString()).to.equal('A');
      await bench.failed('REMOTE_ANSWER', 'several files', { ...replace, responseSelect: '*.txt' });
      await bench.failed('REMOTE_ANSWER', 'none of which', { ...replace, responseSelect: '3' });
      await bench.failed('REMOTE_ANSWER', 'responseSelect does not say', replace);
      bench.answers(zip, 'application/octet-stream');
      await bench.failed('REMOTE_ANSWER', 'responseSelect does not say', replace);
      bench.answers('text', 'text/plain');
      await bench.failed('REMOTE_ANSWER', 'not a zip archive', { ...replace, responseSelect: '0' });
    });

    it('refuses zips that are bombs, lead out or are damaged', async () => {
      bench.answers(await zipOf([['big.bin', Buffer.alloc(40 * 1024 * 1024)]]), 'application/zip');
      await bench.failed('REMOTE_ANSWER', 'refused', { ...replace, responseSelect: '0' });
      const out = await zipOf([['xx/evil.txt', Buffer.from('evil')]]);
      bench.answers(
        Buffer.from(out.toString('latin1').replaceAll('xx/evil.txt', '../evil.txt'), 'latin1'),
        'application/zip',
      );
      await bench.failed('REMOTE_ANSWER', 'leads out', { ...replace, responseSelect: '0' });
      bench.answers((await zipOf([['a.txt', Buffer.from('a'.repeat(100))]])).subarray(0, 60), 'application/zip');
      await bench.failed('REMOTE_ANSWER', 'damaged', { ...replace, responseSelect: '0' });
    });

    it('refuses answers that are empty, JSON without a result, or not what they say', async () => {
      bench.answers('', 'application/pdf');
      await bench.failed('REMOTE_ANSWER', 'empty body', replace);
      bench.answers('{"a":1}');
      await bench.failed('REMOTE_ANSWER', 'resultUrlPath', replace);
      await bench.failed('REMOTE_ANSWER', 'without a result URL', { ...replace, resultUrlPath: 'b' });
      bench.answers('<html>Sign in</html>', 'application/pdf');
      await bench.failed('REMOTE_ANSWER', 'whose content is something else', replace);
      bench.answers('%PDF-1.7\nnothing', 'application/pdf');
      await bench.failed('REMOTE_ANSWER', 'cannot be used', replace);
    });
  });
});
