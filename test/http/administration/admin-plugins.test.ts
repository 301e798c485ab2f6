import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, pointers, post, send, Wire, type Answer } from '../support/client.js';
import { addUser, globalKey, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { until, type TestServer } from '../support/server.js';

interface Switched {
  readonly path: string;
  readonly enabled: boolean;
  readonly reason: string | null;
  readonly decidedBy: string;
  readonly switch: boolean | null;
}

interface Listing {
  readonly plugins: readonly {
    readonly name: string;
    readonly version: string;
    readonly enabled: boolean;
    readonly switch: boolean | null;
    readonly operations: readonly Switched[];
  }[];
  readonly categories: readonly { readonly name: string; readonly enabled: boolean; readonly switch: boolean | null }[];
  readonly core: readonly Switched[];
  readonly switches: readonly {
    readonly kind: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly changedBy: string;
  }[];
}

const PLUGINS = '/api/v1/admin/plugins';
const rotate = '/api/v1/general/rotate-pdf';
const pipelineOf = (...operations: readonly string[]): string =>
  JSON.stringify({ pipeline: operations.map((operation) => ({ operation, parameters: {} })) });

describe('Switching operations at run time', () => {
  let server: TestServer;
  let boss: { readonly authorization: string };
  let pdf: Uint8Array;

  before(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
    pdf = await makePdf({ pages: 2 });
  });
  after(() => server.stop());
  afterEach(async () => {
    for (const { kind, name } of (await list()).switches) await toggle({ [kind]: name }, null);
  });

  const toggle = (target: Readonly<Record<string, string>>, enabled: unknown): Promise<Answer> =>
    sendJson(server, PLUGINS, { ...target, enabled }, boss, 'PATCH');
  const list = async (): Promise<Listing> => json<Listing>(await send(`${server.url}${PLUGINS}`, { headers: boss }));
  const get = (path: string): Promise<Answer> => send(`${server.url}${path}`, { headers: boss });
  const call = (path: string): Promise<Answer> => post(`${server.url}${path}`, [file(pdf)], boss);
  const pathsOf = async (): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> =>
    json<{ paths: Record<string, Record<string, unknown>> }>(await send(`${server.url}/v1/api-docs`)).paths;

  it('lists every plugin with its operations and which switch decides', async () => {
    const { plugins, categories, core, switches } = await list();
    const general = plugins.find(({ name }) => name === '@quire/plugin-general');
    expect(general?.version).to.match(/^\d+\.\d+\.\d+/);
    expect(general?.operations.find(({ path }) => path === rotate)).to.include({
      enabled: true,
      reason: null,
      decidedBy: 'default',
      switch: null,
    });
    expect(plugins.flatMap(({ operations }) => operations.map(({ path }) => path))).to.include.members(
      [...server.catalog.operations.keys()].map((path) => `/api/v1/${path}`),
    );
    expect(categories.map(({ name }) => name)).to.include.members(['general', 'misc', 'filter', 'pipeline']);
    expect(core.map(({ path }) => path)).to.deep.equal(['/api/v1/pipeline/handleData']);
    expect(switches).to.deep.equal([]);
  });

  it('is for administrators only', async () => {
    await addUser(server, boss, 'ada');
    const user = await sessionOf(server, 'ada', 'password of ada');
    for (const [headers, status, code] of [
      [{}, 401, 'KEY_INVALID'],
      [{ 'x-api-key': globalKey }, 403, 'ADMIN_ONLY'],
      [user, 403, 'ADMIN_ONLY'],
    ] as const) {
      expectProblem(await send(`${server.url}${PLUGINS}`, { headers }), status, code);
      expectProblem(
        await sendJson(server, PLUGINS, { operation: 'general/rotate-pdf', enabled: false }, headers, 'PATCH'),
        status,
        code,
      );
    }
    expect((await call(rotate)).status).to.equal(200);
  });

  it('answers 403 at once on the route of an operation, and works again when it is on', async () => {
    const answer = json<{ operations: Switched[]; switch: boolean }>(
      await toggle({ operation: 'general/rotate-pdf' }, false),
    );
    expect(answer.operations).to.have.length(1);
    expect(answer.operations[0]).to.include({
      path: rotate,
      enabled: false,
      reason: 'CONFIG',
      decidedBy: 'switch operation:general/rotate-pdf',
      switch: false,
    });
    expectProblem(await call(rotate), 403, 'OPERATION_DISABLED');
    expect((await call('/api/v1/misc/compress-pdf')).status).to.equal(200);
    expect((await list()).switches[0]).to.deep.include({
      kind: 'operation',
      name: 'general/rotate-pdf',
      enabled: false,
      changedBy: 'boss',
    });
    await toggle({ operation: '/api/v1/general/rotate-pdf' }, true);
    expect((await call(rotate)).status).to.equal(200);
  });

  it('reads no byte of the body for a disabled operation, and authenticates first', async () => {
    await toggle({ operation: 'general/rotate-pdf' }, false);
    for (const [lines, status] of [
      [[`Authorization: ${boss.authorization}`], 403],
      [[], 401],
    ] as const) {
      const wire = await Wire.open(server.url);
      wire.head(rotate, 'Content-Length: 1000000', 'Expect: 100-continue', ...lines);
      await until('the answer is there', () => wire.status !== 0);
      expect(wire.status).to.equal(status);
      expect(wire.text).not.to.include('100 Continue');
      wire.close();
    }
  });

  it('accepts whole categories and plugins; the most specific switch decides', async () => {
    await toggle({ category: 'general' }, false);
    for (const path of ['general/rotate-pdf', 'general/merge-pdfs'])
      expectProblem(await call(`/api/v1/${path}`), 403, 'OPERATION_DISABLED');
    await toggle({ operation: 'general/rotate-pdf' }, true);
    expect((await call(rotate)).status).to.equal(200);
    expectProblem(await call('/api/v1/general/merge-pdfs'), 403, 'OPERATION_DISABLED');
    await toggle({ plugin: '@quire/plugin-general' }, true);
    expect((await call('/api/v1/general/merge-pdfs')).status).to.equal(200);
    const { plugins, categories } = await list();
    expect(plugins.find(({ name }) => name === '@quire/plugin-general')).to.include({ enabled: true, switch: true });
    expect(categories.find(({ name }) => name === 'general')).to.include({ switch: false });
  });

  it('refuses a pipeline with a disabled step before a file is read', async () => {
    await toggle({ operation: 'general/rotate-pdf' }, false);
    const steps = pipelineOf('/api/v1/misc/compress-pdf', rotate);
    for (const path of ['validate', 'handleData']) {
      const problem = expectProblem(
        await post(
          `${server.url}/api/v1/pipeline/${path}`,
          [field('json', steps), ...(path === 'validate' ? [] : [file(pdf)])],
          boss,
        ),
        400,
        'PIPELINE_INVALID',
      );
      expect(pointers(problem)).to.deep.equal(['/pipeline/1/operation']);
      expect(problem.errors?.[0]?.detail).to.include('turned off');
    }
  });

  it('disables pipelines with their path, validation included', async () => {
    await toggle({ operation: 'pipeline/handleData' }, false);
    for (const path of ['validate', 'handleData'])
      expectProblem(
        await post(`${server.url}/api/v1/pipeline/${path}`, [field('json', pipelineOf(rotate)), file(pdf)], boss),
        403,
        'OPERATION_DISABLED',
      );
    expect((await call(rotate)).status).to.equal(200);
  });

  it('changes documentation, capabilities and the config endpoints at once', async () => {
    const before = await pathsOf();
    expect(before[rotate]).to.have.property('post');
    await toggle({ category: 'general' }, false);
    const after = await pathsOf();
    expect(after[rotate]).to.equal(undefined);
    expect(after['/api/v1/misc/compress-pdf']).to.have.property('post');
    expect(after['/api/v1/general/job/{jobId}'], 'job endpoints are not operations').to.have.property('get');
    const { operations } = json<{ operations: Switched[] }>(await get('/api/v1/capabilities'));
    expect(operations.find(({ path }) => path === rotate)).to.include({ enabled: false, reason: 'CONFIG' });
    expect(json(await get('/api/v1/settings/get-endpoints-status'))).to.include({
      'rotate-pdf': false,
      'merge-pdfs': false,
    });
    expect(json(await get('/api/v1/config/endpoints-availability?endpoints=rotate-pdf,compress-pdf'))).to.deep.equal({
      'rotate-pdf': { enabled: false, reason: 'CONFIG' },
      'compress-pdf': { enabled: true, reason: null },
    });
    await toggle({ category: 'general' }, null);
    expect(Object.keys(await pathsOf())).to.deep.equal(Object.keys(before));
  });

  it('fails jobs that were queued before the switch, with the reason', async () => {
    const small = await startWithLogin({}, { jobs: { concurrency: 1 }, limits: { workers: 1 } });
    try {
      const session = await sessionOf(small);
      const start = async (path: string, parts: Parameters<typeof post>[1]): Promise<string> =>
        json<{ jobId: string }>(await post(`${small.url}${path}?async=true`, parts, session)).jobId;
      const slow = await start('/api/v1/misc/unruly-slow', [file(pdf), field('ms', '1500')]);
      const waiting = await start(rotate, [file(pdf)]);
      const pipeline = await start('/api/v1/pipeline/handleData', [file(pdf), field('json', pipelineOf(rotate))]);
      expect(
        (await sendJson(small, PLUGINS, { operation: 'general/rotate-pdf', enabled: false }, session, 'PATCH')).status,
      ).to.equal(200);
      const record = async (id: string): Promise<{ complete: boolean; status: string; error: string | null }> =>
        json(await send(`${small.url}/api/v1/general/job/${encodeURIComponent(id)}`, { headers: session }));
      await until('every job has ended', async () =>
        (await Promise.all([slow, waiting, pipeline].map(record))).every(({ complete }) => complete),
      );
      expect((await record(slow)).status).to.equal('succeeded');
      const [ended, piped] = [await record(waiting), await record(pipeline)];
      expect([ended.status, piped.status]).to.deep.equal(['failed', 'failed']);
      expect(ended.error).to.include('turned off');
      expect(piped.error).to.match(/turned off|fault/);
    } finally {
      await small.stop();
    }
  });

  it('refuses unknown names and empty bodies, and changes nothing', async () => {
    const near = expectProblem(await toggle({ operation: 'general/rotate-pfd' }, false), 400, 'INPUT_INVALID');
    expect(near.detail).to.include('did you mean general/rotate-pdf?');
    for (const body of [
      {},
      { enabled: false },
      { operation: 'general/rotate-pdf' },
      { operation: 'general/rotate-pdf', enabled: 'no' },
      { operation: 'general/rotate-pdf', category: 'general', enabled: false },
      { operation: 7, enabled: false },
      { category: '__proto__', enabled: false },
      [],
    ]) {
      expectProblem(await sendJson(server, PLUGINS, body, boss, 'PATCH'), 400, 'INPUT_INVALID');
    }
    expect((await list()).switches).to.deep.equal([]);
  });
});

describe('Switches of an earlier run', () => {
  it('persist after a restart and take precedence over the settings file', async () => {
    const basePath = mkdtempSync(join(tmpdir(), 'quire-switches-'));
    const settings = { endpoints: { toRemove: ['merge-pdfs'] } };
    const pdf = await makePdf({ pages: 1 });
    try {
      const first = await startWithLogin({}, settings, basePath);
      const boss = await sessionOf(first);
      for (const [operation, enabled] of [
        ['general/merge-pdfs', true],
        ['general/rotate-pdf', false],
      ] as const)
        await sendJson(first, PLUGINS, { operation, enabled }, boss, 'PATCH');
      expect(json(await send(`${first.url}/api/v1/settings/get-endpoints-status`, { headers: boss }))).to.deep.include({
        'merge-pdfs': true,
        'rotate-pdf': false,
      });
      await first.stop();
      const second = await startWithLogin({}, settings, basePath);
      try {
        const again = await sessionOf(second);
        expectProblem(await post(`${second.url}${rotate}`, [file(pdf)], again), 403, 'OPERATION_DISABLED');
        expect((await post(`${second.url}/api/v1/general/merge-pdfs`, [file(pdf), file(pdf)], again)).status).to.equal(
          200,
        );
        await sendJson(second, PLUGINS, { operation: 'general/merge-pdfs', enabled: null }, again, 'PATCH');
        expectProblem(
          await post(`${second.url}/api/v1/general/merge-pdfs`, [file(pdf), file(pdf)], again),
          403,
          'OPERATION_DISABLED',
        );
      } finally {
        await second.stop();
      }
    } finally {
      rmSync(basePath, { recursive: true, force: true });
    }
  });
});
