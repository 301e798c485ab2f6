import { expect } from 'chai';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makePdf } from '../../kit/make-pdf.js';
import { json, send } from '../support/client.js';
import { startServer, until, type TestServer } from '../support/server.js';

const step = (operation: string, parameters: object = {}): object => ({
  operation: `/api/v1/${operation}`,
  parameters,
});
const rotate = { name: 'turn', pipeline: [step('general/rotate-pdf', { angle: 90 })] };

/** A report beside an input, or on a folder. */
interface ScanReport {
  readonly takenAt: string;
  readonly attempts: number;
  readonly outputs: readonly string[];
  readonly error?: object;
  readonly problem?: string;
  readonly errors?: readonly object[];
}

describe('Watched folders', () => {
  let server: TestServer;
  let base: string;
  let elsewhere: string;
  let pdf: Uint8Array;
  const settle = { settleTimeMillis: 300, sizeCheckDelayMillis: 100 };

  before(async () => {
    [base, elsewhere] = [
      await mkdtemp(join(tmpdir(), 'quire-watched-')),
      await mkdtemp(join(tmpdir(), 'quire-elsewhere-')),
    ];
    pdf = await makePdf({ pages: 2 });
    server = await startServer(
      {
        limits: { workers: 2 },
        autoPipeline: { sweepSeconds: 1, fileReadiness: settle },
        policies: { allowedFolderRoots: [join(base, 'allowed')] },
      },
      base,
    );
  });
  after(async () => {
    await server.stop();
    for (const folder of [base, elsewhere]) await rm(folder, { recursive: true, force: true });
  });

  const root = (...way: string[]): string => join(base, 'pipeline', 'watchedFolders', ...way);
  const finished = (...way: string[]): string => join(base, 'pipeline', 'finishedFolders', ...way);
  const list = async (folder: string): Promise<string[]> => (await readdir(folder).catch(() => [])).sort();
  const report = async (path: string): Promise<ScanReport> => JSON.parse(await readFile(path, 'utf8')) as ScanReport;
  const problem = async (name: string): Promise<string | undefined> =>
    (await report(root(name, '_folder-problem.json')).catch(() => undefined))?.problem;

  /** Creates a watched folder with this pipeline and these files, and returns its path. */
  async function folder(
    name: string,
    definition: object | string | undefined,
    files: Readonly<Record<string, Uint8Array | string>> = {},
  ): Promise<string> {
    await mkdir(root(name), { recursive: true });
    if (definition !== undefined)
      await writeFile(
        root(name, 'pipeline.json'),
        typeof definition === 'string' ? definition : JSON.stringify(definition),
      );
    for (const [file, bytes] of Object.entries(files)) await writeFile(root(name, file), bytes);
    return root(name);
  }

  it('write outputs to the finished folder, and move inputs to done or failed with a report', async () => {
    await folder('plain', rotate, {
      'good.pdf': pdf,
      'bad.pdf': '%PDF-1.4 and nothing more',
      'picture.pdf': Buffer.from('89504e470d0a1a0a', 'hex'),
      'notes.txt': 'left alone',
      '.hidden.pdf': pdf,
      'coming.pdf.part': pdf,
    });
    await until(
      'all have ended',
      async () =>
        (await list(root('plain', 'failed'))).length === 4 && (await list(root('plain', 'done'))).length === 2,
    );
    expect(await list(finished('plain'))).to.deep.equal(['good.pdf']);
    expect(await list(root('plain'))).to.deep.equal([
      '.hidden.pdf',
      'coming.pdf.part',
      'done',
      'failed',
      'notes.txt',
      'pipeline.json',
      'processing',
    ]);
    expect(await report(root('plain', 'done', 'good.pdf.report.json'))).to.deep.include({
      status: 'done',
      input: 'good.pdf',
      bytes: pdf.length,
      outputs: [finished('plain', 'good.pdf')],
      attempts: 1,
      pipeline: { file: 'pipeline.json', name: 'turn' },
    });
    expect((await report(root('plain', 'failed', 'bad.pdf.report.json'))).error).to.deep.include({
      code: 'PDF_DAMAGED',
      status: 400,
      step: { index: 0, operation: '/api/v1/general/rotate-pdf' },
    });
    expect((await report(root('plain', 'failed', 'picture.pdf.report.json'))).error).to.deep.include({
      code: 'INPUT_KIND',
      status: 415,
    });
    expect(await readFile(root('plain', 'done', 'good.pdf')), 'the input is unchanged').to.deep.equal(Buffer.from(pdf));
  });

  it('run existing pipelines: exported names, placeholders, several outputs, numbers for used names', async () => {
    const exported = {
      ...rotate,
      name: 'old',
      pipeline: [
        { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90, fileInput: 'automated' } },
        step('general/split-pages', { pageNumbers: 'all' }),
      ],
      outputDir: '{outputFolder}/{folderName}',
      outputFileName: '{filename}-{pipelineName}-{date}',
    };
    await mkdir(root('a', 'b'), { recursive: true });
    await writeFile(root('a', 'b', 'x.folder-scan.json'), `\ufeff${JSON.stringify(exported)}`);
    await writeFile(root('a', 'b', 'two.pdf'), pdf);
    await until('it has ended', async () => (await list(root('a', 'b', 'done'))).length === 2);
    const place = finished(base.slice(1), 'pipeline', 'a', 'b');
    const first = await list(place);
    expect(first).to.have.length(2);
    for (const name of first) expect(name).to.match(/^two.*-old-\d{8}\.pdf$/);
    await writeFile(root('a', 'b', 'two.pdf'), pdf);
    await until('the second has ended', async () => (await list(root('a', 'b', 'done'))).length === 4);
    expect(await list(place)).to.deep.equal([...first, ...first.map((name) => name.replace('.pdf', '(1).pdf'))].sort());
    expect(await list(root('a', 'b', 'done'))).to.include.members(['two.pdf', 'two(1).pdf', 'two(1).pdf.report.json']);
  });

  it('pass all files of a batch to a step that combines them, without unreadable ones', async () => {
    await folder(
      'merge',
      { pipeline: [step('general/merge-pdfs')], outputFileName: 'all' },
      { '10.pdf': pdf, '9.pdf': pdf, 'broken.pdf': '%PDF-1.4 broken' },
    );
    await until(
      'all have ended',
      async () =>
        (await list(root('merge', 'done'))).length === 4 && (await list(root('merge', 'failed'))).length === 2,
    );
    expect(await list(finished('merge'))).to.deep.equal(['all.pdf']);
    expect(await report(root('merge', 'done', '9.pdf.report.json'))).to.deep.include({ together: ['10.pdf'] });
  });

  it('branch, and go on without a file that a step may skip', async () => {
    const turned = { ...step('general/rotate-pdf', { angle: 90 }), name: '{{file.base}}-turned', onError: 'skip' };
    const name = { fact: 'name', is: 'note.txt' };
    await folder(
      'branching',
      {
        name: 'branching',
        pipeline: [
          { if: name, then: [step('filter/filter-file-size', { fileSize: 0, comparator: 'Greater' })], else: [turned] },
        ],
      },
      { 'good.pdf': pdf, 'bad.pdf': '%PDF-1.4 and nothing more', 'note.txt': 'a note' },
    );
    await until('all are done', async () => (await list(root('branching', 'done'))).length === 6);
    expect(await list(finished('branching'))).to.deep.equal(['good-turned.pdf', 'note.txt']);
    const left = (await report(root('branching', 'done', 'bad.pdf.report.json'))) as { dropped?: readonly object[] };
    expect(left.dropped?.[0]).to.deep.include({ reason: 'error', code: 'PDF_DAMAGED', pointer: '/pipeline/0/else/0' });
  });

  it('process a slowly written file when it is complete, and one with a time in the future', async () => {
    await folder('slow', rotate);
    const path = root('slow', 'slow.pdf');
    for (let at = 0; at < pdf.length; at += Math.ceil(pdf.length / 6)) {
      await appendFile(path, pdf.subarray(at, at + Math.ceil(pdf.length / 6)));
      await delay(120);
    }
    await writeFile(root('slow', 'future.pdf'), pdf);
    const future = new Date(Date.now() + 365 * 86_400_000);
    await utimes(root('slow', 'future.pdf'), future, future);
    await until('both are done', async () => (await list(root('slow', 'done'))).length === 4);
    expect(await list(root('slow', 'failed'))).to.deep.equal([]);
  });

  it('start when a file has settled', async () => {
    await folder('quick', rotate);
    await delay(1200);
    const before = Date.now();
    await writeFile(root('quick', 'x.pdf'), pdf);
    await until('it is done', async () => (await list(root('quick', 'done'))).length === 2);
    const { takenAt } = await report(root('quick', 'done', 'x.pdf.report.json'));
    expect(Date.parse(takenAt) - before).to.be.at.least(300);
  });

  it('report a faulty folder, leave its files alone, and continue when it is corrected', async () => {
    const cases: readonly [string, object | string | undefined, string][] = [
      ['none', undefined, 'no-pipeline'],
      ['broken', '{"pipeline": [', 'pipeline-invalid'],
      ['list', '[]', 'pipeline-invalid'],
      ['unknown', { pipeline: [step('general/rotate-pfd')] }, 'pipeline-invalid'],
      ['typed', { ...rotate, outputDir: 7 }, 'pipeline-invalid'],
      ['outside', { ...rotate, outputDir: '/etc' }, 'output-refused'],
      ['linked', { ...rotate, outputDir: '{outputFolder}/link' }, 'output-refused'],
    ];
    await mkdir(finished(), { recursive: true });
    await symlink(elsewhere, finished('link'));
    for (const [name, definition] of cases) await folder(name, definition, { 'x.pdf': pdf });
    await folder('two', rotate, { 'x.pdf': pdf, 'second.json': JSON.stringify(rotate) });
    for (const [name, , kind] of [...cases, ['two', '', 'several-pipelines'] as const]) {
      await until(`${name} is reported`, async () => (await problem(name)) === kind);
      const where = await list(root(name));
      expect(
        where.includes('x.pdf') || (await list(root(name, 'processing'))).some((entry) => entry.startsWith('run-')),
        name,
      ).to.equal(true);
    }
    expect(await list(elsewhere)).to.deep.equal([]);
    expect((await report(root('unknown', '_folder-problem.json'))).errors?.[0]).to.deep.include({
      pointer: '/pipeline/0/operation',
    });
    for (const name of ['none', 'broken', 'outside', 'linked', 'two'])
      await writeFile(root(name, 'pipeline.json'), JSON.stringify(rotate));
    await rm(root('two', 'second.json'));
    for (const name of ['none', 'broken', 'outside', 'linked', 'two']) {
      await until(`${name} is done`, async () => (await list(root(name, 'done'))).length === 2);
      await until(`nothing is wrong with ${name}`, async () => (await problem(name)) === undefined);
    }
  });

  it('keep files waiting while outputs cannot be written, and fail none for it', async () => {
    await mkdir(finished(), { recursive: true });
    await writeFile(finished('blocked'), 'a file where the folder should be');
    await folder('blocked', rotate, { 'x.pdf': pdf, 'y.pdf': pdf });
    await until('it is reported', async () => (await problem('blocked')) === 'unreadable');
    expect([await list(root('blocked', 'failed')), await list(root('blocked', 'done'))]).to.deep.equal([[], []]);
    await rm(finished('blocked'));
    await until('both are done', async () => (await list(root('blocked', 'done'))).length === 4);
    expect([await list(finished('blocked')), await problem('blocked')]).to.deep.equal([['x.pdf', 'y.pdf'], undefined]);
  });

  it('accept hostile names, and no links', async () => {
    await writeFile(join(elsewhere, 'secret.pdf'), pdf);
    const names = [
      'line\nbreak.pdf',
      `${'n'.repeat(251)}.pdf`,
      '..pdf..pdf',
      '$(touch x);.pdf',
      'größe 文書.pdf',
      '-rf.pdf',
    ].filter((name) => !name.startsWith('.'));
    await folder('names', rotate, Object.fromEntries(names.map((name) => [name, pdf])));
    await writeFile(
      Buffer.concat([Buffer.from(`${root('names')}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.pdf')]),
      pdf,
    );
    await symlink(join(elsewhere, 'secret.pdf'), root('names', 'link.pdf'));
    await symlink(elsewhere, root('names', 'sub'));
    await until('all are done', async () => (await list(root('names', 'done'))).length === 2 * (names.length + 1));
    expect(await list(root('names', 'done'))).to.include.members([...names, '__.pdf']);
    expect(await list(root('names'))).to.include('link.pdf');
    expect(await list(elsewhere)).to.deep.equal(['secret.pdf']);
  });

  it('follow folder links only inside the root, and write where the operator allows it', async () => {
    await mkdir(join(elsewhere, 'in'));
    await writeFile(join(elsewhere, 'in', 'p.json'), JSON.stringify(rotate));
    await writeFile(join(elsewhere, 'in', 'x.pdf'), pdf);
    await symlink(join(elsewhere, 'in'), root('away'));
    await folder('target', { ...rotate, outputDir: join(base, 'allowed', 'here') }, { 'x.pdf': pdf });
    await symlink(root('target'), root('again'));
    await until('it is done', async () => (await list(root('target', 'done'))).length === 2);
    expect(await list(join(base, 'allowed', 'here'))).to.deep.equal(['x.pdf']);
    expect(await list(join(elsewhere, 'in'))).to.deep.equal(['p.json', 'x.pdf']);
  });

  it('recover files that an earlier server left in processing, and ignore their own folders', async () => {
    await folder('left', rotate);
    for (const own of ['processing', 'done', 'failed', 'error']) await mkdir(root('left', own), { recursive: true });
    await writeFile(root('left', 'processing', 'old.pdf'), pdf);
    await writeFile(root('left', 'error', 'pipeline.json'), JSON.stringify(rotate));
    await writeFile(root('left', 'error', 'x.pdf'), pdf);
    await until('it is done', async () => (await list(root('left', 'done'))).length === 2);
    expect([await list(root('left', 'error')), await list(root('left', 'done'))]).to.deep.equal([
      ['pipeline.json', 'x.pdf'],
      ['old.pdf', 'old.pdf.report.json'],
    ]);
  });

  it('tolerate a folder that disappears and returns, and a file that vanishes', async () => {
    const path = await folder('gone', rotate, { 'x.pdf': pdf });
    await rename(path, join(elsewhere, 'gone'));
    await delay(1200);
    await rename(join(elsewhere, 'gone'), path);
    await until('it is done', async () => (await list(root('gone', 'done'))).length === 2);
    await writeFile(root('gone', 'y.pdf'), pdf);
    await rm(root('gone', 'y.pdf'));
    await writeFile(root('gone', 'z.pdf'), pdf);
    await until('the other is done', async () => (await list(root('gone', 'done'))).length === 4);
  });

  it('keep saved pipelines of the web tool in the list', async () => {
    const answer = async (): Promise<unknown> =>
      json(await send(`${server.url}/api/v1/ui-data/pipeline`, { method: 'GET' }));
    expect(await answer()).to.deep.equal({
      pipelineConfigsWithNames: [{ json: '', name: 'No preloaded configs found' }],
      pipelineConfigs: [],
    });
    const text = '{ "name": "Tidy", "pipeline": [] }\n';
    await mkdir(join(base, 'pipeline', 'defaultWebUIConfigs', 'deep'), { recursive: true });
    await writeFile(join(base, 'pipeline', 'defaultWebUIConfigs', 'tidy.json'), text);
    await writeFile(join(base, 'pipeline', 'defaultWebUIConfigs', 'deep', 'broken one.json'), '{');
    expect(await answer()).to.deep.equal({
      pipelineConfigsWithNames: [
        { json: '{', name: 'broken one' },
        { json: text, name: 'Tidy' },
      ],
      pipelineConfigs: ['{', text],
    });
  });
});
