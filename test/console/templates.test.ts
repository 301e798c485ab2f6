import { createTestServer, type QuireServer } from '@quire/core';
import { makePdf } from '@quire/plugin-kit';
import type { ConsoleCatalog, PipelineTemplate, ShownOperation } from '@quire/registry';
import { expect } from 'chai';

/** More pages than the filters of the templates ask for. */
const PAGES = 12;

describe('The templates of pipelines', function () {
  this.timeout(300_000);
  let server: QuireServer;
  let url: string;
  let catalog: ConsoleCatalog;

  before(async () => {
    server = await createTestServer();
    url = `${await server.start()}/api/v1`;
    catalog = (await (await fetch(`${url}/console/catalog`)).json()) as ConsoleCatalog;
  });
  after(() => server.stop());

  const operationOf = (path: string): ShownOperation => catalog.operations.find((each) => each.path === path)!;
  const usable = (): PipelineTemplate[] =>
    catalog.templates.filter(({ steps }) =>
      steps.every(({ operation }) => operationOf(operation).availability.state === 'available'),
    );
  const formOf = ({ title, steps }: PipelineTemplate): FormData => {
    const form = new FormData();
    const pipeline = steps.map(({ operation, parameters, name }) => ({
      operation: `/api/v1/${operation}`,
      parameters,
      ...(name === undefined ? {} : { name }),
    }));
    form.append('json', JSON.stringify({ name: title, pipeline }));
    return form;
  };
  /** What somebody would enter for the fields that a template leaves to people. */
  const ANSWERS: Readonly<Record<string, unknown>> = { password: 'a secret of mine', listOfText: 'page' };
  const answered = (template: PipelineTemplate): PipelineTemplate => ({
    ...template,
    steps: template.steps.map(({ operation, parameters, ask = [], ...rest }) => ({
      ...rest,
      operation,
      parameters: { ...parameters, ...Object.fromEntries(ask.map((name) => [name, ANSWERS[name]])) },
    })),
  });
  /** A document for the first step: a PDF with enough pages, or the sample of its own example. */
  async function inputFor({ steps }: PipelineTemplate): Promise<File> {
    const { category, parts, examples } = operationOf(steps[0]!.operation);
    // A filter for invoices drops every document without one.
    if (parts[0]!.kinds.includes('pdf') && !steps.some(({ operation }) => operation === 'filter/filter-invoice'))
      return new File([Buffer.from(await makePdf({ pages: PAGES, text: 'page' }))], 'pages.pdf', {
        type: 'application/pdf',
      });
    const name = examples.find(({ files }) => files.length > 0)!.files[0]!;
    const sample = await fetch(`${url}/console/samples/${category}/${name}`);
    return new File([await sample.blob()], name.split('/').at(-1)!);
  }

  it('are at least eight where everything is installed, and have no unknown operations', () => {
    expect(catalog.templates.length).to.be.at.least(8);
    for (const { id, steps } of catalog.templates)
      for (const { operation } of steps) expect(operationOf(operation), `${id}: ${operation}`).to.not.equal(undefined);
  });

  it('are accepted by the check of pipelines once their questions are answered', async () => {
    for (const template of usable()) {
      const response = await fetch(`${url}/pipeline/validate`, { method: 'POST', body: formOf(answered(template)) });
      const report = (await response.json()) as { valid?: boolean; detail?: string; ignored?: readonly object[] };
      expect(report.valid, `${template.id}: ${report.detail ?? ''}`).to.equal(true);
      expect(report.ignored, template.id).to.deep.equal([]);
    }
  });

  it('ship no password', () => {
    for (const { id, steps } of catalog.templates)
      for (const { operation, parameters } of steps) {
        const secrets = operationOf(operation).fields.filter(({ widget }) => widget === 'secret');
        expect(Object.keys(parameters), `${id}: ${operation}`).to.not.include.members(['password']);
        expect(
          secrets.filter(({ name }) => name in parameters),
          `${id}: ${operation}`,
        ).to.deep.equal([]);
      }
  });

  it('run, and return a file', async () => {
    for (const template of usable()) {
      const form = formOf(answered(template));
      form.append('fileInput', await inputFor(template));
      const response = await fetch(`${url}/pipeline/handleData`, { method: 'POST', body: form });
      const size = (await response.clone().arrayBuffer()).byteLength;
      expect(response.status, `${template.id}: ${response.ok ? '' : await response.text()}`).to.equal(200);
      expect(size, template.id).to.be.greaterThan(500);
    }
  });
});
