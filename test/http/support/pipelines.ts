import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, pointers, post, type Answer } from './client.js';
import { quiet, startServer, usualPlugins, type TestServer } from './server.js';

export const API = '/api/v1';

export interface Step {
  readonly operation: string;
  readonly parameters?: unknown;
}

export const step = (operation: string, parameters: Readonly<Record<string, unknown>> = {}): Step => ({
  operation: `${API}/${operation}`,
  parameters,
});

/** A filter step that keeps documents with more pages than this. */
export const withMorePages = (pageCount: number): Step =>
  step('filter/filter-page-count', { pageCount, comparator: 'Greater' });

export const definitionOf = (steps: readonly unknown[], rest: object = {}): string =>
  JSON.stringify({ pipeline: steps, ...rest });

/** A server that runs pipelines of at most ten steps, and PDFs with one and with three pages. */
export class PipelineServer {
  server!: TestServer;
  one!: Uint8Array;
  three!: Uint8Array;

  get url(): string {
    return this.server.url;
  }

  /** `plugins`: those that it loads beside the usual ones. */
  constructor(private readonly plugins: readonly string[] = []) {}

  async start(): Promise<void> {
    const settings = { limits: { maxPipelineSteps: 10 }, endpoints: { toRemove: ['remove-pages'] } };
    this.server = await startServer(settings, undefined, [...usualPlugins, ...this.plugins]);
    [this.one, this.three] = [await makePdf({ pages: 1 }), await makePdf({ pages: 3 })];
  }

  run(
    definition: string,
    files: readonly [Uint8Array, string][] = [[this.one, 'one.pdf']],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const parts = [...files.map(([bytes, name]) => file(bytes, name)), field('json', definition)];
    return post(`${this.url}${API}/pipeline/handleData`, parts, headers);
  }

  validate(definition: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return post(`${this.url}${API}/pipeline/validate`, [field('json', definition)], headers);
  }

  /** Expects one fault at this pointer, from the run and from the validation alike. */
  async expectFault(definition: string, pointer: string, detail: RegExp): Promise<void> {
    for (const answer of [await this.run(definition), await this.validate(definition)]) {
      const problem = expectProblem(answer, 400, 'PIPELINE_INVALID');
      expect(pointers(problem), JSON.stringify(problem.errors)).to.deep.equal([pointer]);
      expect(problem.errors?.[0]?.detail).to.match(detail);
    }
  }
}

/** Starts the server before the tests and stops it after them; expects no leftovers after each test. */
export function usePipelines(plugins?: readonly string[]): PipelineServer {
  const pipelines = new PipelineServer(plugins);
  before(() => pipelines.start());
  after(() => pipelines.server.stop());
  afterEach(() => quiet(pipelines.server));
  return pipelines;
}
