import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { expectProblem, pointers, type Answer } from '../support/client.js';
import { step, usePipelines } from '../support/pipelines.js';

describe('Placeholders in the parameters of a pipeline', () => {
  const pipelines = usePipelines();
  const run = (definition: object, name = 'a.pdf'): Promise<Answer> =>
    pipelines.run(JSON.stringify(definition), [[pipelines.one, name]]);
  const validate = (definition: object): Promise<Answer> => pipelines.validate(JSON.stringify(definition));
  const titled = (title: string): object => step('misc/update-metadata', { title, deleteAll: false });
  const titleOf = async (body: Uint8Array): Promise<string | undefined> => (await PDFDocument.load(body)).getTitle();

  it('become the name of the file, the date and the values that came with the pipeline', async () => {
    const pipeline = [titled('{{ input.customer }}: {{file.base}} ({{file.extension}}, {{file.name}}) of {{date}}')];
    const before = new Date().toISOString().slice(0, 10);
    const answer = await run({ pipeline, values: { customer: 'Müller {{file.base}}' } }, 'bill.2026.pdf');
    expect(answer.status, answer.body.toString()).to.equal(200);
    const title = (await titleOf(answer.body)) ?? '';
    expect(title.slice(0, -10)).to.equal('Müller {{file.base}}: bill.2026 (pdf, bill.2026.pdf) of ');
    expect([before, new Date().toISOString().slice(0, 10)]).to.include(title.slice(-10));
  });

  it('keep the type of a value, and leave a field without a value to its default', async () => {
    const turned = [step('general/rotate-pdf', { angle: '{{input.angle}}' })];
    const angleAfter = async (values: object): Promise<number> => {
      const answer = await run({ pipeline: turned, values });
      expect(answer.status, answer.body.toString()).to.equal(200);
      return (await PDFDocument.load(answer.body)).getPage(0).getRotation().angle;
    };
    expect(await angleAfter({ angle: 270 })).to.equal(270);
    expect(await angleAfter({ angle: null })).to.equal(90);
  });

  it('are checked before the first file is read, with the values that they get', async () => {
    const pipeline = [step('general/rotate-pdf', { angle: '{{input.angle}}' }), titled('{{input.custmer}}')];
    const values = { angle: 45, customer: 'A' };
    const problem = expectProblem(await validate({ pipeline, values }), 400, 'PIPELINE_INVALID');
    expect(pointers(problem)).to.have.members(['/pipeline/0/parameters/angle', '/pipeline/1/parameters/title']);
    expect(problem.errors?.[1]?.detail).to.match(
      /\{\{input\.custmer\}\} stands for nothing; known are .*input\.customer/,
    );
    const wrong = expectProblem(await validate({ pipeline, values: [] }), 400, 'PIPELINE_INVALID');
    expect(pointers(wrong)).to.deep.equal(['/values']);
  });

  it('are ordinary text in a pipeline without values', async () => {
    const answer = await run({ pipeline: [titled('{{file.base}}')] });
    expect(await titleOf(answer.body)).to.equal('{{file.base}}');
  });

  it('of names that inherit from every object stand for nothing', async () => {
    const pipeline = [titled('{{constructor}} {{input.constructor}}')];
    const problem = expectProblem(await validate({ pipeline, values: {} }), 400, 'PIPELINE_INVALID');
    expect(problem.errors).to.have.length(2);
  });

  it('fail the step where the name of a file does not fit into its field', async () => {
    const pipeline = [step('misc/rename-attachment', { attachmentName: 'a', newName: '{{file.extension}}' })];
    const problem = expectProblem(await run({ pipeline, values: {} }, 'letter'), 400, 'INPUT_INVALID');
    expect(problem).to.deep.include({ file: 'letter' });
    expect(problem.step).to.deep.include({ index: 0 });
    expect(pointers(problem)).to.deep.equal(['/pipeline/0/parameters/newName']);
  });
});
