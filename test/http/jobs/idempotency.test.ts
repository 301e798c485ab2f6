import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  type Answer,
  type Part,
} from '../support/client.js';
import { quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';

describe('Calls with an Idempotency-Key', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  let next = 0;

  before(async () => {
    server = await startServer({
      limits: { workers: 2 },
      jobs: { concurrency: 2 },
      idempotency: { maxAnswerSize: '100KB' },
    });
    pdf = await makePdf({ pages: 3 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const fresh = (): string => `key-${next++}`;
  const tool = (
    path: string,
    parts: readonly Part[],
    key: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => post(`${server.url}${API}/${path}`, parts, { 'idempotency-key': key, ...headers });
  const totals = async (): Promise<number> =>
    json<{ totalJobs: number }>(await send(`${server.url}${API}/admin/job/stats`)).totalJobs;

  it('get the first answer again, byte for byte, whatever it is', async () => {
    const pipeline = JSON.stringify({
      pipeline: [{ operation: `${API}/general/split-pages`, parameters: { pageNumbers: 'all' } }],
    });
    const cases: readonly [string, readonly Part[], number][] = [
      ['general/rotate-pdf', [file(pdf, 'ä b.pdf'), field('other', '1')], 200],
      ['general/split-pages?pageNumbers=all', [file(pdf)], 200],
      ['misc/unruly-echo', [file(pdf), field('list', 'a')], 200],
      ['misc/unruly-echo', [file(pdf), field('list', 'ü'.repeat(20_000))], 200],
      ['filter/filter-page-count', [file(pdf), field('pageCount', '9'), field('comparator', 'Greater')], 204],
      ['pipeline/handleData', [file(pdf), field('json', pipeline)], 200],
      ['pipeline/validate', [field('json', pipeline)], 200],
      ['general/rotate-pdf', [file(pdf), field('angle', '1')], 400],
      ['general/rotate-pdf', [file(Buffer.from('%PDF-1.4 broken'))], 400],
      ['pipeline/handleData', [file(pdf), field('json', '{}')], 400],
    ];
    for (const [path, parts, status] of cases) {
      const key = fresh();
      const first = await tool(path, parts, key);
      const again = await tool(path, parts, `"${key}"`);
      expect([first.status, again.status], path).to.deep.equal([status, status]);
      if (status === 400) {
        expect(json(again)['code'], path).to.equal(json(first)['code']);
        expect(json(again)['errors'], path).to.deep.equal(json(first)['errors']);
        expect(json(again)['requestId']).not.to.equal(json(first)['requestId']);
        continue;
      }
      expect(again.body.equals(first.body), path).to.equal(true);
      expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).to.deep.equal([
        undefined,
        'true',
      ]);
      for (const name of [
        'content-type',
        'content-disposition',
        'content-length',
        'x-effects',
        'x-ignored-fields',
        'x-tool-report',
        'x-pipeline-report',
      ])
        expect(again.headers[name], `${path} ${name}`).to.equal(first.headers[name]);
    }
  });

  it('run once: a repeated job is the same job', async () => {
    const key = fresh();
    const before = await totals();
    const [first, again] = [
      await tool('general/rotate-pdf', [file(pdf)], key, { prefer: 'respond-async' }),
      await tool('general/rotate-pdf', [file(pdf)], key, { prefer: 'respond-async' }),
    ];
    expect([again.status, again.headers.location, again.headers['preference-applied'], json(again)]).to.deep.equal([
      202,
      first.headers.location,
      'respond-async',
      json(first),
    ]);
    const inPipeline = fresh();
    const parts = [
      file(pdf),
      field('json', JSON.stringify({ pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: {} }] })),
      field('async', 'true'),
    ];
    expect(json(await tool('pipeline/handleData', parts, inPipeline))).to.deep.equal(
      json(await tool('pipeline/handleData', parts, inPipeline)),
    );
    expect(await totals()).to.equal(before + 2);
  });

  it('are refused with 422 for another request, and not for the same one in another encoding', async () => {
    const key = fresh();
    expect(
      (await tool('general/rotate-pdf', [file(pdf), field('angle', '90'), field('other', 'x')], key)).status,
    ).to.equal(200);
    const other = await makePdf({ pages: 2 });
    for (const parts of [
      [file(pdf), field('angle', '180'), field('other', 'x')],
      [file(other), field('angle', '90'), field('other', 'x')],
      [file(pdf, 'new.pdf'), field('angle', '90'), field('other', 'x')],
      [file(pdf), field('angle', '90')],
    ])
      expectProblem(await tool('general/rotate-pdf', parts, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    for (const [path, parts] of [
      ['general/rotate-pdf', [field('other', 'x'), field('angle', '90'), file(pdf)]],
      ['general/rotate-pdf?angle=90', [field('other', 'x'), file(pdf)]],
    ] as const)
      expect((await tool(path, parts, key)).headers['idempotent-replayed'], path).to.equal('true');
    expect(
      (await tool('general/split-pages', [file(pdf)], key)).headers['idempotent-replayed'],
      'at another address it is another key',
    ).to.equal(undefined);
  });

  it('are asked to come back while the first is in progress', async () => {
    const key = fresh();
    const mark = join(server.basePath, 'at-work');
    const parts = [file(pdf), field('ms', '1200'), field('mark', mark)];
    const first = tool('misc/unruly-slow', parts, key);
    await until('it is at work', () => existsSync(mark));
    const early = await tool('misc/unruly-slow', parts, key, {});
    expectProblem(early, 409, 'IDEMPOTENCY_IN_PROGRESS');
    expect(early.headers['retry-after']).to.equal('1');
    const [done, again] = [await first, await tool('misc/unruly-slow', parts, key)];
    expect([done.status, again.status, again.body.equals(done.body)]).to.deep.equal([200, 200, true]);
  });

  it('run again when the first failed through no fault of the caller, or its caller disconnected', async () => {
    const crash = fresh();
    for (let i = 0; i < 2; i++) expect((await tool('misc/unruly-crash', [file(pdf)], crash)).status).to.equal(500);
    const key = fresh();
    const mark = join(server.basePath, 'left-alone');
    const parts = [file(pdf), field('ms', '20000'), field('mark', mark)];
    const body = formBody(parts);
    const wire = await Wire.open(server.url);
    wire.head(`${API}/misc/unruly-slow`, `Content-Length: ${body.length}`, `Idempotency-Key: ${key}`).write(body);
    await until('it is at work', () => existsSync(mark));
    expect((await tool('misc/unruly-slow', parts, key)).status).to.equal(409);
    wire.socket.destroy();
    await until(
      'the key is free',
      async () => (await tool('misc/unruly-slow', [file(pdf), field('ms', '1')], key)).status === 200,
    );
  });

  it('keep the answer of a call whose connection broke while it was sent', async () => {
    const key = fresh();
    const parts = [file(pdf), field('ms', '1')];
    const body = formBody(parts);
    const wire = await Wire.open(server.url);
    wire.head(`${API}/misc/unruly-slow`, `Content-Length: ${body.length}`, `Idempotency-Key: ${key}`).write(body);
    await until('the answer has begun', () => wire.text.startsWith('HTTP/1.1 200'));
    wire.socket.destroy();
    expect((await tool('misc/unruly-slow', parts, key)).headers['idempotent-replayed']).to.equal('true');
  });

  it('wait, and get what the first one got', async () => {
    const inTime = fresh();
    const [first, again] = [
      await tool('general/rotate-pdf', [file(pdf)], inTime, { prefer: 'wait=25' }),
      await tool('general/rotate-pdf', [file(pdf)], inTime, { prefer: 'wait=25' }),
    ];
    expect([
      first.status,
      again.status,
      again.headers['preference-applied'],
      again.body.equals(first.body),
    ]).to.deep.equal([200, 200, 'wait=25', true]);
    const late = fresh();
    const slow = [file(pdf), field('ms', '600000')];
    const [started, same] = [
      await tool('misc/unruly-slow', slow, late, { prefer: 'wait=1' }),
      await tool('misc/unruly-slow', slow, late, { prefer: 'wait=1' }),
    ];
    expect([started.status, same.status, json(same)]).to.deep.equal([202, 202, json(started)]);
    expect((await send(`${server.url}${String(started.headers.location)}`, { method: 'DELETE' })).status).to.equal(200);
  });

  it('run again after an answer that is too large to keep', async () => {
    const key = fresh();
    const parts = [file(pdf), field('list', 'a'.repeat(200_000))];
    const first = await tool('misc/unruly-echo', parts, key);
    expect([first.status, first.body.length > 100 * 1024]).to.deep.equal([200, true]);
    const again = await tool('misc/unruly-echo', parts, key);
    expect([again.status, again.headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
  });

  it('are refused before the body is read when the key is invalid; other methods ignore it', async () => {
    for (const key of ['a b', '"open', 'x'.repeat(256), ''])
      expectProblem(await tool('general/rotate-pdf', [file(pdf)], key), 400, 'IDEMPOTENCY_KEY_INVALID');
    expect((await send(`${server.url}${API}/info/uptime`, { headers: { 'idempotency-key': 'a b' } })).status).to.equal(
      200,
    );
    const wire = await Wire.open(server.url);
    wire
      .head(`${API}/general/rotate-pdf`, 'Content-Length: 1000000', 'Idempotency-Key: a b')
      .write(`--${boundary}\r\n`);
    await until('it is refused', () => wire.text.startsWith('HTTP/1.1 400'));
    wire.socket.destroy();
  });

  it('survive a restart of the server', async () => {
    const basePath = mkdtempSync(join(tmpdir(), 'quire-keyed-'));
    try {
      const answers: Answer[] = [];
      for (let life = 0; life < 2; life++) {
        const one = await startServer({}, basePath);
        answers.push(await post(`${one.url}${API}/general/rotate-pdf`, [file(pdf)], { 'idempotency-key': 'over' }));
        await one.stop();
      }
      const [first, again] = answers as [Answer, Answer];
      expect([again.headers['idempotent-replayed'], again.body.equals(first.body)]).to.deep.equal(['true', true]);
    } finally {
      rmSync(basePath, { recursive: true, force: true });
    }
  });
});
