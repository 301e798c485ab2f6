import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { expectProblem, field, file, json, pointers, post, type Answer } from '../support/client.js';
import { sendJson } from '../support/login.js';
import { API, definitionOf, step, usePipelines } from '../support/pipelines.js';

interface Faults {
  readonly errors?: readonly { readonly detail: string }[];
}

const turn = {
  name: 'turn',
  title: 'Turn',
  definition: { pipeline: [step('general/rotate-pdf', { angle: 90 })] },
  inputs: [{ name: 'angle', field: '/pipeline/0/parameters/angle', values: [90, 180] }],
};
const turnAndTitle = {
  name: 'turn-and-title',
  title: 'Turn and title',
  definition: {
    pipeline: [
      step('tools/turn', { angle: '{{input.by}}' }),
      step('misc/update-metadata', { title: '{{input.customer}}: {{file.base}}', deleteAll: false }),
    ],
  },
  inputs: [
    { name: 'by', type: 'integer', default: 180 },
    { name: 'customer', required: true },
  ],
};

describe('Saved pipelines as steps', () => {
  const pipelines = usePipelines();
  const save = (pipeline: object): Promise<Answer> => sendJson(pipelines, `${API}/pipelines`, pipeline);
  const change = (pipeline: { readonly name: string }): Promise<Answer> =>
    sendJson(pipelines, `${API}/pipelines/${pipeline.name}`, pipeline, {}, 'PUT');
  const facts = async (answer: Answer): Promise<object> => {
    expect(answer.status, answer.body.toString()).to.equal(200);
    const document = await PDFDocument.load(answer.body);
    return { angle: document.getPage(0).getRotation().angle, title: document.getTitle() };
  };
  const detail = (answer: Answer): string =>
    json<Faults>(answer)
      .errors?.map((fault) => fault.detail)
      .join() ?? '';

  before(async () => {
    for (const pipeline of [turn, turnAndTitle]) {
      const answer = await save(pipeline);
      expect(answer.status, answer.body.toString()).to.equal(201);
    }
  });

  it('get their values from the pipeline around them, at any depth', async () => {
    const outer = definitionOf([step('tools/turn-and-title', { by: 180, customer: 'A {{file.base}}' })]);
    expect(await facts(await pipelines.run(outer))).to.deep.equal({ angle: 180, title: 'A {{file.base}}: one' });
    const filled = definitionOf([step('tools/turn-and-title', { customer: '{{input.who}}, {{file.base}}' })], {
      values: { who: '{{date}}' },
    });
    expect(await facts(await pipelines.run(filled))).to.deep.equal({ angle: 180, title: '{{date}}, one: one' });
    const direct = await post(`${pipelines.url}${API}/tools/turn-and-title`, [
      file(pipelines.one, 'x.pdf'),
      field('customer', 'B'),
      field('by', '90'),
    ]);
    expect(await facts(direct)).to.deep.equal({ angle: 90, title: 'B: x' });
  });

  it('can be pinned to a version', async () => {
    await save({ ...turn, name: 'pinned', inputs: [] });
    const second = {
      ...turn,
      name: 'pinned',
      inputs: [],
      definition: { pipeline: [step('general/rotate-pdf', { angle: 270 })] },
    };
    expect((await change(second)).status).to.equal(200);
    const angle = async (tool: string): Promise<object> =>
      facts(await pipelines.run(definitionOf([step(`tools/${tool}`)])));
    expect(await angle('pinned')).to.include({ angle: 270 });
    expect(await angle('pinned@1')).to.include({ angle: 90 });
  });

  it('are refused with a value that they do not allow, at the step that names them', async () => {
    await pipelines.expectFault(
      definitionOf([step('tools/turn', { angle: 270 })]),
      '/pipeline/0/parameters/angle',
      /angle must be one of 90, 180; found 270/,
    );
    await pipelines.expectFault(
      definitionOf([step('tools/turn-and-title', { by: 45, customer: 'A' })]),
      '/pipeline/0',
      /turn-and-title → turn: angle must be a multiple of 90; found 45/,
    );
    await pipelines.expectFault(
      definitionOf([step('tools/turn-and-title')]),
      '/pipeline/0/parameters/customer',
      /customer is required/,
    );
    await pipelines.expectFault(definitionOf([step('tools/trun')]), '/pipeline/0/operation', /no saved pipeline trun/);
  });

  it('name fields that they do not have', async () => {
    const answer = await pipelines.validate(definitionOf([step('tools/turn', { angel: 180 })]));
    expect(json<{ ignored: object[] }>(answer).ignored).to.deep.equal([
      { pointer: '/pipeline/0/parameters/angel', detail: 'angel is not an input of turn and is ignored' },
    ]);
  });

  it('never run themselves, directly or through another', async () => {
    const self = { ...turn, inputs: [], definition: { pipeline: [step('tools/turn')] } };
    const own = await change(self);
    expect(pointers(expectProblem(own, 400, 'PIPELINE_INVALID'))).to.deep.equal(['/definition/pipeline/0/operation']);
    expect(detail(own)).to.include('turn would run itself (turn → turn)');
    const other = await change({
      ...self,
      definition: { pipeline: [step('tools/turn-and-title', { customer: 'A' })] },
    } as typeof self);
    expect(pointers(expectProblem(other, 400, 'PIPELINE_INVALID'))).to.deep.equal(['/definition/pipeline/0/operation']);
    expect(detail(other)).to.include('turn would run itself (turn → turn-and-title → turn)');
  });

  it('count with all their steps', async () => {
    const six = Array.from({ length: 6 }, () => step('tools/turn-and-title', { customer: 'A' }));
    await pipelines.expectFault(definitionOf(six), '/pipeline', /has 1[12] steps; the limit is 10/);
  });
});
