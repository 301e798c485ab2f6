import type { CatalogOperation } from '@quire/catalog';
import {
  effectsOf,
  OperationalError,
  type AskedStep,
  type FieldFault,
  type PipelineCall,
  type PipelineRuns,
  type Principal,
  type RunFile,
  type StepField,
  type StepOperation,
} from '@quire/registry';
import { reviveError } from '@quire/registry/errors';
import type { Needs } from '../../jobs/cluster/index.js';
import type { JobService } from '../../jobs/index.js';
import type { PipelineService } from './pipeline-service.js';
import { asFaults } from './verify-pipeline.js';

export interface PipelineRunDeps {
  pipelines(): PipelineService;
  jobs(): Promise<JobService>;
  needsOf(entries: readonly CatalogOperation[]): Needs;
  ownerOf(principal: Principal): string;
}

/** Runs pipelines for plugins' endpoints as jobs of their callers, so that the callers can fetch the files later. */
export class JobPipelineRuns implements PipelineRuns {
  constructor(private readonly deps: PipelineRunDeps) {}

  operations(principal: Principal): readonly StepOperation[] {
    return this.deps
      .pipelines()
      .stepsFor(principal)
      .map(({ operation, schema }) => ({
        operation: `/api/v1/${operation.path}`,
        summary: operation.summary,
        accepts: operation.accepts,
        effects: effectsOf(operation),
        get fields() {
          return fieldsOf(schema.describe() as Described);
        },
      }));
  }

  check(steps: readonly AskedStep[], principal: Principal): readonly FieldFault[] {
    const { faults, ignored, replaced } = this.deps.pipelines().reportSteps(steps, principal);
    return [...faults, ...ignored, ...asFaults(replaced)];
  }

  async run({ steps, files, principal, signal, onStep }: PipelineCall): Promise<readonly RunFile[]> {
    const { ownerOf, needsOf } = this.deps;
    const pipeline = JSON.stringify({ pipeline: steps });
    const report = await this.deps.pipelines().verify(pipeline, principal, true);
    await this.deps.pipelines().check(report, principal);
    const jobs = await this.deps.jobs();
    signal.throwIfAborted();
    const { jobId } = await jobs.start({
      kind: 'pipeline',
      path: 'pipeline/handleData',
      params: {},
      pipeline,
      owner: ownerOf(principal),
      caller: principal,
      needs: needsOf(report.steps.map(({ entry }) => entry)),
      inputs: files.map((file) => ({ field: 'fileInput', name: file.name, kind: file.kind, path: file.path() })),
    });
    const cancel = (): void => void jobs.cancel(jobId).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (signal.aborted) cancel();
      let begun = -1;
      for await (const { step } of jobs.events(jobId, signal)) {
        if (step === null || step.index === begun) continue;
        begun = step.index;
        onStep?.(step.index, step.path);
      }
    } finally {
      signal.removeEventListener('abort', cancel);
    }
    const record = signal.aborted ? undefined : await jobs.get(jobId);
    if (record?.failure) throw reviveError(record.failure);
    if (record?.status !== 'succeeded') throw new OperationalError('CANCELLED');
    return record.allResultFiles.map(({ fileId, fileName, contentType }) => ({ fileId, fileName, contentType }));
  }
}

/** The members of Joi's schema description that are used here. */
interface Described {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly allow?: readonly unknown[];
  readonly flags?: {
    readonly presence?: string;
    readonly default?: unknown;
    readonly description?: string;
    readonly only?: boolean;
  };
  readonly rules?: readonly { readonly name: string; readonly args?: { readonly limit?: unknown } }[];
}

function fieldsOf({ keys = {} }: Described): StepField[] {
  return Object.entries(keys).map(([name, { type = 'any', flags = {}, allow = [], rules = [] }]) => {
    const limit = (rule: string): number | undefined => {
      const found = rules.find((one) => one.name === rule)?.args?.limit;
      return type === 'number' && typeof found === 'number' ? found : undefined;
    };
    const [least, most] = [limit('min'), limit('max')];
    // The default of a `required` field exists only in the documentation.
    const usual = typeof flags.default === 'function' || flags.presence === 'required' ? undefined : flags.default;
    return {
      name,
      type,
      required: flags.presence === 'required',
      ...(flags.description === undefined ? {} : { description: flags.description }),
      ...(flags.only === true && allow.length > 0
        ? { allowed: allow.filter((value) => value === null || typeof value !== 'object') }
        : {}),
      ...(least === undefined ? {} : { least }),
      ...(most === undefined ? {} : { most }),
      ...(usual === undefined ? {} : { default: usual }),
    };
  });
}
