import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { readZip } from '../../kit/read-zip.js';
import { expectProblem, field, file, json, pointers, post, type Answer, type Problem } from '../support/client.js';
import { quiet, startServer, type TestServer } from '../support/server.js';

const API = '/api/v1';

interface Step {
  readonly operation: string;
  readonly parameters?: unknown;
}

const step = (operation: string, parameters: Readonly<Record<string, unknown>> = {}): Step => ({
  operation: `${API}/${operation}`,
  parameters,
});
const more = (pageCount: number): Step => step('filter/filter-page-count', { pageCount, comparator: 'Greater' });

describe('Pipelines', () => {
  let server: TestServer;
  let one: Uint8Array;
  let three: Uint8Array;

  before(async () => {
    server = await startServer({ limits: { maxPipelineSteps: 10 }, endpoints: { toRemove: ['remove-pages'] } });
    [one, three] = [await makePdf({ pages: 1 }), await makePdf({ pages: 3 })];
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const text = (steps: readonly unknown[], rest: object = {}): string => JSON.stringify({ pipeline: steps, ...rest });
  const run = (
    definition: string,
    files: readonly [Uint8Array, string][] = [[one, 'one.pdf']],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    post(
      `${server.url}${API}/pipeline/handleData`,
      [...files.map(([bytes, name]) => file(bytes, name)), field('json', definition)],
      headers,
    );
  const validate = (definition: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    post(`${server.url}${API}/pipeline/validate`, [field('json', definition)], headers);

  /** Expects one fault at this pointer, from the run and from the validation alike. */
  async function expectFault(definition: string, pointer: string, detail: RegExp): Promise<void> {
    for (const answer of [await run(definition), await validate(definition)]) {
      const problem = expectProblem(answer, 400, 'PIPELINE_INVALID');
      expect(pointers(problem), JSON.stringify(problem.errors)).to.deep.equal([pointer]);
      expect(problem.errors?.[0]?.detail).to.match(detail);
    }
  }

  describe('that cannot run are refused before any processing', () => {
    const faults: readonly [string, string, string, RegExp][] = [
      ['broken JSON', '{"pipeline": [', '/json', /not JSON/],
      ['a list instead of an object', '[]', '', /must be an object.*list/],
      ['null', 'null', '', /must be an object.*null/],
      ['no step list', '{}', '/pipeline', /must be a list.*nothing/],
      ['a step list that is text', '{"pipeline": "rotate"}', '/pipeline', /must be a list.*string/],
      ['no step', text([]), '/pipeline', /no step/],
      ['a step that is text', text(['rotate-pdf']), '/pipeline/0', /must be an object.*string/],
      ['a step without an operation', text([{ parameters: {} }]), '/pipeline/0/operation', /must be the path.*nothing/],
      [
        'a bare name, with the full path',
        text([{ operation: 'rotate-pdf', parameters: {} }]),
        '/pipeline/0/operation',
        /not a full path.*did you mean \/api\/v1\/general\/rotate-pdf\?/,
      ],
      [
        'a path without its prefix',
        text([{ operation: 'general/rotate-pdf', parameters: {} }]),
        '/pipeline/0/operation',
        /did you mean \/api\/v1\/general\/rotate-pdf\?/,
      ],
      [
        'an unknown path, with the nearest name',
        text([step('general/rotat-pdf')]),
        '/pipeline/0/operation',
        /did you mean \/api\/v1\/general\/rotate-pdf\?/,
      ],
      [
        'a path of another case',
        text([step('General/Rotate-PDF')]),
        '/pipeline/0/operation',
        /did you mean \/api\/v1\/general\/rotate-pdf\?/,
      ],
      [
        'a bad parameter',
        text([step('general/rotate-pdf', { angle: 45 })]),
        '/pipeline/0/parameters/angle',
        /multiple of 90.*45/,
      ],
      [
        'a missing parameter',
        text([more(1), step('filter/filter-page-count', { pageCount: 1 })]),
        '/pipeline/1/parameters/comparator',
        /required/,
      ],
      [
        'a nested object',
        text([step('general/rotate-pdf', { angle: { value: 90 } })]),
        '/pipeline/0/parameters/angle',
        /text, a number/,
      ],
      [
        'a list in a list',
        text([step('misc/unruly-echo', { list: [['a']] })]),
        '/pipeline/0/parameters/list',
        /text, a number/,
      ],
      [
        'parameters that are a list',
        text([{ operation: `${API}/general/rotate-pdf`, parameters: [90] }]),
        '/pipeline/0/parameters',
        /must be an object.*list/,
      ],
      [
        'a second file',
        text([step('misc/unruly-echo', { stamp: true })]),
        '/pipeline/0/parameters/stampFile',
        /second file.*call/,
      ],
      [
        'kinds that can never meet',
        text([step('misc/unruly-label'), step('general/rotate-pdf')]),
        '/pipeline/1/operation',
        /can never receive a file.*PDF.*TXT/,
      ],
      [
        'kinds that can never meet after a JSON answer',
        text([step('misc/unruly-echo'), step('general/rotate-pdf')]),
        '/pipeline/1/operation',
        /JSON/,
      ],
      [
        'an operation that is switched off',
        text([step('general/remove-pages', { pageNumbers: '1' })]),
        '/pipeline/0/operation',
        /switched off/,
      ],
      [
        'too many steps',
        text(Array.from({ length: 11 }, () => step('general/rotate-pdf'))),
        '/pipeline',
        /11 steps; the limit is 10/,
      ],
      ['itself', text([step('pipeline/handleData')]), '/pipeline/0/operation', /not an operation/],
      [
        'an endpoint that is no operation',
        text([step('admin/job/cleanup')]),
        '/pipeline/0/operation',
        /not an operation/,
      ],
      [
        'an address',
        text([{ operation: 'http://127.0.0.1:1/api/v1/general/rotate-pdf', parameters: {} }]),
        '/pipeline/0/operation',
        /not a full path/,
      ],
      ['dots', text([step('general/../general/rotate-pdf')]), '/pipeline/0/operation', /not an operation/],
      ['a query', text([step('general/rotate-pdf?angle=90')]), '/pipeline/0/operation', /not an operation/],
      ['a member of every object', text([step('__proto__')]), '/pipeline/0/operation', /not an operation/],
    ];
    for (const [title, definition, pointer, detail] of faults)
      it(title, () => expectFault(definition, pointer, detail));

    it('with every fault at once', async () => {
      const definition = text([
        { operation: 'rotate' },
        step('general/rotate-pdf', { angle: 1 }),
        7,
        step('misc/compress-pdf', { optimizeLevel: 0, linearize: 'x' }),
      ]);
      const problem = expectProblem(await run(definition), 400, 'PIPELINE_INVALID');
      expect(pointers(problem)).to.deep.equal([
        '/pipeline/0/operation',
        '/pipeline/1/parameters/angle',
        '/pipeline/2',
        '/pipeline/3/parameters/optimizeLevel',
        '/pipeline/3/parameters/linearize',
      ]);
      expect(problem.detail).to.contain('5 fault(s)').and.to.contain('nothing was processed');
    });

    it('without a definition', async () => {
      const answer = await post(`${server.url}${API}/pipeline/handleData`, [file(one)]);
      expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID'))).to.deep.equal(['/json']);
    });

    it('without a file', async () => {
      expectProblem(await run(text([step('general/rotate-pdf')]), []), 400, 'INPUT_FILE_MISSING');
    });

    it('with a huge or deep definition', async () => {
      const deep = `{"pipeline":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      for (const definition of [
        deep,
        text(Array.from({ length: 50_000 }, () => step('x/y'))),
        `{"pipeline":[{"operation":"${'x'.repeat(1_000_000)}"}]}`,
      ]) {
        const answer = await run(definition);
        expectProblem(answer, 400, 'PIPELINE_INVALID');
        expect(answer.body.length).to.be.below(100_000);
      }
    });
  });

  it('return a single file unpacked', async () => {
    const answer = await run(text([step('general/rotate-pdf', { angle: 90 })]));
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/octet-stream');
    expect(answer.headers['content-disposition']).to.contain('filename="one.pdf"');
    expect(answer.headers['content-length']).to.equal(String(answer.body.length));
    expect(answer.body.toString('latin1', 0, 5)).to.equal('%PDF-');
  });

  it('return several files as a zip with unique names, in order', async () => {
    const answer = await run(text([step('general/rotate-pdf')]), [
      [one, 'a.pdf'],
      [three, 'a.pdf'],
      [one, 'b.pdf'],
      [one, 'A.pdf'],
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
    const asZip = await run(
      text([step('general/rotate-pdf')]),
      [
        [one, 'a.pdf'],
        [three, 'b.pdf'],
      ],
      { accept: 'application/zip' },
    );
    expect(asZip.headers['content-type']).to.equal('application/zip');
  });

  it('merge and split files between steps', async () => {
    const answer = await run(
      text([
        step('general/merge-pdfs'),
        step('general/split-pages', { pageNumbers: '1' }),
        step('general/rotate-pdf', { angle: 180 }),
      ]),
      [
        [three, 'first.pdf'],
        [one, 'second.pdf'],
      ],
    );
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    expect(await readZip(answer.body)).to.have.length(2);
  });

  it('may contain the same operation more than once', async () => {
    const rotate = step('general/rotate-pdf', { angle: 90 });
    expect((await run(text([rotate, rotate, rotate]))).status).to.equal(200);
  });

  it('drop the files that a filter rejects, and report it', async () => {
    const answer = await run(text([more(2), step('general/rotate-pdf')]), [
      [one, 'one.pdf'],
      [three, 'three.pdf'],
    ]);
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-disposition']).to.contain('three.pdf');
    expect(JSON.parse(String(answer.headers['x-pipeline-report']))).to.deep.equal({
      files: 1,
      dropped: [{ file: 'one.pdf', step: 0, operation: `${API}/filter/filter-page-count`, reason: 'filter' }],
    });
  });

  it('answer 204 with a report when every file was filtered out', async () => {
    const answer = await run(text([more(7), step('general/rotate-pdf')]), [
      [one, 'résumé.pdf'],
      [three, 'three.pdf'],
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
    const answer = await run(text([step('general/rotate-pdf')]), [
      [Buffer.from('text'), 'notes.txt'],
      [one, 'one.pdf'],
    ]);
    expect(answer.status).to.equal(200);
    expect(JSON.parse(String(answer.headers['x-pipeline-report']))).to.deep.include({
      dropped: [{ file: 'notes.txt', step: 0, operation: `${API}/general/rotate-pdf`, reason: 'kind' }],
    });
    expect((await run(text([step('general/rotate-pdf')]), [[Buffer.from('text'), 'notes.txt']])).status).to.equal(204);
  });

  it('limit the report of very many drops to the size of its header', async () => {
    const files = Array.from({ length: 300 }, (_, i): [Uint8Array, string] => [
      Buffer.from('text'),
      `${i}${'n'.repeat(50)}.txt`,
    ]);
    const answer = await run(text([step('general/rotate-pdf')]), files);
    expect(answer.status).to.equal(204);
    const report = JSON.parse(String(answer.headers['x-pipeline-report'])) as {
      files: number;
      dropped: object[];
      droppedCount: number;
    };
    expect(report).to.include({ files: 0, droppedCount: 300 });
    expect(report.dropped).not.to.have.length(0);
  });

  it('ignore fileInput among the parameters, null, and unknown members', async () => {
    const definition = text(
      [
        {
          operation: `${API}/general/rotate-pdf`,
          parameters: { angle: 90, fileInput: 'automated', other: null },
          id: 7,
        },
      ],
      { name: 'x', outputDir: '/etc', outputFileName: '../../x', _examples: {} },
    );
    expect((await run(definition)).status).to.equal(200);
    expect((await run(text([{ operation: `${API}/general/rotate-pdf` }]))).status).to.equal(200);
    expect((await run(text([{ operation: `${API}/general/rotate-pdf`, parameters: null }]))).status).to.equal(200);
  });

  it('accept names of exported automations', async () => {
    const answer = await run(text([step('misc/compress-pdf', { compressionLevel: 3, fileInput: 'automated' })]));
    expect(answer.status).to.equal(200);
    expect(answer.headers).not.to.have.property('x-ignored-fields');
    expectProblem(await run(text([step('misc/compress-pdf', { compressionLevel: 30 })])), 400, 'PIPELINE_INVALID');
  });

  it('accept a list as a repeated field, and a single value where a list is expected', async () => {
    const answer = await run(text([step('misc/unruly-echo', { list: ['a', 'b,c', ''], count: 3 })]));
    if (answer.status === 200) expect(json(answer)).to.deep.include({ list: ['a', 'b,c', ''] });
    else expectProblem(answer, 400, 'PIPELINE_INVALID');
    expect(json(await run(text([step('misc/unruly-echo', { list: ['a', 'b,c'], count: 3 })])))).to.deep.include({
      list: ['a', 'b,c'],
      count: 3,
    });
    expect(json(await run(text([step('misc/unruly-echo', { words: 'a' })])))).to.deep.include({ list: ['a'] });
  });

  it('accept the value itself where a field is JSON, and point to the fault inside it', async () => {
    const comment = { pageIndex: 0, x: 10, y: 20, width: 30, height: 40, text: 'Look here' };
    const answer = await run(text([step('misc/add-comments', { comments: [comment] })]));
    expect([answer.status, answer.body.includes('/Annots')], answer.body.toString('latin1', 0, 300)).to.deep.equal([
      200,
      true,
    ]);
    await expectFault(
      text([step('misc/add-comments', { comments: [comment, { ...comment, x: 'left' }] })]),
      '/pipeline/0/parameters/comments/1/x',
      /number/,
    );
  });

  it('report ignored fields with their pointer, refuse them in strict mode, and list them when validated', async () => {
    const definition = text([step('general/rotate-pdf', { angel: 90 })]);
    expect((await run(definition)).headers['x-ignored-fields']).to.equal('/pipeline/0/parameters/angel');
    expect(
      pointers(expectProblem(await run(definition, undefined, { prefer: 'handling=strict' }), 400, 'PIPELINE_INVALID')),
    ).to.deep.equal(['/pipeline/0/parameters/angel']);
    const report = json<{ valid: boolean; ignored: { pointer: string; detail: string }[] }>(await validate(definition));
    expect(report.valid).to.equal(true);
    expect(report.ignored[0]?.detail).to.contain('did you mean angle?');
    expectProblem(await validate(definition, { prefer: 'handling=strict' }), 400, 'PIPELINE_INVALID');
  });

  it('return a validation report of the steps with their values', async () => {
    const answer = await validate(text([step('general/rotate-pdf')]));
    expect(answer.status).to.equal(200);
    expect(json(answer)).to.deep.equal({
      valid: true,
      steps: [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 } }],
      errors: [],
      ignored: [],
    });
  });

  it('keep the status of a step that fails, and name the step and the file', async () => {
    const broken = Buffer.from('%PDF-1.7\nnothing more');
    const problem = expectProblem(
      await run(text([step('misc/unruly-pause', { ms: 1 }), step('general/rotate-pdf')]), [
        [one, 'good.pdf'],
        [broken, 'bad.pdf'],
      ]),
      400,
      'PDF_DAMAGED',
    );
    expect(problem.step).to.deep.equal({ index: 1, operation: `${API}/general/rotate-pdf` });
    expect(problem.file).to.equal('bad.pdf');
    expect(problem.detail).to.contain('bad.pdf');
    const crash = expectProblem(await run(text([step('misc/unruly-crash')])), 500, 'WORKER_LOST');
    expect(crash.step?.index).to.equal(0);
    const split = expectProblem(
      await run(text([step('general/split-pages', { pageNumbers: 'even' })])),
      400,
      'PAGES_INVALID',
    );
    expect(pointers(split)).to.deep.equal(['/pipeline/0/parameters/pageNumbers']);
  });

  it('pass a JSON answer on as a file', async () => {
    const answer = await run(text([step('misc/unruly-echo'), step('misc/unruly-pause', { ms: 1 })]), [
      [one, 'one.pdf'],
      [three, 'three.pdf'],
    ]);
    expect((await readZip(answer.body)).map(({ name }) => name)).to.deep.equal(['one.json', 'three.json']);
  });

  it('refuse empty files as a direct call does', async () => {
    expectProblem(
      await run(text([step('general/rotate-pdf')]), [[new Uint8Array(), 'empty.pdf']]),
      400,
      'INPUT_FILE_EMPTY',
    );
  });

  it('answer the call after a failed one normally', async () => {
    expect((await run('{')).status).to.equal(400);
    expect(json<Problem>(await run('{')).code).to.equal('PIPELINE_INVALID');
    expect((await run(text([step('general/rotate-pdf')]))).status).to.equal(200);
  });
});
