import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { hostileFiles } from '../../kit/hostile-files.js';
import { makePdf } from '../../kit/make-pdf.js';
import {
  expectProblem,
  field,
  file,
  json,
  pointers,
  post,
  send,
  formType,
  Wire,
  type Problem,
} from '../support/client.js';
import { productRoot, quiet, startServer, until, type TestServer } from '../support/server.js';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('Bad input', () => {
  let server: TestServer;
  let rotate: string;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer();
    rotate = `${server.url}/api/v1/general/rotate-pdf`;
    pdf = await makePdf({ pages: 3 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('answers an empty body with the expected form', async () => {
    const problem = expectProblem(await send(rotate, { method: 'POST' }), 415, 'INPUT_MEDIA_TYPE');
    expect(problem.detail).to.contain('multipart/form-data');
  });

  it('answers JSON and form-urlencoded bodies with the expected form', async () => {
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/mixed; boundary=x',
    ]) {
      expectProblem(
        await send(rotate, { method: 'POST', headers: { 'content-type': type }, body: '{}' }),
        415,
        'INPUT_MEDIA_TYPE',
      );
    }
  });

  it('names the boundary when a form has none', async () => {
    const answer = await send(rotate, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; x=y' },
      body: 'x',
    });
    expect(expectProblem(answer, 400, 'HTTP_REFUSED').detail).to.contain('boundary');
  });

  it('answers an empty form, and a body that is not a form, with a problem', async () => {
    expectProblem(await post(rotate, []), 400, 'INPUT_FILE_MISSING');
    for (const body of [
      '',
      'garbage',
      '--quire-test-boundary',
      '--quire-test-boundary\r\nContent-Disposition: form-data; name="fileInput"; filename="a.pdf"\r\n\r\n%PDF-',
    ]) {
      const answer = await send(rotate, { method: 'POST', headers: { 'content-type': formType }, body });
      expectProblem(answer, 400, 'INPUT_MALFORMED');
    }
  });

  it('names fileInput when it is missing', async () => {
    const problem = expectProblem(await post(rotate, [field('angle', '90')]), 400, 'INPUT_FILE_MISSING');
    expect(pointers(problem)).to.deep.equal(['/fileInput']);
  });

  it('explains how to send the file when fileInput is text', async () => {
    const problem = expectProblem(await post(rotate, [field('fileInput', '@document.pdf')]), 400, 'INPUT_FILE_MISSING');
    expect(problem.errors?.[0]?.detail).to.contain('-F fileInput=@');
  });

  it('treats the empty file part of a browser as a missing file', async () => {
    expectProblem(
      await post(rotate, [{ name: 'fileInput', file: new Uint8Array(), fileName: '' }]),
      400,
      'INPUT_FILE_MISSING',
    );
  });

  it('names fileInput when the file has no content', async () => {
    expect(
      pointers(expectProblem(await post(rotate, [file(new Uint8Array())]), 400, 'INPUT_FILE_EMPTY')),
    ).to.deep.equal(['/fileInput']);
  });

  it('checks the bytes and not the name', async () => {
    const wrong: [string, Uint8Array][] = [
      ['picture.pdf', png],
      ['notes.txt', Buffer.from('notes')],
      ['archive.zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ];
    for (const [name, bytes] of wrong) {
      const problem = expectProblem(await post(rotate, [file(bytes, name)]), 415, 'INPUT_KIND');
      expect(pointers(problem)).to.deep.equal(['/fileInput']);
      expect(problem.detail).to.contain('PDF');
    }
    const answer = await post(rotate, [file(pdf, 'picture.png')]);
    expect(answer.status).to.equal(200);
  });

  it('refuses every damaged document with a problem that names fileInput', async () => {
    for (const hostile of hostileFiles()) {
      const answer = await post(rotate, [file(hostile.bytes, hostile.name)]);
      if (answer.status === 200 && hostile.mayWork) continue;
      const problem = json<Problem>(answer);
      expect(answer.status, `${hostile.title}: ${problem.detail}`).to.be.within(400, 422);
      expectProblem(answer, answer.status, problem.code);
      expect(`${problem.detail} ${pointers(problem).join(' ')}`, hostile.title).to.match(/fileInput|needs a password/);
    }
  });

  it('refuses an encrypted document where no password can be sent, and names the tool that unlocks it', async () => {
    const locked = hostileFiles().find(({ name }) => name === 'locked.pdf');
    const problem = expectProblem(await post(rotate, [file(locked?.bytes ?? new Uint8Array())]), 400, 'PDF_ENCRYPTED');
    expect(problem).to.include({ errorCode: 'E004', detail: 'The PDF needs a password.' });
    expect(String(problem.hints)).to.contain('/api/v1/security/remove-password');
  });

  it('answers a document without pages', async () => {
    const none = hostileFiles().find(({ name }) => name === 'no-pages.pdf');
    expectProblem(await post(rotate, [file(none?.bytes ?? new Uint8Array())]), 400, 'PDF_NO_PAGES');
  });

  it('answers pages that the document does not have', async () => {
    const problem = expectProblem(
      await post(`${server.url}/api/v1/general/remove-pages`, [file(pdf), field('pageNumbers', '10000')]),
      400,
      'PAGES_OUT_OF_RANGE',
    );
    expect(problem.detail).to.contain('pageNumbers').and.to.contain('10000');
  });

  it('answers garbage in a page list, without executing it', async () => {
    for (const list of [
      'x',
      '1;id',
      '$(id)',
      '1-',
      '--1',
      '1..3',
      '/etc/passwd',
      '0',
      '-5',
      '1e9',
      '9'.repeat(400),
      '1,'.repeat(20_000),
      '((((n',
      'n^99999',
      'constructor',
      '1\n2',
    ]) {
      const answer = await post(`${server.url}/api/v1/general/remove-pages`, [file(pdf), field('pageNumbers', list)]);
      expect(answer.status, `${JSON.stringify(list.slice(0, 30))}: ${answer.body.toString('latin1', 0, 200)}`).to.equal(
        400,
      );
      const problem = json<Problem>(answer);
      expect(`${problem.detail} ${pointers(problem).join(' ')}`, list.slice(0, 30)).to.contain('pageNumbers');
      expect(answer.body.length).to.be.below(5000);
    }
  });

  it('reports every wrong parameter at once', async () => {
    const answer = await post(`${server.url}/api/v1/misc/compress-pdf`, [
      file(pdf),
      field('optimizeLevel', '99'),
      field('linearize', 'perhaps'),
    ]);
    expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID'))).to.have.members(['/optimizeLevel', '/linearize']);
  });

  it('refuses invalid numbers', async () => {
    for (const angle of ['NaN', 'Infinity', '1e999', '45', '0x5a', '90; rm -rf /', '', ' ', '[90]', '9'.repeat(100)]) {
      const answer = await post(rotate, [file(pdf), field('angle', angle)]);
      if (answer.status === 200) expect(angle.trim(), 'an empty field means the default').to.equal('');
      else expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID'))).to.deep.equal(['/angle']);
    }
  });

  it('refuses a repeated parameter where one is expected', async () => {
    const answer = await post(rotate, [file(pdf), field('angle', '90'), field('angle', '180')]);
    expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID'))).to.deep.equal(['/angle']);
  });

  it('ignores unknown fields, reports them, and refuses them in strict mode', async () => {
    const parts = [file(pdf), field('angel', '90')];
    expect((await post(rotate, parts)).headers['x-ignored-fields']).to.equal('angel');
    expect(
      pointers(expectProblem(await post(rotate, parts, { prefer: 'handling=strict' }), 400, 'INPUT_INVALID')),
    ).to.deep.equal(['/angel']);
  });

  it('treats fields named like members of every object as unknown fields', async () => {
    for (const name of [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      '__proto__[x]',
      'angle[x]',
    ]) {
      const answer = await post(rotate, [file(pdf), field(name, '{"polluted": true}')]);
      expect(answer.status, `${name}: ${answer.body.toString('utf8', 0, 300)}`).to.equal(200);
      expect(answer.headers['x-ignored-fields']).to.equal(name);
      const asFile = await post(rotate, [file(pdf, 'a.pdf', name)]);
      expectProblem(asFile, 400, 'INPUT_FILE_MISSING');
    }
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  it('does the same in the query', async () => {
    const answer = await post(`${rotate}?__proto__=1&constructor=2&angle=90`, [file(pdf)]);
    expect([200, 400]).to.include(answer.status);
    if (answer.status === 400) expectProblem(answer, 400, json<Problem>(answer).code);
  });

  it('refuses compressed request bodies by name', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'x-unknown']) {
      const answer = await post(rotate, [file(pdf)], { 'content-encoding': encoding });
      expect(expectProblem(answer, 415, 'INPUT_ENCODING').detail).to.contain(encoding);
    }
  });

  it('hides internal errors', async () => {
    const crash = `${server.url}/api/v1/misc/unruly-crash`;
    const problem = expectProblem(await post(crash, [file(pdf), field('how', 'throw')]), 500, 'INTERNAL');
    expect(JSON.stringify(problem)).not.to.contain('secret');
    const lie = expectProblem(await post(`${server.url}/api/v1/misc/unruly-lie`, [file(pdf)]), 500, 'CONTRACT_BROKEN');
    expect(JSON.stringify(lie)).not.to.contain('begins like');
  });

  it('blames a stack overflow on the document', async () => {
    const problem = expectProblem(
      await post(`${server.url}/api/v1/misc/unruly-crash`, [file(pdf), field('how', 'recurse')]),
      422,
      'INPUT_TOO_COMPLEX',
    );
    expect(problem.detail).to.contain('nesting');
  });

  it('keeps its own version out of its answers', async () => {
    const answer = await send(`${server.url}/api/v1/info/status`);
    expect(answer.headers).not.to.include.keys('server', 'x-powered-by', 'access-control-allow-origin');
    expect(answer.headers['x-content-type-options']).to.equal('nosniff');
    const version = (
      JSON.parse(readFileSync(`${productRoot}/node_modules/@hapi/hapi/package.json`, 'utf8')) as { version: string }
    ).version;
    expect(JSON.stringify(answer.headers)).not.to.contain(version);
  });

  it('names the faulty file among several', async () => {
    const merge = `${server.url}/api/v1/general/merge-pdfs`;
    const damaged = expectProblem(
      await post(merge, [
        file(pdf, 'a.pdf'),
        file(Buffer.from('%PDF-1.7 and nothing more'), 'b.pdf'),
        file(pdf, 'c.pdf'),
      ]),
      400,
      'PDF_DAMAGED',
    );
    expect(damaged.errors?.[0])
      .to.include({ pointer: '/fileInput' })
      .and.property('detail')
      .that.matches(/^"b\.pdf" \(file 2 of 3\): /);
    const picture = expectProblem(await post(merge, [file(pdf, 'a.pdf'), file(png, 'b.png')]), 415, 'INPUT_KIND');
    expect(picture.errors?.[0]?.detail).to.match(/^"b\.png" \(file 2 of 2\): /);
    const alone = expectProblem(
      await post(rotate, [file(Buffer.from('%PDF-1.7 and nothing more'), 'b.pdf')]),
      400,
      'PDF_DAMAGED',
    );
    expect(alone.errors).to.deep.equal([{ pointer: '/fileInput', detail: alone.detail }]);
  });

  it('suggests the path that was probably meant', async () => {
    for (const [path, meant] of [
      ['general/rotate', 'general/rotate-pdf'],
      ['misc/split-pages', 'general/split-pages'],
      ['misc/compres-pdf', 'misc/compress-pdf'],
    ]) {
      expect(
        expectProblem(await post(`${server.url}/api/v1/${path}`, [file(pdf)]), 404, 'NOT_FOUND'),
      ).to.have.deep.property('hints', [`Did you mean /api/v1/${meant}?`]);
    }
    expect(
      expectProblem(await post(`${server.url}/api/v1/general/zebra`, [file(pdf)]), 404, 'NOT_FOUND'),
    ).not.to.have.property('hints');
  });

  it('answers with a problem when the request is malformed or its head is too large', async () => {
    for (const [bytes, status, code] of [
      ['GET / HTTP/1.1\r\nHost: x\r\nX: '.concat('y'.repeat(20_000)), 431, 'HEADERS_TOO_LARGE'],
      [`GET /api/v1/info/status?x=${'y'.repeat(20_000)} HTTP/1.1\r\n`, 431, 'HEADERS_TOO_LARGE'],
      ['garbage\r\n\r\n', 400, 'HTTP_REFUSED'],
      ['GET / HTTP/1.1\r\nno header\r\n\r\n', 400, 'HTTP_REFUSED'],
    ] as const) {
      const wire = (await Wire.open(server.url)).write(bytes);
      await until('the connection is closed', () => wire.closed);
      const [head = '', body = '', ...rest] = wire.text.split('\r\n\r\n');
      expect(rest, wire.text).to.deep.equal([]);
      expect(head)
        .to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
        .and.contain('application/problem+json')
        .and.contain(`Content-Length: ${body.length}`);
      expect(JSON.parse(body)).to.include({ status, code }).and.have.property('requestId');
    }
    expect((await send(`${server.url}/api/v1/info/status`)).status).to.equal(200);
  });
});
