import { expect } from 'chai';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, bossName, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { API } from '../support/pipelines.js';
import { until, type TestServer } from '../support/server.js';
import { failedOf, quickScan, rotate } from '../support/watched-folders.js';

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly folder: { readonly id: string; readonly path: string } | null;
  readonly editable: boolean;
  readonly owner: string | null;
  readonly work: { readonly pipeline: readonly { readonly parameters?: object }[] };
  readonly files: Readonly<Record<string, number>>;
  readonly problems: readonly { readonly source: string | null; readonly code: string; readonly detail: string }[];
}

interface Files {
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly state: string;
    readonly reason: { readonly code: string } | null;
    readonly places: readonly string[];
  }[];
  readonly total: number;
  readonly next: number | null;
}

interface Runs {
  readonly runs: readonly {
    readonly id: string;
    readonly state: string;
    readonly startedAt: string;
    readonly inputs: readonly string[];
    readonly outputs: readonly { readonly name: string; readonly size: number; readonly contentType: string }[];
    readonly steps: readonly { readonly operation: string }[];
    readonly code: string | null;
  }[];
}

const merge = { pipeline: [{ operation: '/api/v1/general/merge-pdfs', parameters: {} }] };

describe('Watched folders as automations', () => {
  let server: TestServer;
  let boss: Readonly<Record<string, string>>;
  let pdf: Uint8Array;

  before(async () => {
    pdf = await makePdf({ pages: 1 });
    server = await startWithLogin(
      {},
      {
        limits: { workers: 1 },
        autoPipeline: { ...quickScan.autoPipeline, runAs: bossName },
        management: {
          endpoints: { web: { exposure: { include: ['prometheus'] } } },
          prometheus: { metrics: { export: { enabled: true } } },
        },
      },
    );
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  const get = (path: string, headers = boss): Promise<Answer> => send(`${server.url}${API}/${path}`, { headers });
  const list = async (headers = boss): Promise<readonly Shown[]> => json<Shown[]>(await get('automations', headers));
  const root = (...way: string[]): string => join(server.basePath, 'pipeline', 'watchedFolders', ...way);
  const files = async (id: string, query = ''): Promise<Files> =>
    json<Files>(await get(`automations/${id}/items${query}`));
  const runs = async (id: string, query = ''): Promise<Runs['runs']> =>
    json<Runs>(await get(`automations/${id}/runs${query}`)).runs;

  async function folder(name: string, definition: object, inputs: Readonly<Record<string, Uint8Array | string>>) {
    await mkdir(root(name), { recursive: true });
    for (const [input, bytes] of Object.entries(inputs)) await writeFile(root(name, input), bytes);
    await writeFile(root(name, 'pipeline.json'), JSON.stringify(definition));
  }

  /** Waits until the folder is listed with what `holds` wants. */
  async function shown(path: string, holds: (one: Shown) => boolean): Promise<Shown> {
    let found: Shown | undefined;
    await until(`${path} is listed as expected`, async () => {
      found = (await list()).find((one) => one.folder?.path === path);
      return found !== undefined && holds(found);
    }).catch((error: unknown) => {
      throw new Error(`${path} is ${JSON.stringify(found)}`, { cause: error });
    });
    return found as Shown;
  }

  it('are listed with their steps and numbers, and cannot be edited', async () => {
    await folder('in/list', rotate, { 'a.pdf': pdf, 'b.pdf': 'no document' });
    const one = await shown(
      'in/list',
      ({ files: { waiting, running, delivered, parked } }) =>
        delivered === 1 && parked === 1 && waiting === 0 && running === 0,
    );
    expect(one).to.include({ name: 'in/list', editable: false, owner: bossName });
    expect(one.folder?.id).to.equal(one.id);
    expect(one.files).to.deep.equal({ waiting: 0, running: 0, delivering: 0, delivered: 1, parked: 1 });
    expect(one.work.pipeline).to.deep.equal(rotate.pipeline);
    expect(json(await get(`automations/${one.id}`))).to.deep.include({ id: one.id, folder: one.folder });
    expect((await get('policies')).body.toString()).not.to.include(one.id);
  });

  it('show their failed files and runs as other automations do, and process failed files again', async () => {
    await folder('in/retry', rotate, { 'good.pdf': pdf, 'bad.pdf': 'no document' });
    const { id } = await shown('in/retry', ({ files: { delivered = 0, parked = 0 } }) => delivered + parked === 2);
    const all = await files(id);
    expect(all).to.include({ total: 2, next: null });
    const parked = await files(id, '?state=parked');
    expect(parked.files.map(({ name, state, places }) => [name, state, places])).to.deep.equal([
      ['bad.pdf', 'parked', []],
    ]);
    expect(parked.files[0]?.reason?.code).to.equal('PDF_DAMAGED');
    const delivered = await files(id, '?state=delivered');
    expect(delivered.files.map(({ name, places }) => [name, places])).to.deep.equal([
      ['good.pdf', ['in/retry/good.pdf']],
    ]);
    expect(await files(id, '?state=waiting')).to.deep.equal({ files: [], total: 0, next: null });
    expect((await files(id, '?limit=1')).next).to.equal(1);
    const [failed] = await runs(id, '?state=failed');
    expect(failed).to.deep.include({ inputs: ['bad.pdf'], outputs: [], code: 'PDF_DAMAGED' });
    const [done] = await runs(id, '?state=completed');
    expect(done?.steps.map(({ operation }) => operation)).to.deep.equal(['/api/v1/general/rotate-pdf']);
    expect(done?.outputs[0]).to.include({ name: 'good.pdf', contentType: 'application/pdf' });
    expect(done?.outputs[0]?.size).to.be.greaterThan(100);
    expect(await runs(id)).to.have.length(2);
    const times = (await runs(id)).map(({ startedAt }) => startedAt);
    expect(await runs(id, `?before=${new Date(Date.parse(times[1] ?? '') - 1).toISOString()}`)).to.deep.equal([]);
    expect((await runs(id, `?before=${times[0] ?? ''}`)).length).to.equal(2);
    await writeFile(root('in/retry', 'failed', 'bad.pdf'), 'no document');
    const [bad] = parked.files;
    const retry = () =>
      send(`${server.url}${API}/automations/${id}/items/retry?file=${bad?.id ?? ''}`, {
        method: 'POST',
        headers: boss,
      });
    expect(json(await retry())).to.deep.equal({ count: 1 });
    expectProblem(await retry(), 404, 'NOT_FOUND');
    await until('it has failed once more', async () => (await runs(id)).length === 3);
    const [again] = (await failedOf(server, id, boss)).files;
    expect((await files(id, '?state=parked')).files[0]?.id).to.equal(again?.id);
  });

  it('show a run of several files as one run', async () => {
    await folder('in/merge', merge, { 'a.pdf': pdf, 'b.pdf': pdf });
    const { id } = await shown('in/merge', ({ files: { delivered } }) => delivered === 2);
    const found = await runs(id);
    expect(found.map(({ inputs, state, outputs }) => [inputs, state, outputs.length])).to.deep.equal([
      [['a.pdf', 'b.pdf'], 'completed', 1],
    ]);
    expect((await files(id)).files.map(({ name }) => name).sort()).to.deep.equal(['a.pdf', 'b.pdf']);
  });

  it('are counted in the metrics of automations', async () => {
    await folder('in/counted', rotate, { 'good.pdf': pdf, 'bad.pdf': 'no document' });
    const { id } = await shown(
      'in/counted',
      ({ files: { waiting, running, delivered, parked } }) =>
        delivered === 1 && parked === 1 && waiting === 0 && running === 0,
    );
    const answer = await send(`${server.url}/actuator/prometheus`, { headers: boss });
    for (const line of ['runs_total 2', 'failures_total 1', 'backlog 0'].map((each) => each.split(' ')))
      expect(answer.body.toString()).to.include(`quire_automation_${line[0]}{automation="${id}"} ${line[1]}`);
  });

  it('say why their files wait, and no password or absolute path', async () => {
    const unknown = { operation: '/api/v1/security/none', parameters: { password: 'not for answers' } };
    await folder('in/wrong', { pipeline: [...rotate.pipeline, unknown] }, { 'a.pdf': pdf });
    const { id, problems, files: counts } = await shown('in/wrong', (one) => one.problems.length > 0);
    expect(problems[0]).to.include({ source: null, code: 'pipeline-invalid' });
    expect(counts['waiting']).to.equal(1);
    for (const answer of [await get('automations'), await get(`automations/${id}`)])
      expect(answer.body.toString()).not.to.include('not for answers').and.not.to.include(server.basePath);
  });

  it('refuse changes and starts, and name the folder', async () => {
    await folder('in/fixed', rotate, {});
    const { id } = await shown('in/fixed', () => true);
    const to = (path: string, method: string): Promise<Answer> =>
      send(`${server.url}${API}/automations/${id}${path}`, { method, headers: boss });
    for (const answer of [
      await sendJson(server, `${API}/automations/${id}`, { name: 'Mine', work: rotate }, boss, 'PUT'),
      await post(`${server.url}${API}/automations/${id}/run`, [file(pdf)], boss),
      await to('/export', 'GET'),
      await to('', 'DELETE'),
      await to('/items', 'DELETE'),
      await to('/trigger', 'POST'),
      await to('/runs/any/cancel', 'POST'),
    ])
      expect(expectProblem(answer, 409, 'AUTOMATION_CONFLICT').detail).to.include('in/fixed');
    expectProblem(await get(`policies/${id}`), 404, 'NOT_FOUND');
    expect(await readdir(root('in/fixed'))).to.include('pipeline.json');
  });

  it('are seen by administrators only', async () => {
    await folder('in/seen', rotate, {});
    const { id } = await shown('in/seen', () => true);
    await addUser(server, boss, 'mate');
    const mate = await sessionOf(server, 'mate', 'password of mate');
    expect((await list(mate)).filter((one) => one.folder !== null)).to.deep.equal([]);
    for (const path of ['', '/items', '/runs', '/events'])
      expectProblem(await get(`automations/${id}${path}`, mate), 404, 'NOT_FOUND');
    expectProblem(
      await send(`${server.url}${API}/automations/${id}/items/retry`, { method: 'POST', headers: mate }),
      404,
      'NOT_FOUND',
    );
  });

  it('stream their files, and are in the stream of the list', async () => {
    const { id } = await shown('in/merge', () => true);
    const first = async (path: string): Promise<string> => {
      const stop = new AbortController();
      const response = await fetch(`${server.url}${API}/automations/${path}`, { headers: boss, signal: stop.signal });
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk as Uint8Array).toString();
        if (/data:.*\n\n/.test(text)) break;
      }
      stop.abort();
      return text;
    };
    expect(await first(`${id}/events`))
      .to.include('"delivered":2')
      .and.include('a.pdf');
    expect(await first('events'), 'the list').to.include(`"folder":{"id":"${id}","path":"in/merge"}`);
  });
});
