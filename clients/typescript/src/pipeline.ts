import { QuireError, type FieldFault } from './errors.js';
import type { FileResult } from './file-result.js';
import { filesOf, type Options } from './form.js';
import type { Input } from './inputs.js';
import type { Job } from './jobs.js';
import type { OperationRow } from './operation-table.js';
import type { CallOptions } from './transport.js';

/** A pipeline as the server reads it (docs/guides/pipelines.md). */
export interface PipelineDefinition {
  readonly name?: string;
  /** Pattern of result names: `{filename}`, `{pipelineName}`, `{date}`, `{time}`. */
  readonly outputFileName?: string;
  readonly pipeline: readonly { readonly operation: string; readonly parameters: Options }[];
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
  run(
    definition: PipelineDefinition,
    files: readonly Input[],
    parts: Options,
    call: CallOptions,
  ): Promise<PipelineResult>;
  start(definition: PipelineDefinition, files: readonly Input[], parts: Options, call: CallOptions): Promise<Job>;
}

/** The file, or a zip of several; undefined if filters dropped every file. */
export type PipelineResult = FileResult | undefined;

interface State {
  readonly definition: PipelineDefinition;
  /** Second files by field; every step with that field uses the same one. */
  readonly parts: Options;
}

/** Steps that run one after another in one call. Each method returns a new pipeline, so that a start can be shared. */
export class PipelineBuilder {
  constructor(
    private readonly calls: PipelineCalls,
    private readonly state: State,
  ) {}

  /** What is sent. */
  get definition(): PipelineDefinition {
    return this.state.definition;
  }

  /** Adds a step by its path (`acme/barcode`): for operations that this package does not know. */
  step(path: string, options: Options = {}, row?: OperationRow): this {
    const files = Object.entries(options).filter(([name, value]) => filesOf(name, value, row) !== undefined);
    const parts = { ...this.state.parts };
    for (const [name, value] of files) {
      if (name in parts && parts[name] !== value)
        throw new QuireError(
          'PART_TWICE',
          `Two steps have a different "${name}"; a pipeline sends one file of that name.`,
        );
      parts[name] = value;
    }
    const names = new Set(files.map(([name]) => name));
    const parameters = Object.fromEntries(
      Object.entries(options).filter(([name, value]) => !names.has(name) && value !== undefined),
    );
    const { definition } = this.state;
    const added = { operation: `/api/v1/${path}`, parameters };
    const Class = this.constructor as typeof PipelineBuilder;
    return new Class(this.calls, {
      definition: { ...definition, pipeline: [...definition.pipeline, added] },
      parts,
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
    return this.calls.run(this.definition, list(files), this.state.parts, call);
  }

  /** Checks the pipeline, then starts it as a job. */
  async start(files: Input | readonly Input[], call: CallOptions = {}): Promise<Job> {
    await this.check(call);
    return this.calls.start(this.definition, list(files), this.state.parts, call);
  }
}

export function list<T>(items: T | readonly T[]): readonly T[] {
  return Array.isArray(items) ? (items as readonly T[]) : [items as T];
}
