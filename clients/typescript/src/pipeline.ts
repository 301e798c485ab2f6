import { QuireError, type FieldFault } from './errors.js';
import type { FileResult } from './file-result.js';
import { filesOf, type Options } from './form.js';
import type { Input } from './inputs.js';
import type { Job } from './jobs.js';
import type { OperationRow } from './operation-table.js';
import type { PipelineStep } from './pipeline-steps.js';
import type { CallOptions } from './transport.js';

/** A pipeline as the server reads it (docs/guides/pipelines.md). */
export interface PipelineDefinition {
  readonly name?: string;
  /** Pattern of result names: `{filename}`, `{pipelineName}`, `{date}`, `{time}`. */
  readonly outputFileName?: string;
  readonly pipeline: readonly PipelineStep[];
  /** With it, placeholders in texts are replaced: `{{input.<name>}}` by these values. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Answer of the check of a pipeline that can run. */
export interface PipelineReport {
  readonly valid: boolean;
  /** Fields that an operation does not know. */
  readonly ignored: readonly FieldFault[];
  /** Values that are replaced by others. */
  readonly replaced: readonly FieldFault[];
}

/** What a pipeline needs of the client. */
export interface PipelineCalls {
  check(definition: PipelineDefinition, call: CallOptions): Promise<PipelineReport>;
  run(definition: PipelineDefinition, files: readonly Input[], call: CallOptions): Promise<PipelineResult>;
  start(definition: PipelineDefinition, files: readonly Input[], call: CallOptions): Promise<Job>;
}

/** The file, or a zip of several; undefined if filters dropped every file. */
export type PipelineResult = FileResult | undefined;

/** Steps that run one after another in one call. Each method returns a new pipeline, so that a start can be shared. */
export class PipelineBuilder {
  constructor(
    private readonly calls: PipelineCalls,
    /** What is sent. */
    readonly definition: PipelineDefinition,
  ) {}

  /** Adds a step by its path (`acme/barcode`): for operations that this package does not know. */
  step(path: string, options: Options = {}, row?: OperationRow): this {
    const file = Object.entries(options).find(([name, value]) => filesOf(name, value, row) !== undefined);
    if (file !== undefined)
      throw new QuireError('STEP_FILE', `A step cannot have a file of its own ("${file[0]}"); call ${path} directly.`);
    const parameters = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const { definition } = this;
    const Class = this.constructor as typeof PipelineBuilder;
    return new Class(this.calls, {
      ...definition,
      pipeline: [...definition.pipeline, { operation: `/api/v1/${path}`, parameters }],
    }) as this;
  }

  /**
   * Checks every step on the server without a document.
   *
   * @throws InputError with a pointer for each fault (`/pipeline/0/parameters/angle`)
   */
  check(call: CallOptions = {}): Promise<PipelineReport> {
    return this.calls.check(this.definition, call);
  }

  /** Checks the pipeline, then sends the documents and waits for the result. */
  async run(files: Input | readonly Input[], call: CallOptions = {}): Promise<PipelineResult> {
    await this.check(call);
    return this.calls.run(this.definition, list(files), call);
  }

  /** Checks the pipeline, then starts it as a job. */
  async start(files: Input | readonly Input[], call: CallOptions = {}): Promise<Job> {
    await this.check(call);
    return this.calls.start(this.definition, list(files), call);
  }
}

export function list<T>(items: T | readonly T[]): readonly T[] {
  return Array.isArray(items) ? (items as readonly T[]) : [items as T];
}
