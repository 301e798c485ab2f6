import { FileResult } from './file-result.js';
import { formOf, type Options } from './form.js';
import type { Operations } from './generated/operations.js';
import type { StepName } from './generated/step-name.js';
import type { Input } from './inputs.js';
import { Job, Jobs, type ReadAnswer } from './jobs.js';
import { operations, type OperationRow } from './operation-table.js';
import { list, PipelineBuilder, type PipelineCalls, type PipelineDefinition, type PipelineReport } from './pipeline.js';
import type { Platform } from './platform.js';
import { Transport, type CallOptions, type QuireOptions, type RawRequest } from './transport.js';

/** Each operation as a job: the same parameters, and `result()` of the job returns the same. */
export type OperationsAsJobs = {
  [K in keyof Operations]: (...args: Parameters<Operations[K]>) => Promise<Job<Awaited<ReturnType<Operations[K]>>>>;
};

/** Options of an operation, from the parameters of its method. */
type StepArguments<P extends readonly unknown[]> = undefined extends P[1] ? [options?: P[1]] : [options: P[1]];

/** A pipeline with a method for each operation that can be a step: its options without the document. */
export type Pipeline = PipelineBuilder & {
  [K in StepName]: (...args: StepArguments<Parameters<Operations[K]>>) => Pipeline;
};

/** How an operation is sent: at once, or as a job. */
type Send = (row: OperationRow, args: readonly unknown[]) => Promise<unknown>;

const RUN = '/api/v1/pipeline/handleData';
const AS_JOB = { prefer: 'respond-async' };

/** What the client of both platforms does; the methods of operations are added by `withOperations`. */
export class QuireClient {
  readonly jobs: Jobs;
  /** The operations as jobs: `(await quire.asJob.ocrPdf('scan.pdf')).result()`. */
  readonly asJob: OperationsAsJobs;
  readonly #transport: Transport;
  readonly #platform: Platform;

  constructor(options: QuireOptions, platform: Platform) {
    this.#platform = platform;
    this.#transport = new Transport(options, platform);
    this.jobs = new Jobs(this.#transport, this.#readFile);
    this.asJob = methodsOf((row, args) => this.#start(row, args)) as unknown as OperationsAsJobs;
    Object.assign(
      this,
      methodsOf((row, args) => this.#run(row, args)),
    );
  }

  /** Address of the server. */
  get url(): string {
    return this.#transport.url;
  }

  /**
   * Calls an operation by its path, such as one of a plugin that this package does not know. Options that are files are
   * given as `{ path }`, bytes, Blob or stream; texts are sent as texts. A JSON answer is read with `json()`.
   *
   * @returns undefined for an answer without content (filters)
   */
  async call(
    path: string,
    files: Input | readonly Input[] | undefined,
    options: Options = {},
    call: CallOptions = {},
  ): Promise<FileResult | undefined> {
    const form = await formOf(files === undefined ? [] : list(files), options, this.#platform);
    return this.#readResult(await this.#transport.send(addressOf(path), { ...call, form }));
  }

  /** Starts an operation as a job by its path. */
  async start(
    path: string,
    files: Input | readonly Input[] | undefined,
    options: Options = {},
    call: CallOptions = {},
  ): Promise<Job> {
    const form = await formOf(files === undefined ? [] : list(files), options, this.#platform);
    return this.#startForm(addressOf(path), form, call, this.#readFile);
  }

  /** Any other call of the server's interface, with key, repetitions and errors. `path` starts with `/`. */
  request(path: string, request: RawRequest = {}): Promise<Response> {
    return this.#transport.send(path, request);
  }

  /** Begins a pipeline: `quire.pipeline().rotatePdf({ angle: 90 }).compressPdf().run(files)`. */
  pipeline(given: Partial<PipelineDefinition> = {}): Pipeline {
    const definition = { ...given, pipeline: given.pipeline ?? [] };
    return new PipelineWithSteps(this.#pipelineCalls(), definition) as unknown as Pipeline;
  }

  #pipelineCalls(): PipelineCalls {
    const form = (definition: PipelineDefinition, files: readonly Input[]): Promise<FormData> =>
      formOf(files, { json: JSON.stringify(definition) }, this.#platform);
    return {
      check: async (definition, call) => {
        const sent = await form(definition, []);
        const response = await this.#transport.send('/api/v1/pipeline/validate', { ...call, form: sent });
        return (await response.json()) as PipelineReport;
      },
      run: async (definition, files, call) =>
        this.#readResult(await this.#transport.send(RUN, { ...call, form: await form(definition, files) })),
      start: async (definition, files, call) =>
        this.#startForm(RUN, await form(definition, files), call, this.#readFile),
    };
  }

  async #run(row: OperationRow, args: readonly unknown[]): Promise<unknown> {
    const { form, call } = await this.#prepare(row, args);
    return this.#reader(row)(await this.#transport.send(`/api/v1/${row.path}`, { ...call, form }));
  }

  async #start(row: OperationRow, args: readonly unknown[]): Promise<Job<unknown>> {
    const { form, call } = await this.#prepare(row, args);
    return this.#startForm(`/api/v1/${row.path}`, form, call, this.#reader(row));
  }

  async #startForm<T>(path: string, form: FormData, call: CallOptions, read: ReadAnswer<T>): Promise<Job<T>> {
    const response = await this.#transport.send(path, { ...call, form, headers: AS_JOB });
    const { jobId } = (await response.json()) as { jobId: string };
    return new Job(jobId, this.#transport, read);
  }

  /** `args`: the documents unless the operation has none, options, and options of the call. */
  async #prepare(row: OperationRow, args: readonly unknown[]): Promise<{ form: FormData; call: CallOptions }> {
    const [files, options = {}, call = {}] = (row.inputless ? [[], ...args] : args) as [
      Input | readonly Input[],
      Options?,
      CallOptions?,
    ];
    return { form: await formOf(list(files), options, this.#platform, row), call };
  }

  #reader(row: OperationRow): ReadAnswer<unknown> {
    return row.json ? (response) => response.json() : this.#readResult;
  }

  readonly #readFile: ReadAnswer<FileResult> = (response) => Promise.resolve(new FileResult(response, this.#platform));

  readonly #readResult: ReadAnswer<FileResult | undefined> = async (response) =>
    response.status === 204 ? undefined : this.#readFile(response);
}

/** `general/rotate-pdf` or `/api/v1/general/rotate-pdf`. */
function addressOf(path: string): string {
  return `/api/v1/${path.replace(/^\/?(api\/v1\/)?/, '')}`;
}

function methodsOf(send: Send): Record<string, (...args: unknown[]) => Promise<unknown>> {
  return Object.fromEntries(operations.map((row) => [row.name, (...args: unknown[]) => send(row, args)]));
}

class PipelineWithSteps extends PipelineBuilder {
  static {
    for (const row of operations)
      Object.defineProperty(this.prototype, row.name, {
        value(this: PipelineWithSteps, options: Options = {}) {
          return this.step(row.path, options, row);
        },
      });
  }
}
