import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import {
  Wire,
  boundary,
  expectProblem,
  field,
  file,
  formBody,
  json,
  post,
  send,
  type Problem,
} from '../support/client.js';
import { quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';

describe('File names and headers', () => {
  let server: TestServer;
  let rotate: string;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer();
    rotate = `${server.url}${API}/general/rotate-pdf`;
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  /** The file name in an answer (RFC 8187 form). */
  function offered(headers: { readonly 'content-disposition'?: string | undefined }): string {
    const [, encoded = ''] = /filename\*=UTF-8''(\S+)$/.exec(headers['content-disposition'] ?? '') ?? [];
    return decodeURIComponent(encoded);
  }

  const hostile: readonly [string, string, RegExp][] = [
    ['folders', '../../../etc/passwd.pdf', /^passwd_rotated\.pdf$/],
    ['folders of another system', '..\\\\..\\\\windows\\\\x.pdf', /^x_rotated\.pdf$/],
    ['an absolute path', '/etc/shadow.pdf', /^shadow_rotated\.pdf$/],
    ['dots alone', '..', /^default_rotated\.pdf$/],
    ['an emoji', 'Ünïcode 🎉.pdf', /^Ünïcode 🎉_rotated\.pdf$/],
    ['Japanese', '請求書.pdf', /^請求書_rotated\.pdf$/],
    ['a right-to-left override', 'invoice\u202Efdp.exe', /^invoicefdp_rotated\.pdf$/],
    ['zero-width characters', 'a\u200Bb\u2066.pdf', /^ab_rotated\.pdf$/],
    ['NUL', 'a\0b.pdf', /^ab_rotated\.pdf$/],
    ['escapes of a terminal', '\u001b[31mred\u007f.pdf', /^\[31mred_rotated\.pdf$/],
    ['markup', '<img src=x onerror=alert(1)>.pdf', /^_img src=x onerror=alert\(1\)__rotated\.pdf$/],
    ['a shell command', '$(touch PWNED);`id`|x&.pdf', /^\$\(touch PWNED\);`id`_x&_rotated\.pdf$/],
    ['an option', '--output=x.pdf', /^--output=x_rotated\.pdf$/],
    ['only an extension', '.pdf', /^\.pdf_rotated\.pdf$/],
    ['a percent sign', '%2e%2e%2f%0d%0aX-Evil: 1.pdf', /^%2e%2e%2f%0d%0aX-Evil_ 1_rotated\.pdf$/],
    ['a lone surrogate', 'a\ud800b.pdf', /_rotated\.pdf$/],
  ];
  for (const [title, name, expected] of hostile) {
    it(`uses a name with ${title} only as a label`, async () => {
      const answer = await post(rotate, [file(pdf, name)]);
      expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
      expect(offered(answer.headers)).to.match(expected);
      const header = answer.headers['content-disposition'] ?? '';
      expect(header).to.match(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\x21-\x7e]+$/);
      expect(/filename="([^"]*)"/.exec(header)?.[1]).not.to.match(/[\\/]/);
    });
  }

  it('shortens a long name to the bytes that every file system accepts, with its extension', async () => {
    for (const name of [
      `${'a'.repeat(300)}.pdf`,
      `${'ü'.repeat(300)}.pdf`,
      `${'🎉'.repeat(300)}.pdf`,
      `x.${'p'.repeat(300)}`,
    ]) {
      const answer = await post(rotate, [file(pdf, name)]);
      expect(answer.status).to.equal(200);
      expect(Buffer.byteLength(offered(answer.headers))).to.be.at.most(210);
      expect(offered(answer.headers)).to.match(/\.pdf$/);
      expect(offered(answer.headers)).not.to.contain('\ufffd');
    }
  });

  it('escapes quotes and line ends in a name', async () => {
    const dispositions = [
      'form-data; name="fileInput"; filename="a\\"b.pdf"',
      'form-data; name="fileInput"; filename="a%22b.pdf"',
      'form-data; name="fileInput"; filename*=UTF-8\'\'a%0d%0aX-Evil%3A%201%22b.pdf',
      'form-data; name="fileInput"; filename=a;b.pdf',
      'form-data; name="fileInput"; filename="a.pdf"; filename="b.pdf"',
      'form-data; name="fileInput"; filename="a.pdf',
      'form-data; name="fileInput"; filename*=utf-16\'\'%ff%fe',
      'form-data; name="fileInput"; filename*=UTF-8\'\'%ff%zz',
    ];
    for (const disposition of dispositions) {
      const answer = await post(rotate, [{ name: 'fileInput', file: pdf, disposition }]);
      expect([200, 400], `${disposition}: ${answer.body.toString('utf8', 0, 200)}`).to.include(answer.status);
      expect(answer.headers).not.to.have.property('x-evil');
      if (answer.status === 200)
        expect(answer.headers['content-disposition']).to.match(
          /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\x21-\x7e]+$/,
        );
    }
  });

  it('does not forward a line break inside a part header', async () => {
    const body = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="fileInput"; filename="a\r\nX-Evil: 1.pdf"\r\n\r\n` +
        `%PDF\r\n--${boundary}--\r\n`,
    );
    const answer = await send(rotate, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    });
    expect(answer.status).to.be.within(400, 415);
    expect(answer.headers).not.to.have.property('x-evil');
  });

  it('keeps names of results, reports and ignored fields inside their headers', async () => {
    const label = `${server.url}${API}/misc/unruly-label`;
    for (const name of ['a\r\nX-Evil: 1', '日本', 'a"b', '../../x', 'x\0y', '', '\u202e', 'e\u0301'.repeat(200)]) {
      const answer = await post(label, [
        file(pdf),
        field('name', name),
        field(`no\r\nX-Evil: 2${name}`, 'x'),
        field('ñ日', 'x'),
      ]);
      if (answer.status !== 200) expectProblem(answer, 400, json<Problem>(answer).code);
      else expect(answer.headers['x-tool-report']).to.equal('{"label":"a\\r\\nX-Evil: 1"}');
      expect(answer.headers).not.to.have.property('x-evil');
    }
  });

  it('accepts a request id of the client only when it is harmless', async () => {
    const given = 'abc-123.DEF_456';
    expect(
      (await send(`${server.url}${API}/info/status`, { headers: { 'x-request-id': given } })).headers['x-request-id'],
    ).to.equal(given);
    for (const id of ['short', 'a b c d e f g h', 'x'.repeat(500), '<script>alert(1)</script>']) {
      expect(
        (await send(`${server.url}${API}/info/status`, { headers: { 'x-request-id': id } })).headers['x-request-id'],
      ).not.to.equal(id);
    }
  });

  it('answers other methods with 405 and the allowed method', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE']) {
      const answer = await send(rotate, { method });
      expect(answer.status, method).to.equal(405);
      expect(answer.headers['allow'], method).to.equal('POST');
    }
    const problem = expectProblem(await send(rotate, { method: 'GET' }), 405, 'METHOD_NOT_ALLOWED');
    expect(problem.detail).to.contain('POST');
  });

  it('ignores method overrides', async () => {
    for (const headers of [
      { 'x-http-method-override': 'POST' },
      { 'x-method-override': 'POST' },
      { 'x-http-method': 'POST' },
    ]) {
      expect((await send(rotate, { headers })).status).to.equal(405);
    }
    expect((await send(`${rotate}?_method=POST`)).status).to.equal(405);
  });

  it('accepts one spelling of each path', async () => {
    const paths = [
      '//api/v1/general/rotate-pdf',
      '/api//v1/general/rotate-pdf',
      '/api/v1/general/rotate-pdf/',
      '/API/v1/general/rotate-pdf',
      '/api/v1/general/rotate-pdf;x=1',
      '/api/v1/general/rotate-pdf%00',
      '/api/v1/general/rotate-pdf%20',
      '/api/v1/general/%72otate-pdf%2f',
      '/api/v1/general/rotate-pdf.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/swagger-ui/%2e%2e%2f%2e%2e%2fpackage.json',
      '/swagger-ui/..%2f..%2fpackage.json',
      '/%zz',
      '/%',
      '/api/v1/general/job/%ff',
    ];
    for (const path of paths.flatMap((each) => [each, each.toUpperCase()])) {
      const wire = (await Wire.open(server.url)).write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      await until('the connection is closed', () => wire.closed);
      expect([400, 403, 404, 405], `${path}: ${wire.text.slice(0, 300)}`).to.include(wire.status);
      expect(wire.text).to.contain('application/problem+json');
      expect(wire.text).not.to.match(/root:x|"dependencies"|node_modules/);
    }
  });

  it('does not leave the folder of the documentation pages', async () => {
    for (const path of [
      '/swagger-ui/../../package.json',
      '/swagger-ui/%2e%2e/%2e%2e/package.json',
      '/swagger-ui/....//package.json',
      '/swagger-ui//etc/passwd',
      '/swagger-ui/index.html%00.txt',
    ]) {
      const wire = (await Wire.open(server.url)).write(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      await until('the connection is closed', () => wire.closed);
      expect([400, 403, 404], `${path}: ${wire.text.slice(0, 200)}`).to.include(wire.status);
    }
  });

  it('applies the same rules to a path with dot segments as to its normal form', async () => {
    const wire = (await Wire.open(server.url)).write(
      'POST /api/v1/x/../general/rotate-pdf HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    await until('the connection is closed', () => wire.closed);
    expect([404, 415]).to.include(wire.status);
  });

  it('lets no other site read its answers', async () => {
    const answer = await post(rotate, [file(pdf)], { origin: 'https://evil.example' });
    expectProblem(answer, 403, 'CROSS_SITE_REFUSED');
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    const preflight = await send(rotate, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
  });

  it('sends documents as downloads that no browser displays or sniffs', async () => {
    const { headers } = await post(rotate, [file(pdf)]);
    expect(headers['content-disposition']).to.match(/^attachment/);
    expect(headers['x-content-type-options']).to.equal('nosniff');
    expect(headers['cache-control']).to.contain('no-store');
    expect(headers['content-type']).to.equal('application/pdf');
  });

  it('handles two requests in one write', async () => {
    const body = formBody([file(pdf)]);
    const head =
      `POST ${API}/general/rotate-pdf HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=` +
      `${boundary}\r\nContent-Length: ${body.length}\r\n`;
    const wire = (await Wire.open(server.url)).write(
      Buffer.concat([Buffer.from(`${head}\r\n`), body, Buffer.from(`${head}Connection: close\r\n\r\n`), body]),
    );
    await until('the connection is closed', () => wire.closed);
    expect(wire.text.match(/HTTP\/1\.1 200/g)).to.have.length(2);
  });
});
