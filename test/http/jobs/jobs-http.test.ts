import { expect } from 'chai';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { readZip } from '../../kit/read-zip.js';
import {
  Wire,
  expectProblem,
  field,
  file,
  json,
  pointers,
  post,
  send,
  type Answer,
  type Part,
} from '../support/client.js';
import { isAlive, quiet, startServer, until, type TestServer } from '../support/server.js';

const API = '/api/v1';
const mark = join(tmpdir(), `quire-job-mark-${process.pid}`);

interface Job {
  readonly jobId: string;
  readonly complete: boolean;
  readonly error: string | null;
  readonly result: unknown;
  readonly status: string;
  readonly progress: number;
  readonly expiresAt: string | null;
  readonly queuePosition: number | null;
  readonly allResultFiles: readonly {
    readonly fileId: string;
    readonly fileName: string;
    readonly contentType: string;
    readonly fileSize: number;
  }[];
}

describe('Jobs', () => {
  let server: TestServer;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer({ limits: { workers: 2 }, jobs: { concurrency: 2 } });
    pdf = await makePdf({ pages: 3 });
  });
  after(() => server.stop());
  beforeEach(() => rmSync(mark, { force: true }));
  afterEach(() => quiet(server));

  const tool = (
    path: string,
    parts: readonly Part[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => post(`${server.url}${API}/${path}`, parts, headers);
  const job = (
    id: string,
    rest = '',
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<Answer> => send(`${server.url}${API}/general/job/${encodeURIComponent(id)}${rest}`, { method, headers });
  const poll = async (id: string): Promise<Job> => json<Job>(await job(id));

  async function start(path: string, parts: readonly Part[]): Promise<string> {
    const answer = await tool(path, [...parts, field('async', 'true')]);
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    return json<{ jobId: string }>(answer).jobId;
  }

  async function finished(id: string): Promise<Job> {
    await until('the job is complete', async () => (await poll(id)).complete);
    return poll(id);
  }

  it('start with the answer that existing clients read', async () => {
    for (const [path, parts] of [
      ['general/rotate-pdf?async=true', [file(pdf)]],
      ['general/rotate-pdf', [file(pdf), field('async', 'TRUE')]],
    ] as const) {
      const answer = await tool(path, parts);
      expect(answer.status).to.equal(200);
      expect(json(answer)).to.have.all.keys('async', 'jobId', 'result').and.to.include({ async: true, result: null });
      const { jobId } = json<{ jobId: string }>(answer);
      expect(answer.headers.location).to.equal(`${API}/general/job/${jobId}`);
      expect(Number(answer.headers['retry-after'])).to.be.at.least(1);
      await finished(jobId);
    }
  });

  it('start with 202 where the client prefers it', async () => {
    const answer = await tool('general/rotate-pdf', [file(pdf)], { prefer: 'respond-async' });
    expect(answer.status).to.equal(202);
    expect(answer.headers['preference-applied']).to.equal('respond-async');
    await finished(json<{ jobId: string }>(answer).jobId);
    const pipeline = { pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: {} }] };
    const second = await tool('pipeline/handleData', [file(pdf), field('json', JSON.stringify(pipeline))], {
      prefer: 'respond-async, handling=strict',
    });
    expect(second.status).to.equal(202);
    await finished(json<{ jobId: string }>(second).jobId);
  });

  it('are refused at once for faults that are known at once', async () => {
    expectProblem(
      await tool('general/rotate-pdf', [file(pdf), field('angle', '1'), field('async', 'true')]),
      400,
      'INPUT_INVALID',
    );
    expectProblem(await tool('general/rotate-pdf', [field('async', 'true')]), 400, 'INPUT_FILE_MISSING');
    expectProblem(
      await tool('general/rotate-pdf', [file(Buffer.from('text'), 'a.txt'), field('async', 'true')]),
      415,
      'INPUT_KIND',
    );
    expectProblem(
      await tool('pipeline/handleData', [file(pdf), field('json', '{}'), field('async', 'true')]),
      400,
      'PIPELINE_INVALID',
    );
  });

  it('return exactly the bytes and headers of the synchronous call', async () => {
    const cases: readonly [string, readonly Part[]][] = [
      ['filter/filter-page-count', [file(pdf, 'ä b.pdf'), field('pageCount', '1'), field('comparator', 'Greater')]],
      ['misc/unruly-label', [file(pdf), field('name', 'Bericht ü')]],
      ['misc/unruly-echo', [file(pdf), field('list', 'a'), field('unknown', 'x')]],
    ];
    for (const [path, parts] of cases) {
      const direct = await tool(path, parts);
      const id = await start(path, parts);
      const done = await finished(id);
      expect(done.status, done.error ?? '').to.equal('succeeded');
      const result = await job(id, '/result');
      expect(result.status).to.equal(direct.status);
      expect(result.body.equals(direct.body), path).to.equal(true);
      for (const name of [
        'content-type',
        'content-disposition',
        'content-length',
        'x-effects',
        'x-tool-report',
        'x-warnings',
      ])
        expect(result.headers[name], `${path} ${name}`).to.equal(direct.headers[name]);
    }
  });

  it('return the zip of the synchronous call for several files, and the list and single files', async () => {
    const parts = [file(pdf, 'doc.pdf'), field('pageNumbers', 'all')];
    const direct = await tool('general/split-pages', parts);
    const id = await start('general/split-pages', parts);
    const { allResultFiles } = await finished(id);
    const result = await job(id, '/result');
    expect(result.headers['content-disposition']).to.equal(direct.headers['content-disposition']);
    expect(result.headers['content-type']).to.equal('application/octet-stream');
    expect((await job(id, '/result', { accept: 'application/zip' })).headers['content-type']).to.equal(
      'application/zip',
    );
    expect(readZip(result.body).map(({ name }) => name)).to.deep.equal(readZip(direct.body).map(({ name }) => name));
    const list = json<{ hasMultipleFiles: boolean; files: unknown[] }>(
      await job(id, '/result', { accept: 'application/json' }),
    );
    expect(list.hasMultipleFiles).to.equal(true);
    expect(list.files).to.deep.equal(allResultFiles);
    expect(json(await job(id, '/result/files'))).to.deep.equal({ jobId: id, fileCount: 3, files: allResultFiles });
    const [first] = allResultFiles;
    const single = await send(`${server.url}${API}/general/files/${first?.fileId}`);
    expect(single.status).to.equal(200);
    expect(single.body).to.have.length(first?.fileSize ?? -1);
    expect(single.headers['content-disposition']).to.contain(first?.fileName);
    expect(json(await send(`${server.url}${API}/general/files/${first?.fileId}/metadata`))).to.deep.equal(first);
  });

  it('accept a file of an earlier job as input', async () => {
    const id = await start('general/rotate-pdf', [file(pdf, 'doc.pdf')]);
    const [kept] = (await finished(id)).allResultFiles;
    const answer = await tool('general/rotate-pdf', [field('fileId', kept?.fileId ?? '')]);
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-disposition']).to.contain('doc_rotated_rotated.pdf');
    const again = await start('general/split-pages', [field('fileId', kept?.fileId ?? '')]);
    expect((await finished(again)).status).to.equal('succeeded');
    for (const fileId of ['nothing', '../../jobs.key', '', 'a'.repeat(5000)]) {
      const refused = await tool('general/rotate-pdf', [field('fileId', fileId)]);
      expect(
        pointers(expectProblem(refused, 400, fileId === '' ? 'INPUT_FILE_MISSING' : 'INPUT_FILE_UNKNOWN')),
      ).to.have.length(1);
    }
  });

  it('report that they are not finished, and then return their result', async () => {
    const id = await start('misc/unruly-slow', [file(pdf), field('ms', '700')]);
    const early = await job(id, '/result');
    expectProblem(early, 400, 'JOB_NOT_FINISHED');
    expect(Number(early.headers['retry-after'])).to.be.at.least(1);
    expect((await poll(id)).complete).to.equal(false);
    await finished(id);
    expect((await job(id, '/result')).status).to.equal(200);
    expect((await job(id, '/result')).status, 'a second download').to.equal(200);
  });

  it('report why they failed, in the record and instead of a result', async () => {
    const id = await start('general/rotate-pdf', [file(Buffer.from('%PDF-1.7\nno more'))]);
    const record = await finished(id);
    expect(record).to.include({ complete: true, status: 'failed' });
    expect(record.error).to.contain('fileInput');
    const problem = expectProblem(await job(id, '/result'), 400, 'JOB_FAILED');
    expect(problem.detail).to.match(/^Job failed: /);
    expectProblem(await job(id, '/result/files'), 400, 'JOB_FAILED');
    const refused = expectProblem(
      await tool('general/rotate-pdf', [file(Buffer.from('%PDF-1.7\nno more'))]),
      400,
      'PDF_DAMAGED',
    );
    const { code, status, detail, errors } = refused;
    expect(problem.cause).to.deep.include({ code, status, detail, errors });
    expect(record).to.include({ error: detail, failureCode: code, failureStatus: status });
    expect((await job(id, '/events')).body.toString('utf8')).to.contain(`"failureCode":"${String(code)}"`);
  });

  it('fail when no step of their pipeline accepts the type of any file', async () => {
    const definition = JSON.stringify({ pipeline: [{ operation: `${API}/general/rotate-pdf`, parameters: {} }] });
    const parts = [file(Buffer.from('text'), 'notes.txt'), field('json', definition)];
    const record = await finished(await start('pipeline/handleData', parts));
    expect(record).to.include({ status: 'failed', failureCode: 'INPUT_KIND', failureStatus: 415 });
    expect(record.error).to.contain('failed on notes.txt');
  });

  it('fail with a plain message when their worker crashes, and others continue', async () => {
    const crash = await start('misc/unruly-crash', [file(pdf)]);
    const other = await start('general/rotate-pdf', [file(pdf)]);
    expect((await finished(other)).status).to.equal('succeeded');
    const record = await finished(crash);
    expect(record.status).to.equal('failed');
    expect(record.error).not.to.match(/SIGKILL|node_modules|\bat /);
  });

  it('really stop when they are cancelled', async () => {
    const id = await start('misc/unruly-slow', [
      file(pdf),
      field('ms', '60000'),
      field('deaf', 'true'),
      field('mark', mark),
    ]);
    await until('the work has begun', () => existsSync(mark) && readFileSync(mark, 'utf8') !== '');
    const worker = Number(readFileSync(mark, 'utf8'));
    const answer = await job(id, '', {}, 'DELETE');
    expect(answer.status).to.equal(200);
    expect(json(answer)).to.include({ wasQueued: false, queuePosition: 'n/a' });
    await until('the worker is gone', () => !isAlive(worker));
    expect(await finished(id)).to.include({ complete: true, status: 'cancelled' });
    expectProblem(await job(id, '/result'), 400, 'JOB_FAILED');
  });

  it('are deleted with their files once they are finished', async () => {
    const id = await start('general/rotate-pdf', [file(pdf), field('angle', '90')]);
    expect(await finished(id)).to.include({ complete: true, status: 'succeeded' });
    const { fileId } = json<{ files: { fileId: string }[] }>(await job(id, '/result/files')).files[0]!;
    expect((await send(`${server.url}${API}/general/files/${fileId}`)).status).to.equal(200);
    const answer = await job(id, '', {}, 'DELETE');
    expect(answer.status).to.equal(200);
    expect(json(answer)).to.deep.equal({
      message: 'Job and its files deleted',
      wasQueued: false,
      queuePosition: 'n/a',
    });
    for (const rest of ['', '/result', '/result/files']) expectProblem(await job(id, rest), 404, 'JOB_UNKNOWN');
    expect((await send(`${server.url}${API}/general/files/${fileId}`)).status).to.equal(404);
    expectProblem(await job(id, '', {}, 'DELETE'), 404, 'JOB_UNKNOWN');
  });

  it('report their place while queued, and can be cancelled there', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push(await start('misc/unruly-slow', [file(pdf), field('ms', '60000')]));
    await until(
      'two of them run',
      async () => (await Promise.all(ids.map(poll))).filter(({ status }) => status === 'running').length === 2,
    );
    const last = ids[3] ?? '';
    const waiting = json<Job & { queueInfo: { inQueue: boolean; position: number } }>(await job(last));
    expect(waiting.status).to.equal('queued');
    expect(waiting.queueInfo.inQueue).to.equal(true);
    expect(waiting.queueInfo.position).to.be.at.least(0);
    expect(json(await job(last, '', {}, 'DELETE'))).to.include({ wasQueued: true });
    for (const id of ids.slice(0, 3)) expect((await job(id, '', {}, 'DELETE')).status).to.equal(200);
    for (const id of ids) expect((await finished(id)).status).to.equal('cancelled');
  });

  it('stream their record until they are complete', async () => {
    const id = await start('misc/unruly-slow', [file(pdf), field('ms', '800')]);
    const stream = await job(id, '/events');
    expect(stream.status).to.equal(200);
    expect(stream.headers['content-type']).to.match(/^text\/event-stream/);
    const events = stream.body.toString('utf8').trim().split('\n\n');
    const last = events.at(-1) ?? '';
    expect(last).to.match(/^event: complete\ndata: /);
    const record = JSON.parse(last.split('data: ')[1] ?? '{}') as Job;
    expect(record).to.include({ jobId: id, complete: true, status: 'succeeded', progress: 100 });
  });

  it('continue when the client that follows their events disconnects', async () => {
    const id = await start('misc/unruly-slow', [file(pdf), field('ms', '800')]);
    const wire = (await Wire.open(server.url)).write(
      `GET ${API}/general/job/${id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    await until('the stream has begun', () => wire.status === 200);
    wire.close();
    expect((await finished(id)).status).to.equal('succeeded');
  });

  it('answer 404 when they are unknown, on every address', async () => {
    for (const id of ['nothing', '..', '%', 'a/b', '__proto__', 'constructor', "x' OR 1=1 --"]) {
      for (const rest of ['', '/result', '/result/files', '/events'])
        // Clients resolve "..", so this address is no longer one of a job.
        expectProblem(await job(id, rest), 404, id === '..' ? 'NOT_FOUND' : 'JOB_UNKNOWN');
    }
    expectProblem(await send(`${server.url}${API}/general/files/nothing`), 404, 'JOB_UNKNOWN');
    expectProblem(await send(`${server.url}${API}/general/files/nothing/metadata`), 404, 'JOB_UNKNOWN');
  });

  it('run pipelines, and show every file of the result', async () => {
    const pipeline = {
      pipeline: [
        { operation: `${API}/general/split-pages`, parameters: { pageNumbers: 'all' } },
        { operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 } },
      ],
    };
    const parts = [file(pdf, 'doc.pdf'), field('json', JSON.stringify(pipeline))];
    const direct = await tool('pipeline/handleData', parts);
    const id = await start('pipeline/handleData', parts);
    const record = await finished(id);
    expect(record.status, record.error ?? '').to.equal('succeeded');
    expect(record.allResultFiles).to.have.length(3);
    const result = await job(id, '/result');
    expect(result.headers['content-disposition']).to.equal(direct.headers['content-disposition']);
    expect(readZip(result.body).map(({ name }) => name)).to.deep.equal(readZip(direct.body).map(({ name }) => name));
  });

  it('run pipelines that filter everything out to an empty result', async () => {
    const pipeline = {
      pipeline: [{ operation: `${API}/filter/filter-page-count`, parameters: { pageCount: 9, comparator: 'Greater' } }],
    };
    const id = await start('pipeline/handleData', [file(pdf, 'doc.pdf'), field('json', JSON.stringify(pipeline))]);
    expect((await finished(id)).status).to.equal('succeeded');
    const result = await job(id, '/result');
    expect(result.status).to.equal(204);
    expect(result.headers['x-pipeline-report']).to.contain('doc.pdf');
  });

  it('name the step and the file when they fail inside a pipeline', async () => {
    const pipeline = {
      pipeline: [
        { operation: `${API}/misc/unruly-pause`, parameters: { ms: 1 } },
        { operation: `${API}/general/rotate-pdf`, parameters: {} },
      ],
    };
    const id = await start('pipeline/handleData', [
      file(Buffer.from('%PDF-1.7\nno more'), 'bad.pdf'),
      field('json', JSON.stringify(pipeline)),
    ]);
    const record = await finished(id);
    expect(record.status).to.equal('failed');
    expect(record.error).to.contain('bad.pdf').and.to.contain('general/rotate-pdf');
  });

  it('go through the branches of a pipeline, and stop in all of them', async () => {
    const each = { each: [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 } }] };
    const other = { operation: `${API}/misc/unruly-pause`, parameters: { ms: 1 } };
    const definition = JSON.stringify({ pipeline: [{ if: { fact: 'pages', above: 1 }, then: [each], else: [other] }] });
    const id = await start('pipeline/handleData', [file(pdf, 'doc.pdf'), field('json', definition)]);
    expect((await finished(id)).status).to.equal('succeeded');
    expect((await job(id, '/result')).headers['content-disposition']).to.include('doc.pdf');
    const slow = { operation: `${API}/misc/unruly-slow`, parameters: { ms: 60_000, mark } };
    const waiting = JSON.stringify({
      pipeline: [{ parallel: [[slow], [{ ...slow, onError: 'continue' }]], onError: 'skip' }],
    });
    const stopped = await start('pipeline/handleData', [file(pdf, 'doc.pdf'), field('json', waiting)]);
    await until('a step has begun', () => existsSync(mark));
    expect((await job(stopped, '', {}, 'DELETE')).status).to.equal(200);
    expect((await finished(stopped)).status).to.equal('cancelled');
  });

  it('return their result to several clients at once', async () => {
    const id = await start('general/split-pages', [file(pdf), field('pageNumbers', 'all')]);
    await finished(id);
    const results = await Promise.all(Array.from({ length: 6 }, () => job(id, '/result')));
    for (const result of results) expect(readZip(result.body)).to.have.length(3);
  });
});
