import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf, serverForTests } from '@quire/plugin-kit';
import { InputError, NotFoundError, Quire, QuireError, type PipelineDefinition } from '@quire/client';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { failure } from './failure.js';

describe('The TypeScript client', () => {
  const server = serverForTests();
  let quire: Quire;
  let folder: string;
  let pdf: Uint8Array;
  let path: string;

  before(async () => {
    quire = new Quire({ url: server.url });
    folder = await mkdtemp(join(tmpdir(), 'quire-client-'));
    pdf = await makePdf({ pages: 2 });
    path = join(folder, 'report.pdf');
    await writeFile(path, pdf);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const angleOf = async (bytes: Uint8Array): Promise<number> =>
    (await PDFDocument.load(bytes)).getPage(0).getRotation().angle;

  it('sends a file by its path and saves the result under the name that the server suggests', async () => {
    const result = await quire.rotatePdf(path, { angle: 90 });
    expect(result.name).to.equal('report_rotated.pdf');
    const target = join(folder, 'out');
    await mkdir(target);
    const saved = await result.save(target);
    expect(saved).to.equal(join(target, 'report_rotated.pdf'));
    expect(await angleOf(await readFile(saved))).to.equal(90);
    expect(await readdir(target)).to.deep.equal(['report_rotated.pdf']);
  });

  it('sends bytes, blobs, streams, and content with a name', async () => {
    const inputs = [
      pdf,
      new Blob([pdf as BlobPart]),
      new File([pdf as BlobPart], 'named.pdf'),
      new Blob([pdf as BlobPart]).stream(),
      createReadStream(path),
      { data: pdf, name: 'named.pdf' },
      { path, name: 'named.pdf' },
    ];
    const names: string[] = [];
    for (const input of inputs) names.push((await quire.rotatePdf(input)).name);
    const [usual, named] = ['document_rotated.pdf', 'named_rotated.pdf'];
    expect(names).to.deep.equal([usual, usual, named, usual, usual, named, named]);
  });

  it('sends several documents, and a result as the next input', async () => {
    const merged = await quire.mergePdfs([path, pdf, path]);
    const { pageCount } = await quire.countPages(merged);
    expect(pageCount).to.equal(6);
    expect((await PDFDocument.load(await merged.bytes())).getPageCount()).to.equal(6);
  });

  it('returns the content as a stream, which can be read once', async () => {
    const result = await quire.rotatePdf(path);
    const bytes = new Uint8Array(await new Response(result.stream()).arrayBuffer());
    expect(await angleOf(bytes)).to.equal(90);
    expect((await failure(() => result.bytes(), QuireError)).code).to.equal('RESULT_READ');
  });

  it('sends second files, lists and structures', async () => {
    const listed = await quire.addAttachments(path, { attachments: [path, { data: pdf, name: 'two.pdf' }] });
    expect(JSON.stringify(await quire.listAttachments(listed)))
      .to.contain('report.pdf')
      .and.to.contain('two.pdf');
    const assembled = await quire.assemblePages([path, pdf], { pages: [{ file: 1, page: 2 }] });
    expect((await quire.countPages(assembled)).pageCount).to.equal(1);
  });

  it('returns nothing for a document that a filter drops', async () => {
    expect(await quire.filterPageCount(path, { pageCount: 9, comparator: 'Greater' })).to.equal(undefined);
    expect((await quire.filterPageCount(path, { pageCount: 1, comparator: 'Greater' }))?.name).to.match(/\.pdf$/);
  });

  it('reports what the server did not use', async () => {
    const result = await quire.call('general/rotate-pdf', { path }, { angle: 90, colour: 'red' });
    expect(result?.ignored).to.deep.equal(['colour']);
  });

  it('calls operations and addresses that it does not know', async () => {
    const answer = await quire.call('/api/v1/analysis/page-count', pdf);
    expect(await answer?.json()).to.deep.equal({ pageCount: 2 });
    expect((await (await quire.request('/api/v1/info/status')).json()) as object).to.include({ status: 'UP' });
  });

  it('throws an error with code, pointer, hint and the id of the call for a wrong option', async () => {
    const error = await failure(() => quire.rotatePdf(path, { angle: 45 }), InputError);
    expect(error).to.include({ status: 400, code: 'INPUT_INVALID' });
    expect(error.errors.map(({ pointer }) => pointer)).to.deep.equal(['/angle']);
    expect(error.requestId).to.be.a('string');
    const unknown = await failure(() => quire.call('general/rotate-pfd', pdf), NotFoundError);
    expect(unknown.hint).to.contain('/api/v1/general/rotate-pdf');
  });

  it('names a file that it cannot open, and sends nothing', async () => {
    const missing = join(folder, 'missing.pdf');
    expect((await failure(() => quire.rotatePdf(missing), Error)).message).to.contain(missing);
    expect((await failure(() => quire.rotatePdf(folder), TypeError)).message).to.contain('is a folder');
    expect((await failure(() => quire.rotatePdf(7 as unknown as string), TypeError)).message).to.contain('7');
  });

  it('leaves no half-written file when a download breaks', async () => {
    const target = join(folder, 'broken');
    await mkdir(target);
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('connection lost')),
    });
    const broken = new Quire({ url: server.url, fetch: () => Promise.resolve(new Response(body)) });
    const result = await broken.rotatePdf(path);
    await failure(() => result.save(join(target, 'out.pdf')), Error);
    expect(await readdir(target)).to.deep.equal([]);
  });

  it('runs an operation as a job and follows its progress', async () => {
    const job = await quire.asJob.rotatePdf(path, { angle: 180 });
    const states: string[] = [];
    for await (const { status } of job) states.push(status);
    expect(states.at(-1)).to.equal('succeeded');
    const result = await job.result();
    expect([result.name, await angleOf(await result.bytes())]).to.deep.equal(['report_rotated.pdf', 180]);
    const [file] = await job.files();
    expect((await quire.jobs.file(file?.fileId ?? '')).name).to.equal('report_rotated.pdf');
    expect((await quire.jobs.list()).map(({ jobId }) => jobId)).to.contain(job.id);
    await job.cancel();
    await failure(() => quire.jobs.get(job.id).status(), NotFoundError);
  });

  it('returns the typed answer of a JSON operation from a job, and the error of a failed one', async () => {
    const counted = await quire.asJob.countPages(path);
    expect((await counted.result()).pageCount).to.equal(2);
    const broken = { data: new TextEncoder().encode('%PDF-'), name: 'a.pdf' };
    const failed = await quire.asJob.rotatePdf(broken);
    const [ofJob, ofCall] = [
      await failure(() => failed.result(), InputError),
      await failure(() => quire.rotatePdf(broken), InputError),
    ];
    const told = ({ code, status, message, errors, hint }: InputError): unknown[] => [
      code,
      status,
      message,
      errors,
      hint,
    ];
    expect(told(ofJob)).to.deep.equal(told(ofCall));
    const { error, failureCode, failureStatus } = await failed.status();
    expect([error, failureCode, failureStatus]).to.deep.equal([ofCall.message, ofCall.code, 400]);
  });

  it('checks a pipeline before it sends a document, and points to the step', async () => {
    const steps = quire.pipeline({ name: 'turn' }).rotatePdf({ angle: 90 }).compressPdf({ optimizeLevel: 12 });
    const missing = join(folder, 'missing.pdf');
    const error = await failure(() => steps.run(missing), InputError);
    expect(error.errors.map(({ pointer }) => pointer)).to.deep.equal(['/pipeline/1/parameters/optimizeLevel']);
  });

  it('knows branches in definitions, and their types', async () => {
    type IsDefinition<T> = T extends PipelineDefinition ? true : false;
    const turn = { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 }, onError: 'skip' } as const;
    const branching = {
      pipeline: [
        {
          if: { any: [{ fact: 'pages', above: 1 }, { not: { fact: 'kind', is: 'pdf' } }] },
          then: [turn, { parallel: [[turn], []] }],
          else: [{ each: [turn], name: '{{file.base}}-turned' }],
        },
      ],
    } as const;
    const fits: readonly [IsDefinition<typeof branching>, IsDefinition<{ pipeline: [typeof turn] }>] = [true, true];
    const refused: readonly [
      IsDefinition<{ pipeline: [{ if: { fact: 'pages'; above: true }; then: [] }] }>,
      IsDefinition<{ pipeline: [{ each: []; operation: 'x'; parameters: object }] }>,
      IsDefinition<{ pipeline: [{ parallel: [typeof turn] }] }>,
      IsDefinition<{ pipeline: [{ each: []; onError: 'again' }] }>,
    ] = [false, false, false, false];
    expect([...fits, ...refused]).to.deep.equal([true, true, false, false, false, false]);
    expect(await quire.pipeline(branching).check()).to.include({ valid: true });
  });

  it('runs a pipeline, at once and as a job', async () => {
    const steps = quire.pipeline().rotatePdf({ angle: 90 }).step('general/rotate-pdf', { angle: 90 });
    expect(await angleOf((await (await steps.run(path))?.bytes()) ?? new Uint8Array())).to.equal(180);
    const job = await steps.start([path, pdf]);
    expect((await job.result()).name).to.match(/\.zip$/);
  });

  it('refuses a step with a file of its own', () => {
    const add = (): unknown => quire.pipeline().addWatermark({ watermarkType: 'image', watermarkImage: path });
    expect(add).to.throw(QuireError, 'watermarkImage');
  });
});
