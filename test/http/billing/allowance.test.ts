import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '@quire/core';
import { expectProblem, field, file, json, post, send, type Answer, type Part } from '../support/client.js';
import { quiet, unrulyPlugin, until, type TestServer } from '../support/server.js';

const API = '/api/v1';
const key = 'global-key-of-these-tests';
const meteredPlugin = fileURLToPath(new URL('../../fixtures/metered-plugin', import.meta.url));
const text = new TextEncoder().encode('text');

interface Usage {
  readonly used: number;
  readonly pending: number;
  readonly remaining: number | null;
  readonly byOperation: readonly { readonly operation: string; readonly units: number }[];
  readonly byCategory: Readonly<Record<string, number>>;
}

describe('The allowance over HTTP', () => {
  const servers: TestServer[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  });

  async function start(
    licence: Readonly<Record<string, unknown>>,
    more: Readonly<Record<string, unknown>> = {},
    basePath?: string,
  ): Promise<TestServer> {
    const server = await createTestServer({
      settings: {
        security: { enableLogin: true, customGlobalAPIKey: key, isolation: ['limits'] },
        licence,
        limits: { workers: 2 },
        ...more,
      },
      plugins: [meteredPlugin, unrulyPlugin],
      ...(basePath === undefined ? {} : { basePath }),
    });
    await server.start();
    servers.push(server);
    return server;
  }

  const call = (
    server: TestServer,
    path: string,
    parts: readonly Part[] = [],
    headers: Readonly<Record<string, string>> = { 'x-api-key': key },
  ): Promise<Answer> => post(`${server.url}${API}/${path}`, [file(text, 'a.txt'), ...parts], headers);
  const pipeline = (
    server: TestServer,
    operations: readonly (string | readonly [string, object])[],
    files = 1,
    query = '',
  ): Promise<Answer> => {
    const steps = operations.map((step) => ({
      operation: `${API}/${typeof step === 'string' ? step : step[0]}`,
      parameters: typeof step === 'string' ? {} : step[1],
    }));
    return post(
      `${server.url}${API}/pipeline/handleData${query}`,
      [
        ...Array.from({ length: files }, (_, n) => file(text, `${n}.txt`)),
        field('json', JSON.stringify({ pipeline: steps })),
      ],
      { 'x-api-key': key },
    );
  };
  /** Used units, from the RateLimit field of a call that costs one, without that one. */
  const usedBefore = async (server: TestServer, limit: number): Promise<number> => {
    const answer = await call(server, 'misc/metered-one');
    const left = /"allowance";r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1];
    expect(left, `${answer.status} ${answer.body.toString()}`).to.not.equal(undefined);
    return limit - Number(left) - 1;
  };

  it('is reported on charged answers, and ends in the 402 of a self-hosted server', async () => {
    const server = await start({ allowance: 7, allowancePeriod: 'day' });
    const first = await call(server, 'misc/metered-five');
    expect(first.status, first.body.toString()).to.equal(200);
    expect(first.headers['ratelimit-policy']).to.equal('"allowance";q=7;w=86400');
    expect(first.headers['ratelimit']).to.match(/^"allowance";r=2;t=\d+$/);
    const free = await call(server, 'misc/metered-free');
    expect(free.status).to.equal(200);
    expect(free.headers).to.not.have.property('ratelimit');
    const problem = expectProblem(await call(server, 'misc/metered-five'), 402, 'ACCOUNT_LINK_REQUIRED');
    expect(problem).to.include({
      error: 'ACCOUNT_LINK_REQUIRED',
      reason: 'OVER_LIMIT',
      type: '/errors/payment-required',
    });
    expect((await call(server, 'misc/metered-one')).headers['ratelimit']).to.match(/r=1;/);
  });

  it('is not charged for refused calls, and is refunded for failed ones', async () => {
    const server = await start({ allowance: 100 });
    const refusals = [
      await call(server, 'misc/metered-one', [], {}),
      await call(server, 'misc/metered-one', [], { 'x-api-key': 'wrong' }),
      await call(server, 'misc/metered-fail'),
      await call(server, 'misc/metered-fail', [field('how', 'input')]),
      await post(`${server.url}${API}/misc/metered-one`, [], { 'x-api-key': key }),
      await call(server, 'misc/nothing-here'),
      await pipeline(server, ['misc/nothing-here']),
    ];
    expect(refusals.map(({ status }) => status)).to.deep.equal([401, 401, 400, 400, 400, 404, 400]);
    const failures = [
      await call(server, 'misc/metered-fail', [field('how', 'remote')]),
      await call(server, 'misc/metered-fail', [field('how', 'defect')]),
      await call(server, 'misc/metered-fail', [field('how', 'kill')]),
    ];
    expect(failures.map(({ status }) => status)).to.deep.equal([502, 500, 500]);
    expect(await usedBefore(server, 100)).to.equal(0);
  });

  it('is refunded for a call that timed out', async () => {
    const server = await start({ allowance: 100 }, { operations: { 'misc/unruly-slow': { timeout: '1s' } } });
    expectProblem(await call(server, 'misc/unruly-slow', [field('ms', '20000')]), 504, 'TIMEOUT');
    expect(await usedBefore(server, 100)).to.equal(0);
  });

  it('stays charged for work in progress when its caller disconnected or cancelled it', async () => {
    const server = await start({ allowance: 100 });
    const folder = mkdtempSync(join(tmpdir(), 'quire-allowance-'));
    folders.push(folder);
    const begun = (mark: string): Promise<void> => until('the work has begun', () => existsSync(mark));
    const leaving = new AbortController();
    const [callMark, jobMark] = [join(folder, 'call'), join(folder, 'job')];
    const left = post(
      `${server.url}${API}/misc/unruly-slow`,
      [file(text, 'a.txt'), field('ms', '20000'), field('mark', callMark)],
      { 'x-api-key': key },
      leaving.signal,
    ).catch(() => 'left');
    await begun(callMark);
    leaving.abort();
    expect(await left).to.equal('left');
    const { jobId } = json<{ jobId: string }>(
      await call(server, 'misc/unruly-slow?async=true', [field('ms', '20000'), field('mark', jobMark)]),
    );
    await begun(jobMark);
    expect(
      (
        await send(`${server.url}${API}/general/job/${encodeURIComponent(jobId)}`, {
          method: 'DELETE',
          headers: { 'x-api-key': key },
        })
      ).status,
    ).to.equal(200);
    // Both have ended and are charged.
    await quiet(server);
    expect(await usedBefore(server, 100)).to.equal(2);
  });

  it('counts each step of a pipeline once, however many files, and not steps that no file reached', async () => {
    const server = await start({ allowance: 100 });
    const whole = await pipeline(server, ['misc/metered-five', 'misc/metered-one'], 4);
    expect(whole.status).to.equal(200);
    expect(whole.headers['ratelimit']).to.equal('"allowance";r=94');
    expect((await pipeline(server, ['misc/metered-drop', 'misc/metered-five'])).status).to.equal(204);
    expect(await usedBefore(server, 100)).to.equal(7);
  });

  it('counts the steps of the branches that files took', async () => {
    const server = await start({ allowance: 100 });
    const step = (path: string): object => ({ operation: `${API}/${path}`, parameters: {} });
    const branches = [
      { if: { fact: 'size', above: 1_000_000 }, then: [step('misc/metered-five')], else: [step('misc/metered-one')] },
      { each: [step('misc/metered-one')] },
    ];
    const answer = await call(server, 'pipeline/handleData', [field('json', JSON.stringify({ pipeline: branches }))]);
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(await usedBefore(server, 100)).to.equal(2);
  });

  it('refuses a pipeline before its first step, and refunds one that failed', async () => {
    const server = await start({ allowance: 8 });
    expectProblem(await pipeline(server, ['misc/metered-five', 'misc/metered-five']), 402, 'ACCOUNT_LINK_REQUIRED');
    expect((await pipeline(server, ['misc/metered-five', ['misc/metered-fail', { how: 'remote' }]])).status).to.equal(
      502,
    );
    expect((await pipeline(server, ['misc/metered-five', ['misc/metered-fail', { how: 'input' }]])).status).to.equal(
      400,
    );
    expect(await usedBefore(server, 8)).to.equal(0);
  });

  it('is charged for a job once it has succeeded, and refuses to queue one that does not fit', async () => {
    const server = await start({ allowance: 8 });
    for (const started of [
      await call(server, 'misc/metered-five?async=true'),
      await pipeline(server, ['misc/metered-one'], 1, '?async=true'),
    ]) {
      const { jobId } = json<{ jobId: string }>(started);
      await until(
        'the job is done',
        async () =>
          json<{ complete: boolean }>(
            await send(`${server.url}${API}/general/job/${encodeURIComponent(jobId)}`, {
              headers: { 'x-api-key': key },
            }),
          ).complete,
      );
      const result = await send(`${server.url}${API}/general/job/${encodeURIComponent(jobId)}/result`, {
        headers: { 'x-api-key': key },
      });
      expect(result.status, result.body.toString()).to.equal(200);
    }
    expectProblem(await call(server, 'misc/metered-five?async=true'), 402, 'ACCOUNT_LINK_REQUIRED');
    expectProblem(await pipeline(server, ['misc/metered-five'], 1, '?async=true'), 402, 'ACCOUNT_LINK_REQUIRED');
    expect(await usedBefore(server, 8)).to.equal(6);
  });

  it('lets no more of fifty concurrent calls pass than fit', async () => {
    const server = await start({ allowance: 23 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(server, 'misc/metered-one')));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(23);
    expect(answers.filter(({ status }) => status === 402)).to.have.length(27);
  });

  it('survives a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-allowance-'));
    folders.push(folder);
    const first = await start({ allowance: 10 }, {}, folder);
    expect((await call(first, 'misc/metered-five')).status).to.equal(200);
    await servers.pop()?.stop();
    expect(await usedBefore(await start({ allowance: 10 }, {}, folder), 10)).to.equal(5);
  });

  it('answers the cloud with the numbers of the account', async () => {
    const server = await start({ credits: 5, spendCap: 1, allowancePeriod: 'month' }, { hosting: 'cloud' });
    const first = await call(server, 'misc/metered-five');
    expect(first.headers['ratelimit']).to.match(/^"credits";r=1;t=\d+$/);
    const problem = expectProblem(
      await call(server, 'ai/tools/metered-ai'),
      402,
      'PAYG_LIMIT_REACHED',
    ) as unknown as Record<string, unknown>;
    expect(problem).to.include({
      error: 'PAYG_LIMIT_REACHED',
      subscribed: true,
      state: 'LIMIT',
      spendUnits: 5,
      capUnits: 6,
    });
    expect(problem['message']).to.be.a('string');
    expect(new Date(String(problem['periodEnd'])).getUTCDate()).to.equal(1);
  });

  it('asks callers without an account to sign up on the cloud', async () => {
    const server = await start({}, { hosting: 'cloud', security: { enableLogin: false } });
    for (const [path, category] of [
      ['misc/metered-one', 'API'],
      ['ai/tools/metered-ai', 'AI'],
    ] as const)
      expect(expectProblem(await call(server, path, [], {}), 401, 'SIGNUP_REQUIRED')).to.include({
        error: 'SIGNUP_REQUIRED',
        category,
      });
    expect(expectProblem(await pipeline(server, ['misc/metered-one']), 401, 'SIGNUP_REQUIRED')).to.include({
      category: 'AUTOMATION',
    });
  });

  it('is read and reset only by administrators', async () => {
    const server = await start({ allowance: 10 });
    for (const [method, path] of [
      ['GET', 'admin/usage'],
      ['POST', 'admin/usage/reset'],
    ] as const) {
      expect((await send(`${server.url}${API}/${path}`, { method })).status).to.equal(401);
      expectProblem(
        await send(`${server.url}${API}/${path}`, { method, headers: { 'x-api-key': key } }),
        403,
        'ADMIN_ONLY',
      );
    }
  });

  it('counts pipeline steps of a server without login, where its operator can read them', async () => {
    const server = await start({ allowance: 20 }, { security: { enableLogin: false } });
    const usage = async (): Promise<Usage> => json<Usage>(await send(`${server.url}${API}/admin/usage`));
    expect((await call(server, 'misc/metered-five', [], {})).headers).to.not.have.property('ratelimit');
    expect((await pipeline(server, ['misc/metered-five', 'misc/metered-one'])).status).to.equal(200);
    expect(await usage()).to.deep.include({
      used: 6,
      pending: 0,
      remaining: 14,
      byCategory: { AUTOMATION: 6 },
      byOperation: [
        { operation: 'misc/metered-five', units: 5 },
        { operation: 'misc/metered-one', units: 1 },
      ],
    });
    expect(json<Usage>(await send(`${server.url}${API}/admin/usage/reset`, { method: 'POST' }))).to.deep.include({
      used: 0,
      remaining: 20,
      byOperation: [],
    });
    expect((await usage()).used).to.equal(0);
  });
});
