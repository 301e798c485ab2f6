import { expect } from 'chai';
import { expectProblem, field, file, json, pointers, post } from '../support/client.js';
import { API, definitionOf, step, usePipelines, withMorePages } from '../support/pipelines.js';

describe('Pipeline definitions', () => {
  const pipelines = usePipelines();

  it('may have any text in a page list that its operation does not read', async () => {
    const definition = definitionOf([
      step('general/split-pdf-by-sections', { splitMode: 'SPLIT_ALL', pageNumbers: 'x!' }),
    ]);
    const answer = await post(`${pipelines.url}${API}/pipeline/validate`, [field('json', definition)]);
    expect(json<{ valid: boolean }>(answer)).to.deep.include({ valid: true });
  });

  describe('are refused before any processing with', () => {
    const faults: readonly [string, string, string, RegExp][] = [
      ['broken JSON', '{"pipeline": [', '/json', /not JSON/],
      ['a list instead of an object', '[]', '', /must be an object.*list/],
      ['null', 'null', '', /must be an object.*null/],
      ['a missing step list', '{}', '/pipeline', /must be a list.*nothing/],
      ['a step list that is text', '{"pipeline": "rotate"}', '/pipeline', /must be a list.*string/],
      ['an empty step list', definitionOf([]), '/pipeline', /no step/],
      ['a step that is text', definitionOf(['rotate-pdf']), '/pipeline/0', /must be an object.*string/],
      [
        'a step without an operation',
        definitionOf([{ parameters: {} }]),
        '/pipeline/0/operation',
        /must be the path.*nothing/,
      ],
      [
        'a bare name, with the full path',
        definitionOf([{ operation: 'rotate-pdf', parameters: {} }]),
        '/pipeline/0/operation',
        /not a full path.*did you mean \/api\/v1\/general\/rotate-pdf\?/,
      ],
      [
        'a path without its prefix',
        definitionOf([{ operation: 'general/rotate-pdf', parameters: {} }]),
        '/pipeline/0/operation',
        /did you mean \/api\/v1\/general\/rotate-pdf\?/,
      ],
      [
        'an unknown path, with the nearest name',
        definitionOf([step('general/rotat-pdf')]),
        '/pipeline/0/operation',
        /did you mean \/api\/v1\/general\/rotate-pdf\?/,
      ],
      [
        'a path in another letter case',
        definitionOf([step('General/Rotate-PDF')]),
        '/pipeline/0/operation',
        /did you mean \/api\/v1\/general\/rotate-pdf\?/,
      ],
      [
        'a bad parameter',
        definitionOf([step('general/rotate-pdf', { angle: 45 })]),
        '/pipeline/0/parameters/angle',
        /multiple of 90.*45/,
      ],
      [
        'a missing parameter',
        definitionOf([withMorePages(1), step('filter/filter-page-count', { pageCount: 1 })]),
        '/pipeline/1/parameters/comparator',
        /required/,
      ],
      [
        'a page list that cannot be read',
        definitionOf([step('general/split-pages', { pageNumbers: '1,x!' })]),
        '/pipeline/0/parameters/pageNumbers',
        /"x!" is not a page number, range or formula/,
      ],
      [
        'a range of pages that runs backwards, with the range that was meant',
        definitionOf([step('general/split-pages', { pageNumbers: '5-3' })]),
        '/pipeline/0/parameters/pageNumbers',
        /3-5/,
      ],
      [
        'a nested object',
        definitionOf([step('general/rotate-pdf', { angle: { value: 90 } })]),
        '/pipeline/0/parameters/angle',
        /text, a number/,
      ],
      [
        'a list in a list',
        definitionOf([step('misc/unruly-echo', { list: [['a']] })]),
        '/pipeline/0/parameters/list',
        /text, a number/,
      ],
      [
        'parameters that are a list',
        definitionOf([{ operation: `${API}/general/rotate-pdf`, parameters: [90] }]),
        '/pipeline/0/parameters',
        /must be an object.*list/,
      ],
      [
        'a second file',
        definitionOf([step('misc/unruly-echo', { stamp: true })]),
        '/pipeline/0/parameters/stampFile',
        /second file.*call/,
      ],
      [
        'file types that can never match',
        definitionOf([step('misc/unruly-label'), step('general/rotate-pdf')]),
        '/pipeline/1/operation',
        /can never receive a file.*a PDF \(\.pdf\).*a text file \(\.txt\)/,
      ],
      [
        'file types that can never match after a JSON answer',
        definitionOf([step('misc/unruly-echo'), step('general/rotate-pdf')]),
        '/pipeline/1/operation',
        /JSON/,
      ],
      [
        'a disabled operation',
        definitionOf([step('general/remove-pages', { pageNumbers: '1' })]),
        '/pipeline/0/operation',
        /turned off/,
      ],
      [
        'too many steps',
        definitionOf(Array.from({ length: 11 }, () => step('general/rotate-pdf'))),
        '/pipeline',
        /11 steps; the limit is 10/,
      ],
      [
        'the pipeline endpoint itself',
        definitionOf([step('pipeline/handleData')]),
        '/pipeline/0/operation',
        /not an operation/,
      ],
      [
        'an endpoint that is not an operation',
        definitionOf([step('admin/job/cleanup')]),
        '/pipeline/0/operation',
        /not an operation/,
      ],
      [
        'a URL',
        definitionOf([{ operation: 'http://127.0.0.1:1/api/v1/general/rotate-pdf', parameters: {} }]),
        '/pipeline/0/operation',
        /not a full path/,
      ],
      [
        'dot segments',
        definitionOf([step('general/../general/rotate-pdf')]),
        '/pipeline/0/operation',
        /not an operation/,
      ],
      [
        'a query string',
        definitionOf([step('general/rotate-pdf?angle=90')]),
        '/pipeline/0/operation',
        /not an operation/,
      ],
      [
        'the name of a member that every object has',
        definitionOf([step('__proto__')]),
        '/pipeline/0/operation',
        /not an operation/,
      ],
    ];
    for (const [title, definition, pointer, detail] of faults)
      it(title, () => pipelines.expectFault(definition, pointer, detail));

    it('every fault at once', async () => {
      const definition = definitionOf([
        { operation: 'rotate' },
        step('general/rotate-pdf', { angle: 1 }),
        7,
        step('misc/compress-pdf', { optimizeLevel: 0, linearize: 'x' }),
      ]);
      const problem = expectProblem(await pipelines.run(definition), 400, 'PIPELINE_INVALID');
      expect(pointers(problem)).to.deep.equal([
        '/pipeline/0/operation',
        '/pipeline/1/parameters/angle',
        '/pipeline/2',
        '/pipeline/3/parameters/optimizeLevel',
        '/pipeline/3/parameters/linearize',
      ]);
      expect(problem.detail).to.contain('5 faults').and.to.contain('nothing was processed');
    });

    it('a missing definition', async () => {
      const answer = await post(`${pipelines.url}${API}/pipeline/handleData`, [file(pipelines.one)]);
      expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID'))).to.deep.equal(['/json']);
    });

    it('a missing file', async () => {
      expectProblem(await pipelines.run(definitionOf([step('general/rotate-pdf')]), []), 400, 'INPUT_FILE_MISSING');
    });

    it('a huge or deep definition', async () => {
      const deep = `{"pipeline":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      for (const definition of [
        deep,
        definitionOf(Array.from({ length: 50_000 }, () => step('x/y'))),
        `{"pipeline":[{"operation":"${'x'.repeat(1_000_000)}"}]}`,
      ]) {
        const answer = await pipelines.run(definition);
        expectProblem(answer, 400, 'PIPELINE_INVALID');
        expect(answer.body.length).to.be.below(100_000);
      }
    });

    it('more values than a form may have parts, before they are checked', async () => {
      const names = (of: (index: number) => unknown, count = 1001): Record<string, unknown> =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, of(index)]));
      const more = /has more than 1000 values, the most that a step may have \(limits\.maxParts\)/;
      for (const [operation, parameters] of [
        ['general/rotate-pdf', names(() => 1, 60_000)],
        ['misc/unruly-echo', { list: Array.from({ length: 1001 }, () => 'text') }],
        ['misc/update-metadata', { allRequestParams: names(() => 'text') }],
      ] as const)
        await pipelines.expectFault(definitionOf([step(operation, parameters)]), '/pipeline/0/parameters', more);
      await pipelines.expectFault(
        definitionOf([step('misc/update-metadata', { allRequestParams: JSON.stringify(names(() => 'text')) })]),
        '/pipeline/0/parameters/allRequestParams',
        /has more than 1000 named texts/,
      );
    });

    it('more items than a JSON field allows, before they are checked', () =>
      pipelines.expectFault(
        definitionOf([step('misc/add-comments', { comments: Array.from({ length: 10_001 }, () => ({})) })]),
        '/pipeline/0/parameters/comments',
        /has 10001 items; at most 10000 are allowed/,
      ));

    it('values nested so deeply that nothing can walk through them', async () => {
      const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      await pipelines.expectFault(
        `{"pipeline":[{"operation":"${API}/misc/add-comments","parameters":{"comments":${nested}}}]}`,
        '/json',
        /nested more than 100 levels deep/,
      );
    });

    it('more faults than are worth listing, and say how many more there are', async () => {
      const parameters = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${'n'.repeat(1000)}${i}`, {}]));
      for (const answer of [
        await pipelines.run(definitionOf([step('general/rotate-pdf', parameters)])),
        await pipelines.validate(definitionOf([step('general/rotate-pdf', parameters)])),
      ]) {
        const problem = expectProblem(answer, 400, 'PIPELINE_INVALID');
        expect(problem.errors).to.have.length(101);
        expect(problem.errors?.at(-1)).to.deep.equal({
          pointer: '/pipeline',
          detail: '800 more like these are not listed',
        });
        expect(problem.detail).to.contain('900 faults');
        expect(answer.body.length).to.be.below(100_000);
      }
    });
  });

  it('ignore fileInput among the parameters, null, and unknown members', async () => {
    const definition = definitionOf(
      [
        {
          operation: `${API}/general/rotate-pdf`,
          parameters: { angle: 90, fileInput: 'automated', other: null },
          id: 7,
        },
      ],
      { name: 'x', outputDir: '/etc', outputFileName: '../../x', _examples: {} },
    );
    expect((await pipelines.run(definition)).status).to.equal(200);
    expect((await pipelines.run(definitionOf([{ operation: `${API}/general/rotate-pdf` }]))).status).to.equal(200);
    expect(
      (await pipelines.run(definitionOf([{ operation: `${API}/general/rotate-pdf`, parameters: null }]))).status,
    ).to.equal(200);
  });

  it('accept names of exported automations', async () => {
    const answer = await pipelines.run(
      definitionOf([step('misc/compress-pdf', { compressionLevel: 3, fileInput: 'automated' })]),
    );
    expect(answer.status).to.equal(200);
    expect(answer.headers).not.to.have.property('x-ignored-fields');
    expectProblem(
      await pipelines.run(definitionOf([step('misc/compress-pdf', { compressionLevel: 30 })])),
      400,
      'PIPELINE_INVALID',
    );
  });

  it('accept a list as a repeated field, and a single value where a list is expected', async () => {
    const answer = await pipelines.run(definitionOf([step('misc/unruly-echo', { list: ['a', 'b,c', ''], count: 3 })]));
    if (answer.status === 200) expect(json(answer)).to.deep.include({ list: ['a', 'b,c', ''] });
    else expectProblem(answer, 400, 'PIPELINE_INVALID');
    expect(
      json(await pipelines.run(definitionOf([step('misc/unruly-echo', { list: ['a', 'b,c'], count: 3 })]))),
    ).to.deep.include({
      list: ['a', 'b,c'],
      count: 3,
    });
    expect(json(await pipelines.run(definitionOf([step('misc/unruly-echo', { words: 'a' })])))).to.deep.include({
      list: ['a'],
    });
  });

  it('accept the value itself where a field is JSON, and point to the fault inside it', async () => {
    const comment = { pageIndex: 0, x: 10, y: 20, width: 30, height: 40, text: 'Look here' };
    const answer = await pipelines.run(definitionOf([step('misc/add-comments', { comments: [comment] })]));
    expect([answer.status, answer.body.includes('/Annots')], answer.body.toString('latin1', 0, 300)).to.deep.equal([
      200,
      true,
    ]);
    await pipelines.expectFault(
      definitionOf([step('misc/add-comments', { comments: [comment, { ...comment, x: 'left' }] })]),
      '/pipeline/0/parameters/comments/1/x',
      /number/,
    );
  });

  it('report ignored fields with their pointer, refuse them in strict mode, and list them when validated', async () => {
    const definition = definitionOf([step('general/rotate-pdf', { angel: 90 })]);
    expect((await pipelines.run(definition)).headers['x-ignored-fields']).to.equal('/pipeline/0/parameters/angel');
    expect(
      pointers(
        expectProblem(
          await pipelines.run(definition, undefined, { prefer: 'handling=strict' }),
          400,
          'PIPELINE_INVALID',
        ),
      ),
    ).to.deep.equal(['/pipeline/0/parameters/angel']);
    const report = json<{ valid: boolean; ignored: { pointer: string; detail: string }[] }>(
      await pipelines.validate(definition),
    );
    expect(report.valid).to.equal(true);
    expect(report.ignored[0]?.detail).to.contain('did you mean angle?');
    expectProblem(await pipelines.validate(definition, { prefer: 'handling=strict' }), 400, 'PIPELINE_INVALID');
  });

  it('report members that steps and pipelines do not have, and refuse them in strict mode', async () => {
    const definition = definitionOf(
      [{ operation: `${API}/general/rotate-pdf`, paramters: { angle: 180 }, onerror: 'skip' }],
      { vlaues: {}, description: 'Turns pages' },
    );
    const { valid, ignored } = json<{ valid: boolean; ignored: { pointer: string; detail: string }[] }>(
      await pipelines.validate(definition),
    );
    expect(valid).to.equal(true);
    expect(ignored.map(({ pointer, detail }) => `${pointer}: ${detail}`)).to.deep.equal([
      '/vlaues: vlaues is not a member of a pipeline and is ignored; did you mean values?',
      '/pipeline/0/paramters: paramters is not a member of a step and is ignored; did you mean parameters?',
      '/pipeline/0/onerror: onerror is not a member of a step and is ignored; did you mean onError?',
    ]);
    expect((await pipelines.run(definition)).headers['x-ignored-fields']).to.equal(
      '/vlaues, /pipeline/0/paramters, /pipeline/0/onerror',
    );
    expectProblem(await pipelines.validate(definition, { prefer: 'handling=strict' }), 400, 'PIPELINE_INVALID');
  });

  it('list a hundred ignored fields with short names, and say how many more there are', async () => {
    const parameters = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${'n'.repeat(1000)}${i}`, 1]));
    const answer = await pipelines.validate(definitionOf([step('general/rotate-pdf', parameters)]));
    const { ignored } = json<{ ignored: { detail: string }[] }>(answer);
    expect(ignored).to.have.length(101);
    expect(ignored.at(-1)?.detail).to.equal('800 more like these are not listed');
    expect(answer.body.length).to.be.below(100_000);
  });

  it('return a validation report of the steps with their values', async () => {
    const answer = await pipelines.validate(definitionOf([step('general/rotate-pdf')]));
    expect(answer.status).to.equal(200);
    expect(json(answer)).to.deep.equal({
      valid: true,
      steps: [{ operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 } }],
      errors: [],
      ignored: [],
      replaced: [],
    });
  });
});
