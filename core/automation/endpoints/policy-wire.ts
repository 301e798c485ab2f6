import type { JoiRoot } from '@quire/registry';
import type { JobRecord } from '../../jobs/index.js';
import { policyTriggers } from '../automations/policy-form.js';
import type { RunRecord } from '../runs/run-records.js';
import { idField, nameSchema } from './automation-wire.js';
import { listOf } from './list-of.js';

export const stepSchema = (joi: JoiRoot) =>
  joi
    .object({
      operation: joi.string().description('Path of the operation; steps with `if`, `parallel` or `each` have none'),
      parameters: joi.object().unknown().default({}),
      fileParameters: joi
        .object()
        .unknown()
        .default({})
        .description('Stored files by file field of the operation: `asset:<id>`'),
    })
    .unknown()
    .label('PolicyStep');

const triggerSchema = (joi: JoiRoot) =>
  joi
    .object({
      type: joi
        .string()
        .valid(...Object.keys(policyTriggers))
        .required(),
      options: joi
        .object()
        .unknown()
        .default({})
        .description('Of a schedule: `schedule` (`type`, and its members) and `zone`'),
    })
    .label('PolicyTrigger')
    .allow(null)
    .default(null)
    .description('Null: only by hand');

const outputSchema = (joi: JoiRoot) =>
  joi
    .object({
      type: joi.string().max(50).default('inline').description('`inline`, or a kind of destination'),
      options: joi.object().unknown().default({}),
    })
    .label('PolicyOutput')
    .allow(null)
    .default({ type: 'inline', options: {} });

const policyKeys = (joi: JoiRoot) => ({
  name: nameSchema(joi).required(),
  enabled: joi.boolean().required(),
  trigger: triggerSchema(joi),
  sourceIds: joi.array().max(50).items(idField(joi)).default([]),
  steps: joi.array().items(stepSchema(joi)).default([]),
  output: outputSchema(joi),
  outputIds: joi
    .array()
    .max(20)
    .items(idField(joi))
    .description('Sources whose options are used as destinations, in place of `output`'),
  icon: joi.string().allow('').max(100),
});

const inputsSchema = (joi: JoiRoot) =>
  joi
    .array()
    .max(50)
    .items(joi.object({ sourceId: idField(joi).required(), trigger: triggerSchema(joi) }).label('PolicyInput'))
    .description('Each source with its own trigger; in place of `trigger` and `sourceIds`');

export const sentPolicySchema = (joi: JoiRoot) =>
  joi.object({ id: idField(joi).allow('', null), ...policyKeys(joi), inputs: inputsSchema(joi) }).unknown();

export const policySchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      ...policyKeys(joi),
      owner: joi.string().allow(null).required(),
      teamId: joi.number().integer().allow(null).required(),
      inputs: inputsSchema(joi).required(),
      storeId: joi.string().allow(null).required().description('Its listing in a store'),
    })
    .label('Policy');

export const policyOverviewSchema = (joi: JoiRoot) =>
  joi
    .object({
      kpis: listOf(joi, 'PolicyFigure', { value: joi.number().integer(), description: joi.string() }),
      pipelines: listOf(joi, 'PolicyRow', {
        id: joi.string().required(),
        name: joi.string().required(),
        enabled: joi.boolean().required(),
        status: joi.string().valid('active', 'paused').required(),
        trigger: joi.string().required(),
        sources: listOf(joi, 'PolicySource', { id: joi.string(), name: joi.string() }),
        steps: joi.array().items(joi.string()).required(),
        output: joi.string().required(),
        owner: joi.string().allow(null).required(),
      }),
    })
    .label('PolicyOverview');

export const runViewSchema = (joi: JoiRoot) =>
  joi
    .object({
      runId: joi.string().required(),
      policyId: joi.string().allow(null).required(),
      status: joi.string().valid('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED').required(),
      currentStep: joi
        .number()
        .integer()
        .required()
        .description('The first is 1; 0 before it; of a failed run, the one that failed'),
      stepCount: joi.number().integer().required(),
      error: joi.string().allow(null, '').required(),
      errorCode: joi.string().allow(null).required(),
      errorSubscribed: joi.boolean().allow(null).required(),
      outputs: listOf(joi, 'PolicyRunOutput', {
        fileId: joi.string().allow(null).required(),
        fileName: joi.string().required(),
        contentType: joi.string().required(),
        fileSize: joi.number().integer().required(),
      }),
      createdAt: joi.number().integer().required().description('Milliseconds since 1970'),
    })
    .label('PolicyRun');

const ofRun = {
  running: 'RUNNING',
  completed: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
} as const;
const ofJob = {
  queued: 'PENDING',
  running: 'RUNNING',
  succeeded: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
} as const;

/** A run as policies show it: the stored run with its job, or a job alone, of a run that is not stored. */
export function runView(run: RunRecord | undefined, job: JobRecord | undefined) {
  const step = job?.step ?? run?.steps?.find(({ error }) => error !== undefined) ?? run?.steps?.at(-1);
  const { stepCount, ...view } = run === undefined ? viewOfJob(job) : viewOfRun(run, job);
  const currentStep = view.status === 'COMPLETED' ? stepCount : step === undefined ? 0 : step.index + 1;
  return { ...view, currentStep, stepCount, errorSubscribed: null };
}

function viewOfRun(run: RunRecord, job: JobRecord | undefined) {
  const waits = run.state === 'running' && job?.status === 'queued';
  return {
    runId: run.id,
    policyId: run.automationId,
    status: waits ? 'PENDING' : ofRun[run.state],
    stepCount: run.stepCount,
    error: run.detail,
    errorCode: run.code,
    outputs: run.outputs.map(({ name, size, contentType, fileId, places }) => ({
      fileId,
      fileName: places[0] ?? name,
      contentType,
      fileSize: size,
    })),
    createdAt: run.startedAt,
  };
}

function viewOfJob(job: JobRecord | undefined) {
  return {
    runId: job?.jobId ?? '',
    policyId: null,
    status: ofJob[job?.status ?? 'failed'],
    stepCount: 0,
    error: job?.error ?? null,
    errorCode: job?.failure?.code ?? null,
    outputs: job?.allResultFiles ?? [],
    createdAt: Math.round(job?.createdAtMs ?? 0),
  };
}
