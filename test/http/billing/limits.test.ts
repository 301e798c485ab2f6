import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { Wire, expectProblem, field, file, json, pointers, post, send, type Answer } from '../support/client.js';
import { leftovers, quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';

describe('Limits of one operation', () => {
  let server: TestServer;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer({
      limits: { maxPages: 20 },
      operations: {
        'general/rotate-pdf': { maxBytes: '20KB', maxPages: 2 },
        'general/split-pages': { enabled: false },
      },
    });
    pdf = await makePdf({ pages: 3 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('refuse a document with more pages, with both numbers', async () => {
    const problem = expectProblem(
      await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf)]),
      413,
      'INPUT_TOO_MANY_PAGES',
    );
    expect(problem.detail).to.contain('3').and.to.contain('2');
    expect(
      (await post(`${server.url}${API}/general/remove-pages`, [file(pdf), field('pageNumbers', '1')])).status,
    ).to.equal(200);
    expectProblem(
      await post(`${server.url}${API}/general/remove-pages`, [
        file(await makePdf({ pages: 21 })),
        field('pageNumbers', '1'),
      ]),
      413,
      'INPUT_TOO_MANY_PAGES',
    );
  });

  it('refuse a larger file', async () => {
    const padded = Buffer.concat([await makePdf({ pages: 1 }), Buffer.alloc(30_000, '\n')]);
    const problem = expectProblem(
      await post(`${server.url}${API}/general/rotate-pdf`, [file(padded)]),
      413,
      'INPUT_TOO_LARGE',
    );
    expect(pointers(problem)).to.deep.equal(['/fileInput']);
    expect(problem).to.include({ maxSizeBytes: 20 * 1024 });
  });

  it('apply in pipelines and jobs too', async () => {
    const pipeline = { pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: {} }] };
    const problem = expectProblem(
      await post(`${server.url}${API}/pipeline/handleData`, [file(pdf), field('json', JSON.stringify(pipeline))]),
      413,
      'INPUT_TOO_MANY_PAGES',
    );
    expect(problem.step?.index).to.equal(0);
    const { jobId } = json<{ jobId: string }>(
      await post(`${server.url}${API}/general/rotate-pdf?async=true`, [file(pdf)]),
    );
    const record = async (): Promise<{ complete: boolean; error: string }> =>
      json(await send(`${server.url}${API}/general/job/${jobId}`));
    await until('the job is complete', async () => (await record()).complete);
    expect((await record()).error).to.contain('3 pages');
  });

  it('can disable it', async () => {
    const problem = expectProblem(
      await post(`${server.url}${API}/general/split-pages`, [file(pdf)]),
      403,
      'OPERATION_DISABLED',
    );
    expect(problem.detail).to.contain('/api/v1/general/split-pages');
    expectProblem(
      await post(`${server.url}${API}/general/split-pages?async=true`, [file(pdf)]),
      403,
      'OPERATION_DISABLED',
    );
  });
});

describe('A server with login', () => {
  const key = 'the-one-key-of-this-test-0123456789';
  let server: TestServer;
  let pdf: Uint8Array;
  const call = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    post(`${server.url}${API}/${path}`, [file(pdf)], headers);

  before(async () => {
    server = await startServer({ security: { enableLogin: true, customGlobalAPIKey: key } });
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('answers 401 without a right key, in the form that existing clients read', async () => {
    for (const headers of [
      {},
      { 'x-api-key': '' },
      { 'x-api-key': 'wrong' },
      { 'x-api-key': `${key} x` },
      { 'x-api-key': key.slice(0, -1) },
      { 'x-api-key': key.toUpperCase() },
      { 'x-api-key': 'a'.repeat(10_000) },
    ]) {
      const problem = expectProblem(
        await call('general/rotate-pdf', headers as Record<string, string>),
        401,
        'KEY_INVALID',
      );
      expect(problem).to.include({
        error: (headers as Record<string, string>)['x-api-key'] ? 'Invalid API Key' : 'Authentication required',
      });
      expect(JSON.stringify(problem)).not.to.contain(key);
    }
    expectProblem(await call('general/rotate-pdf', { authorization: `Bearer ${key}` }), 401, 'TOKEN_INVALID');
    expectProblem(await call(`general/rotate-pdf?X-API-KEY=${key}`), 401, 'KEY_INVALID');
    expect((await call('general/rotate-pdf', { 'X-Api-Key': key })).status).to.equal(200);
  });

  it('reads no body before it knows the caller', async () => {
    const wire = (await Wire.open(server.url)).head(
      `${API}/general/rotate-pdf`,
      'Content-Length: 1000000',
      'Expect: 100-continue',
    );
    await until('the server has answered', () => wire.status !== 0);
    expect(wire.status).to.equal(401);
    expect(leftovers(server.basePath)).to.deep.equal([]);
    wire.close();
  });

  it('protects every spelling of a path', async () => {
    for (const path of [
      '//api/v1/general/rotate-pdf',
      '/api/v1/info/../general/rotate-pdf',
      '/api/v1/info/%2e%2e/general/rotate-pdf',
      '/api/v1/general/rotate-pdf;public',
      '/API/v1/general/rotate-pdf',
      '/api/v1/general/rotate%2dpdf',
    ]) {
      const wire = (await Wire.open(server.url)).write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      await until('the connection is closed', () => wire.closed);
      expect([400, 401, 404], path).to.include(wire.status);
    }
  });

  it('refuses a pipeline with a step that its caller may not run', async () => {
    expectProblem(await call('misc/unruly-admin', { 'x-api-key': key }), 403, 'ADMIN_ONLY');
    const pipeline = { pipeline: [{ operation: `${API}/misc/unruly-admin`, parameters: {} }] };
    for (const path of ['pipeline/handleData', 'pipeline/handleData?async=true', 'pipeline/validate']) {
      const answer = await post(`${server.url}${API}/${path}`, [file(pdf), field('json', JSON.stringify(pipeline))], {
        'x-api-key': key,
      });
      expect(expectProblem(answer, 400, 'PIPELINE_INVALID').errors?.[0]?.detail).to.contain(
        'not allowed for this caller',
      );
    }
  });

  it("answers the same for another user's job and one that does not exist", async () => {
    const { jobId } = json<{ jobId: string }>(await call('general/rotate-pdf?async=true', { 'x-api-key': key }));
    expect(jobId).to.match(/^CUSTOM_API_USER:/);
    const headers = { 'x-api-key': key };
    await until(
      'the job is complete',
      async () =>
        json<{ complete: boolean }>(
          await send(`${server.url}${API}/general/job/${encodeURIComponent(jobId)}`, { headers }),
        ).complete,
    );
    expect(
      (await send(`${server.url}${API}/general/job/${encodeURIComponent(jobId)}/result`, { headers })).status,
    ).to.equal(200);
    expectProblem(await send(`${server.url}${API}/general/job/${encodeURIComponent(jobId)}`), 401, 'KEY_INVALID');
    const foreign = expectProblem(
      await send(`${server.url}${API}/general/job/${encodeURIComponent('admin:1')}`, { headers }),
      403,
      'JOB_FORBIDDEN',
    );
    const unknown = expectProblem(
      await send(`${server.url}${API}/general/job/nothing`, { headers }),
      403,
      'JOB_FORBIDDEN',
    );
    expect(foreign.detail).to.equal(unknown.detail);
  });
});
