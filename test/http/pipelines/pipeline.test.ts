import { expect } from 'chai';
import { readZip } from '../../kit/read-zip.js';
import { expectProblem, json, pointers, type Problem } from '../support/client.js';
import { API, definitionOf, step, usePipelines, withMorePages } from '../support/pipelines.js';

describe('Pipelines', () => {
  const pipelines = usePipelines();

  it('return a single file unpacked', async () => {
    const answer = await pipelines.run(definitionOf([step('general/rotate-pdf', { angle: 90 })]));
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/octet-stream');
    expect(answer.headers['content-disposition']).to.contain('filename="one.pdf"');
    expect(answer.headers['content-length']).to.equal(String(answer.body.length));
    expect(answer.body.toString('latin1', 0, 5)).to.equal('%PDF-');
  });

  it('return several files as a zip with unique names, in order', async () => {
    const answer = await pipelines.run(definitionOf([step('general/rotate-pdf')]), [
      [pipelines.one, 'a.pdf'],
      [pipelines.three, 'a.pdf'],
      [pipelines.one, 'b.pdf'],
      [pipelines.one, 'A.pdf'],
    ]);
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/octet-stream');
    expect(answer.headers['content-disposition']).to.contain('filename="output.zip"');
    expect((await readZip(answer.body)).map(({ name }) => name)).to.deep.equal([
      'a.pdf',
      'a(1).pdf',
      'b.pdf',
      'A(2).pdf',
    ]);
    const asZip = await pipelines.run(
      definitionOf([step('general/rotate-pdf')]),
      [
        [pipelines.one, 'a.pdf'],
        [pipelines.three, 'b.pdf'],
      ],
      { accept: 'application/zip' },
    );
    expect(asZip.headers['content-type']).to.equal('application/zip');
  });

  it('merge and split files between steps', async () => {
    const answer = await pipelines.run(
      definitionOf([
        step('general/merge-pdfs'),
        step('general/split-pages', { pageNumbers: '1' }),
        step('general/rotate-pdf', { angle: 180 }),
      ]),
      [
        [pipelines.three, 'first.pdf'],
        [pipelines.one, 'second.pdf'],
      ],
    );
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    expect(await readZip(answer.body)).to.have.length(2);
  });

  it('may contain the same operation more than once', async () => {
    const rotate = step('general/rotate-pdf', { angle: 90 });
    expect((await pipelines.run(definitionOf([rotate, rotate, rotate]))).status).to.equal(200);
  });

  it('drop the files that a filter rejects, and report it', async () => {
    const answer = await pipelines.run(definitionOf([withMorePages(2), step('general/rotate-pdf')]), [
      [pipelines.one, 'one.pdf'],
      [pipelines.three, 'three.pdf'],
    ]);
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-disposition']).to.contain('three.pdf');
    expect(JSON.parse(String(answer.headers['x-pipeline-report']))).to.deep.equal({
      files: 1,
      dropped: [{ file: 'one.pdf', step: 0, operation: `${API}/filter/filter-page-count`, reason: 'filter' }],
    });
  });

  it('answer 204 with a report when every file was filtered out', async () => {
    const answer = await pipelines.run(definitionOf([withMorePages(7), step('general/rotate-pdf')]), [
      [pipelines.one, 'résumé.pdf'],
      [pipelines.three, 'three.pdf'],
    ]);
    expect(answer.status).to.equal(204);
    expect(answer.body).to.have.length(0);
    const report = JSON.parse(String(answer.headers['x-pipeline-report'])) as {
      files: number;
      dropped: { file: string }[];
    };
    expect(report.files).to.equal(0);
    expect(report.dropped.map((dropped) => dropped.file)).to.deep.equal(['résumé.pdf', 'three.pdf']);
  });

  it('drop files of a type that the first step does not accept', async () => {
    const answer = await pipelines.run(definitionOf([step('general/rotate-pdf')]), [
      [Buffer.from('text'), 'notes.txt'],
      [pipelines.one, 'one.pdf'],
    ]);
    expect(answer.status).to.equal(200);
    expect(JSON.parse(String(answer.headers['x-pipeline-report']))).to.deep.include({
      dropped: [{ file: 'notes.txt', step: 0, operation: `${API}/general/rotate-pdf`, reason: 'kind' }],
    });
  });

  it('are refused like a direct call when no step accepts the type of any file', async () => {
    const notes: [Uint8Array, string] = [Buffer.from('text'), 'notes.txt'];
    const one = expectProblem(
      await pipelines.run(definitionOf([step('general/rotate-pdf')]), [notes]),
      415,
      'INPUT_KIND',
    );
    expect(one.detail).to.equal(
      `Step 0 (${API}/general/rotate-pdf) failed on notes.txt: The file in "fileInput" is a text file (.txt); ` +
        'this operation accepts a PDF (.pdf).',
    );
    expect(one['step']).to.deep.equal({ index: 0, operation: `${API}/general/rotate-pdf` });
    const two = expectProblem(
      await pipelines.run(definitionOf([step('general/rotate-pdf')]), [notes, [Buffer.from('a,b'), 'table.csv']]),
      415,
      'INPUT_KIND',
    );
    expect(two.errors).to.deep.equal([
      {
        pointer: '/pipeline/0',
        detail: `notes.txt is a text file (.txt); ${API}/general/rotate-pdf accepts a PDF (.pdf)`,
      },
      {
        pointer: '/pipeline/0',
        detail: `table.csv is a CSV file (.csv); ${API}/general/rotate-pdf accepts a PDF (.pdf)`,
      },
    ]);
  });

  it('answer 204 when a filter dropped one file, and another one has a type that no step accepts', async () => {
    const answer = await pipelines.run(definitionOf([withMorePages(7)]), [
      [pipelines.one, 'one.pdf'],
      [Buffer.from('text'), 'notes.txt'],
    ]);
    expect(answer.status).to.equal(204);
    const { dropped } = JSON.parse(String(answer.headers['x-pipeline-report'])) as { dropped: { reason: string }[] };
    expect(dropped.map(({ reason }) => reason)).to.have.members(['filter', 'kind']);
  });

  it('list a hundred of very many files that no step accepts', async () => {
    const files = Array.from({ length: 300 }, (_, i): [Uint8Array, string] => [Buffer.from('text'), `${i}.txt`]);
    const problem = expectProblem(
      await pipelines.run(definitionOf([step('general/rotate-pdf')]), files),
      415,
      'INPUT_KIND',
    );
    expect(problem.errors).to.have.length(101);
    expect(problem.errors?.at(-1)?.detail).to.equal('200 more like these are not listed');
    expect(problem.detail).to.contain('failed on 0.txt, 1.txt, 2.txt, 297 more:');
  });

  it('limit the report of very many drops to the size of its header', async () => {
    const files = Array.from({ length: 300 }, (_, i): [Uint8Array, string] => [
      Buffer.from('text'),
      `${i}${'n'.repeat(50)}.txt`,
    ]);
    const answer = await pipelines.run(definitionOf([withMorePages(7)]), [...files, [pipelines.one, 'one.pdf']]);
    expect(answer.status).to.equal(204);
    const report = JSON.parse(String(answer.headers['x-pipeline-report'])) as {
      files: number;
      dropped: object[];
      droppedCount: number;
    };
    expect(report).to.include({ files: 0, droppedCount: 301 });
    expect(report.dropped).not.to.have.length(0);
  });

  it('keep the status of a step that fails, and name the step and the file', async () => {
    const broken = Buffer.from('%PDF-1.7\nnothing more');
    const problem = expectProblem(
      await pipelines.run(definitionOf([step('misc/unruly-pause', { ms: 1 }), step('general/rotate-pdf')]), [
        [pipelines.one, 'good.pdf'],
        [broken, 'bad.pdf'],
      ]),
      400,
      'PDF_DAMAGED',
    );
    expect(problem.step).to.deep.equal({ index: 1, operation: `${API}/general/rotate-pdf` });
    expect(problem.file).to.equal('bad.pdf');
    expect(problem.detail).to.contain('bad.pdf');
    const crash = expectProblem(await pipelines.run(definitionOf([step('misc/unruly-crash')])), 500, 'WORKER_LOST');
    expect(crash.step?.index).to.equal(0);
    const split = expectProblem(
      await pipelines.run(definitionOf([step('general/split-pages', { pageNumbers: '9' })])),
      400,
      'PAGES_OUT_OF_RANGE',
    );
    expect(pointers(split)).to.deep.equal(['/pipeline/0/parameters/pageNumbers']);
  });

  it('pass a JSON answer on as a file', async () => {
    const answer = await pipelines.run(definitionOf([step('misc/unruly-echo'), step('misc/unruly-pause', { ms: 1 })]), [
      [pipelines.one, 'one.pdf'],
      [pipelines.three, 'three.pdf'],
    ]);
    expect((await readZip(answer.body)).map(({ name }) => name)).to.deep.equal(['one.json', 'three.json']);
  });

  it('refuse empty files as a direct call does', async () => {
    expectProblem(
      await pipelines.run(definitionOf([step('general/rotate-pdf')]), [[new Uint8Array(), 'empty.pdf']]),
      400,
      'INPUT_FILE_EMPTY',
    );
  });

  it('answer the call after a failed one normally', async () => {
    expect((await pipelines.run('{')).status).to.equal(400);
    expect(json<Problem>(await pipelines.run('{')).code).to.equal('PIPELINE_INVALID');
    expect((await pipelines.run(definitionOf([step('general/rotate-pdf')]))).status).to.equal(200);
  });
});
