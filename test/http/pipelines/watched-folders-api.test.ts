import { expect } from 'chai';
import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { startServer, until, type TestServer } from '../support/server.js';
import {
  failedOf,
  folderOf,
  foldersOf,
  quickScan,
  rotate,
  runsOf,
  type ShownFolder,
} from '../support/watched-folders.js';

/** Removes the only page of a document, which no document survives. */
const removeAll = { pipeline: [{ operation: '/api/v1/general/remove-pages', parameters: { pageNumbers: '1' } }] };
const merge = { pipeline: [{ operation: '/api/v1/general/merge-pdfs', parameters: {} }] };
const damaged = '%PDF-1.4 and nothing more';

describe('The API of watched folders', () => {
  let server: TestServer;
  let base: string;
  let pdf: Uint8Array;

  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-folders-api-'));
    pdf = await makePdf({ pages: 1 });
    server = await startServer({ limits: { workers: 2 }, ...quickScan }, base);
  });
  after(async () => {
    await server.stop();
    await rm(base, { recursive: true, force: true });
  });

  const root = (...way: string[]): string => join(base, 'pipeline', 'watchedFolders', ...way);
  const finished = (...way: string[]): string => join(base, 'pipeline', 'finishedFolders', ...way);
  const list = async (folder: string): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.')).sort();
  const call = (path: string, method = 'GET'): Promise<Answer> =>
    send(`${server.url}/api/v1/admin/watched-folders${path}`, { method });

  async function folder(name: string, definition: object, files: Readonly<Record<string, Uint8Array | string>>) {
    await mkdir(root(name), { recursive: true });
    await writeFile(root(name, 'pipeline.json'), JSON.stringify(definition));
    for (const [file, bytes] of Object.entries(files)) await writeFile(root(name, file), bytes);
  }

  /** Waits until the folder is listed with what `holds` wants. */
  async function shown(path: string, holds: (folder: ShownFolder) => boolean): Promise<ShownFolder> {
    let found: ShownFolder | undefined;
    await until(`${path} is listed as expected: ${JSON.stringify(found)}`, async () => {
      found = await folderOf(server, path);
      return found !== undefined && holds(found);
    });
    return found as ShownFolder;
  }

  it('lists folders with state, pipeline, numbers and last run, and no absolute path', async () => {
    await folder('in/list', { ...rotate, name: 'turn' }, { 'good.pdf': pdf, 'bad.pdf': damaged });
    const found = await shown('in/list', ({ done, failed, state }) => done + failed === 2 && state === 'watching');
    expect(found).to.deep.include({
      root: null,
      running: 0,
      waiting: 0,
      pipeline: { file: 'pipeline.json', name: 'turn' },
      problem: null,
      done: 1,
      failed: 1,
      doneToday: 1,
      failedToday: 1,
      failedFiles: 1,
    });
    expect(found.lastRun?.outcome).to.be.oneOf(['done', 'failed']);
    const answer = await call('');
    expect(json(answer)['roots']).to.deep.equal([{ path: 'pipeline/watchedFolders', inBase: true }]);
    expect(answer.body.toString()).not.to.include(base);
  });

  it('lists runs with files, results and reasons, newest first and in pages', async () => {
    await folder('in/runs', { ...rotate, outputFileName: '{filename}-turned' }, { 'a.pdf': pdf });
    await shown('in/runs', ({ done }) => done === 1);
    await writeFile(root('in/runs', 'b.pdf'), damaged);
    const { id } = await shown('in/runs', ({ failed }) => failed === 1);
    const { runs, next } = await runsOf(server, id, '?limit=1');
    expect(runs).to.have.length(1);
    expect(runs[0]).to.deep.include({ outcome: 'failed', fileCount: 1, outputs: [], attempts: 1, retry: false });
    expect(runs[0]?.files[0]).to.deep.include({ name: 'b.pdf', status: 'failed', keptAs: 'failed/b.pdf' });
    expect(runs[0]?.files[0]?.error).to.include({ code: 'PDF_DAMAGED', status: 400 });
    const older = await runsOf(server, id, `?limit=1&before=${next ?? ''}`);
    expect(older.next).to.equal(null);
    expect(older.runs[0]).to.deep.include({ outcome: 'done', outputs: ['in/runs/a-turned.pdf'] });
    expect(older.runs[0]?.files[0]).to.deep.equal({
      name: 'a.pdf',
      bytes: pdf.length,
      status: 'done',
      keptAs: 'done/a.pdf',
    });
    expect((await runsOf(server, id, '?outcome=failed')).runs).to.have.length(1);
    expect((await call(`/${id}/runs`)).body.toString()).not.to.include(base);
    expectProblem(await call(`/${id}/runs?limit=0`), 400, 'INPUT_INVALID');
    expectProblem(await call('/nowhere/runs'), 404, 'WATCHED_FOLDER_UNKNOWN');
  });

  it('says what is wrong with a pipeline and where, until it is corrected', async () => {
    await folder('in/wrong', { pipeline: [{ operation: '/api/v1/general/rotate', parameters: {} }] }, { 'a.pdf': pdf });
    const wrong = await shown('in/wrong', ({ problem }) => problem !== null);
    expect(wrong).to.deep.include({
      state: 'problem',
      waiting: 1,
      pipeline: { file: 'pipeline.json', name: 'pipeline' },
    });
    expect(wrong.problem).to.include({ kind: 'pipeline-invalid' });
    expect(wrong.problem?.errors.map(({ pointer }) => pointer)).to.deep.equal(['/pipeline/0/operation']);
    await writeFile(root('in/wrong', 'pipeline.json'), JSON.stringify(rotate));
    await shown('in/wrong', ({ problem, done }) => problem === null && done === 1);
    // The server may still be tidying up after the run.
    await rm(root('in/wrong'), { recursive: true, maxRetries: 5 });
    await until('the folder is gone', async () => (await folderOf(server, 'in/wrong')) === undefined);
    expectProblem(await call(`/${wrong.id}`), 404, 'WATCHED_FOLDER_UNKNOWN');
  });

  it('shows the pipeline of a folder without passwords', async () => {
    await folder(
      'in/secret',
      {
        pipeline: [
          { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
          { operation: '/api/v1/security/add-password', parameters: { password: 'open-sesame', keyLength: 256 } },
        ],
      },
      {},
    );
    const { id } = await shown('in/secret', () => true);
    const answer = await call(`/${id}`);
    expect(answer.body.toString()).not.to.include('open-sesame');
    expect(json(answer)['definition']).to.deep.equal({
      file: 'pipeline.json',
      name: 'pipeline',
      pipeline: [
        { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
        { operation: '/api/v1/security/add-password', parameters: { keyLength: 256 } },
      ],
      hidden: ['/pipeline/1/parameters/password'],
    });
  });

  describe('with failed files', () => {
    /** A folder with one failed file; returns the folder's id and the file's. */
    async function failing(path: string, name = 'a.pdf'): Promise<{ readonly id: string; readonly file: string }> {
      await folder(path, removeAll, { [name]: pdf });
      const { id } = await shown(path, ({ failedFiles }) => failedFiles === 1);
      const { files } = await failedOf(server, id);
      return { id, file: files[0]?.id ?? '' };
    }

    it('lists them with the reason and the place, and processes one again once the pipeline is corrected', async () => {
      const { id, file } = await failing('in/retry');
      const { files, total } = await failedOf(server, id);
      expect(total).to.equal(1);
      expect(files[0]).to.deep.include({ name: 'a.pdf', keptAs: 'failed/a.pdf', bytes: pdf.length, here: true });
      expect(files[0]?.error.detail).to.match(/page/);
      await writeFile(root('in/retry', 'pipeline.json'), JSON.stringify(rotate));
      // A new file with the name of the failed one arrives at the same time.
      await writeFile(root('in/retry', 'a.pdf'), pdf);
      const answer = await call(`/${id}/failed/${file}/retry`, 'POST');
      expect(json(answer), answer.body.toString()).to.deep.equal({ retried: [file], gone: [], left: 0 });
      expect(await list(root('in/retry', 'failed'))).to.deep.equal([]);
      await shown('in/retry', ({ done }) => done === 2);
      expect(await list(finished('in/retry'))).to.deep.equal(['a(1).pdf', 'a.pdf']);
      expect(await list(root('in/retry', 'done'))).to.have.length(4);
      expect((await runsOf(server, id)).runs.map(({ outcome, retry }) => [outcome, retry])).to.have.deep.members([
        ['failed', false],
        ['done', true],
        ['done', false],
      ]);
      expectProblem(await call(`/${id}/failed/${file}/retry`, 'POST'), 404, 'FAILED_FILE_UNKNOWN');
    });

    it('lists one again that fails again', async () => {
      const { id, file } = await failing('in/again');
      await call(`/${id}/failed/${file}/retry`, 'POST');
      await shown('in/again', ({ failed, failedFiles }) => failed === 2 && failedFiles === 1);
      expect((await failedOf(server, id)).files.map(({ keptAs }) => keptAs)).to.deep.equal(['failed/a.pdf']);
      expect(await list(root('in/again', 'failed'))).to.deep.equal(['a.pdf', 'a.pdf.report.json']);
    });

    it('processes a file once, however many ask at the same time', async () => {
      const { id, file } = await failing('in/once');
      await writeFile(root('in/once', 'pipeline.json'), JSON.stringify(rotate));
      const answers = await Promise.all(Array.from({ length: 8 }, () => call(`/${id}/failed/${file}/retry`, 'POST')));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 404 || status === 410)).to.have.length(7);
      await shown('in/once', ({ done, state }) => done === 1 && state === 'watching');
      expect(await list(finished('in/once'))).to.deep.equal(['a.pdf']);
      await until('no run is left', async () => (await list(root('in/once', 'processing'))).length === 0);
    });

    it('answers 410 for one that was moved away, also when another file has its name, and forgets it', async () => {
      const { id, file } = await failing('in/gone');
      await rename(root('in/gone', 'failed', 'a.pdf'), join(base, 'taken-away.pdf'));
      const gone = expectProblem(await call(`/${id}/failed/${file}/retry`, 'POST'), 410, 'FAILED_FILE_GONE');
      expect(gone.detail).to.include('"a.pdf" is no longer at failed/a.pdf');
      expect((await failedOf(server, id)).files[0]).to.include({ here: false });
      await writeFile(root('in/gone', 'failed', 'a.pdf'), 'another file');
      expectProblem(await call(`/${id}/failed/${file}/retry`, 'POST'), 410, 'FAILED_FILE_GONE');
      expect(json(await call(`/${id}/failed/retry`, 'POST'))).to.deep.equal({ retried: [], gone: ['a.pdf'], left: 1 });
      expect((await call(`/${id}/failed/${file}`, 'DELETE')).status).to.equal(200);
      expectProblem(await call(`/${id}/failed/${file}`, 'DELETE'), 404, 'FAILED_FILE_UNKNOWN');
      expect((await failedOf(server, id)).total).to.equal(0);
      expect(await readFile(root('in/gone', 'failed', 'a.pdf'), 'utf8')).to.equal('another file');
    });

    it('moves nothing from where a link in the place of the folder for failed files points', async () => {
      const { id, file } = await failing('in/linked');
      const elsewhere = await mkdtemp(join(tmpdir(), 'quire-elsewhere-'));
      await rename(root('in/linked', 'failed'), join(elsewhere, 'failed'));
      await symlink(join(elsewhere, 'failed'), root('in/linked', 'failed'));
      expectProblem(await call(`/${id}/failed/${file}/retry`, 'POST'), 410, 'FAILED_FILE_GONE');
      expect(await list(join(elsewhere, 'failed'))).to.include('a.pdf');
      await unlink(root('in/linked', 'failed'));
      await rm(elsewhere, { recursive: true });
    });

    it('processes files that failed together in one run again', async () => {
      await folder('in/merge', merge, { '1.pdf': damaged, '2.pdf': damaged });
      const { id } = await shown('in/merge', ({ failedFiles }) => failedFiles === 2);
      const { run = '' } = (await failedOf(server, id)).files[0] ?? {};
      expect(json(await call(`/${id}/failed/retry?run=another`, 'POST'))).to.deep.include({ retried: [], left: 0 });
      expect(json(await call(`/${id}/failed/retry?run=${run}`, 'POST'))).to.deep.include({ gone: [], left: 0 });
      await shown('in/merge', ({ failed }) => failed === 4);
      const { runs } = await runsOf(server, id);
      expect(runs[0]).to.deep.include({ outcome: 'failed', fileCount: 2, retry: true });
      expect(runs[0]?.files.map(({ name }) => name)).to.deep.equal(['1.pdf', '2.pdf']);
    });

    it('keeps everything over a restart', async () => {
      const { id, file } = await failing('in/restart');
      await server.stop();
      server = await startServer({ limits: { workers: 2 }, ...quickScan }, base);
      await shown('in/restart', ({ failed, failedFiles }) => failed === 1 && failedFiles === 1);
      expect((await runsOf(server, id)).runs).to.have.length(1);
      await writeFile(root('in/restart', 'pipeline.json'), JSON.stringify(rotate));
      expect((await call(`/${id}/failed/${file}/retry`, 'POST')).status).to.equal(200);
      await shown('in/restart', ({ done }) => done === 1);
    });

    it('does not lose one whose server died between claiming it and starting its run', async () => {
      const { id, file } = await failing('in/crash');
      await writeFile(root('in/crash', 'pipeline.json'), JSON.stringify(rotate));
      await server.stop();
      // The state after such a death: the file is in its new run, and its entry is still in the store.
      const run = root('in/crash', 'processing', 'run-crashed');
      await mkdir(join(run, 'in'), { recursive: true });
      await link(root('in/crash', 'failed', 'a.pdf'), join(run, 'in', 'a.pdf'));
      await unlink(root('in/crash', 'failed', 'a.pdf'));
      const { size, mtimeNs } = await lstat(join(run, 'in', 'a.pdf'), { bigint: true });
      await writeFile(
        join(run, 'run.json'),
        JSON.stringify({
          version: 1,
          id: 'crashed',
          takenAt: new Date().toISOString(),
          attempts: 0,
          inputs: [{ name: 'a.pdf', mark: `${size}:${mtimeNs}` }],
          places: [],
          retryOf: [file],
        }),
      );
      server = await startServer({ limits: { workers: 2 }, ...quickScan }, base);
      await shown('in/crash', ({ done, failedFiles }) => done === 1 && failedFiles === 0);
      expectProblem(await call(`/${id}/failed/${file}`, 'DELETE'), 404, 'FAILED_FILE_UNKNOWN');
    });
  });

  it('streams the list when a folder changes', async () => {
    const stop = new AbortController();
    const response = await fetch(`${server.url}/api/v1/admin/watched-folders/events`, { signal: stop.signal });
    expect(response.headers.get('content-type')).to.include('text/event-stream');
    let text = '';
    const read = (async () => {
      for await (const part of response.body ?? []) text += Buffer.from(part).toString();
    })().catch(() => undefined);
    await until('the list arrives', () => text.includes('data: '));
    await folder('in/streamed', rotate, { 'a.pdf': pdf });
    await until('the folder is in an event', () => text.includes('"in/streamed"'));
    await until('its end is in an event', () => /"in\/streamed"[^}]*\}[^}]*"done":1/.test(text));
    stop.abort();
    await read;
  });

  it('finds every folder through pages', async () => {
    const first = await foldersOf(server, '?limit=2');
    expect(first.folders).to.have.length(2);
    const second = await foldersOf(server, `?limit=2000&after=${first.next ?? ''}`);
    const all = await foldersOf(server);
    expect([...first.folders, ...second.folders].map(({ path }) => path)).to.deep.equal(
      all.folders.map(({ path }) => path),
    );
  });
});

describe('The API of watched folders that are off', () => {
  it('names the setting that turns them on', async () => {
    const server = await startServer({ autoPipeline: { enabled: false } });
    try {
      for (const path of ['', '/events', '/x', '/x/runs', '/x/failed']) {
        const answer = await send(`${server.url}/api/v1/admin/watched-folders${path}`);
        expect(expectProblem(answer, 403, 'FEATURE_OFF').detail).to.include('autoPipeline.enabled');
      }
    } finally {
      await server.stop();
    }
  });
});
