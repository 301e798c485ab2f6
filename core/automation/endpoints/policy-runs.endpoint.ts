import {
  defineEndpoint,
  InputError,
  isQuireError,
  type Clock,
  type Endpoint,
  type FieldFault,
  type Principal,
} from '@quire/registry';
import type { JobService } from '../../jobs/index.js';
import type { PipelineCallDeps } from '../../operations/pipelines/endpoints/index.js';
import type { Automations } from '../automations/automations.js';
import { pipelineStep, type PolicyStep } from '../automations/policy-form.js';
import type { RunRecord, RunRecords } from '../runs/run-records.js';
import { codes, ownCodes, runCodes, startedSchema } from './automations.endpoint.js';
import { runView, runViewSchema, stepSchema } from './policy-wire.js';
import { policyShared } from './policies.endpoint.js';
import { asStepError, runSteps, stepPointer, stepsRequest } from './run-steps.js';
import { listOf } from './list-of.js';

export interface PolicyRunDeps extends PipelineCallDeps {
  readonly clock: Clock;
  readonly automations: Automations;
  readonly runs: RunRecords;
  jobs(): Promise<JobService>;
}

const MOST_RUNS = 200;
const MOST_READ = 1000;
const MINUTE_MS = 60_000;

interface Steps {
  readonly steps: readonly PolicyStep[];
}

/** Runs of policies, and of steps that are not saved. */
export function policyRunEndpoints(deps: PolicyRunDeps): Endpoint[] {
  return [...stepEndpoints(deps), ...runEndpoints(deps)];
}

function stepEndpoints(deps: PolicyRunDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...policyShared,
      id: 'runPolicySteps',
      method: 'POST',
      path: 'policies/run',
      summary: 'Run steps once on your files',
      notes:
        'A job; its results are files of the job. To deliver them elsewhere, save an automation. Files that steps ' +
        'need besides are stored ones (`asset:<id>`), or are sent with the call: `assets[0].key` and ' +
        '`assets[0].file`, `assets[1].key` and so on; a step names the key in its `fileParameters`.',
      request: stepsRequest,
      returns: { description: 'The run was started', status: 202, json: startedSchema },
      errors: [...runCodes],
      handle: async (request) => {
        return { ...(await runSteps(deps, request)), status: 202 };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'validatePolicySteps',
      method: 'POST',
      path: 'policies/validate',
      summary: 'Check whether steps can follow each other',
      notes: 'Nothing is run or saved. `pipeline/validate` answers faults with 400.',
      request: {
        payload: (joi) =>
          joi.object({
            steps: joi.array().items(stepSchema(joi)).required(),
            sourceFormat: joi.string().max(50).description('Not used: every type is assumed'),
          }),
      },
      returns: {
        description: 'The findings',
        json: (joi) =>
          joi
            .object({
              valid: joi.boolean().required(),
              diagnostics: listOf(joi, 'PolicyDiagnostic', {
                step: joi.number().integer().allow(null).required().description('The first is 0'),
                severity: joi.string().valid('error', 'warning').required(),
                pointer: joi.string().allow('').required(),
                message: joi.string().required(),
              }),
            })
            .label('PolicyValidation'),
      },
      errors: [...codes, 'INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'PIPELINE_INVALID'],
      handle: async ({ payload, principal }) => {
        const { steps } = payload as unknown as Steps;
        const json = JSON.stringify({ pipeline: steps.map(pipelineStep) });
        const { faults, ignored } = await deps
          .pipelines()
          .report(json, principal, { elsewhere: true })
          .catch((error: unknown) => Promise.reject(asStepError(error)));
        const found = (severity: string) => (fault: FieldFault) => {
          const pointer = stepPointer(fault.pointer);
          const step = /^\/steps\/(\d+)/.exec(pointer)?.[1];
          return { step: step === undefined ? null : Number(step), severity, pointer, message: fault.detail };
        };
        return {
          json: {
            valid: faults.length === 0,
            diagnostics: [...faults.map(found('error')), ...ignored.map(found('warning'))],
          },
        };
      },
    }),
  ];
}

function runEndpoints(deps: PolicyRunDeps): Endpoint[] {
  const { runs, automations } = deps;
  return [
    defineEndpoint({
      ...policyShared,
      id: 'getPolicyRun',
      method: 'GET',
      path: 'policies/run/{runId}',
      summary: 'Get the state of a run',
      notes:
        'A run of a policy is shown for `policies.runExpiryMinutes` after its end; `automations/{automationId}/runs` ' +
        'has its history.',
      request: { params: (joi) => joi.object({ runId: joi.string().max(200).required() }) },
      returns: { description: 'The run', json: runViewSchema },
      errors: [...ownCodes],
      handle: async ({ principal, params }) => {
        const runId = params['runId'] ?? '';
        const run = await runs.get(runId);
        if (run !== undefined && isExpired(deps, run)) throw new InputError('NOT_FOUND');
        const job = await (await deps.jobs()).get(run?.jobId ?? runId);
        const own = job !== undefined && job.owner === deps.ownerOf(principal);
        if (run === undefined ? !own : !own && !(await sees(deps, principal, run.automationId)))
          throw new InputError('NOT_FOUND');
        return { json: runView(run, job) };
      },
    }),
    defineEndpoint({
      ...policyShared,
      id: 'listPolicyRuns',
      method: 'GET',
      path: 'policies/runs',
      summary: 'List runs of the policies of your team',
      notes:
        'Those that are running or have ended in the last `policies.runExpiryMinutes`; the newest first, 200 at most.',
      returns: { description: 'Runs', json: (joi) => joi.array().items(runViewSchema(joi)).label('PolicyRuns') },
      errors: [...codes],
      handle: async ({ principal }) => {
        const own = new Set((await automations.list(principal)).map(({ id }) => id));
        const found = (await runs.list({}, MOST_READ))
          .filter((one) => own.has(one.automationId) && !isExpired(deps, one))
          .slice(0, MOST_RUNS);
        const jobs = await deps.jobs();
        const views = found.map(async (one) =>
          runView(one, one.endedAt === null ? await jobs.get(one.jobId ?? one.id) : undefined),
        );
        return { json: await Promise.all(views) };
      },
    }),
  ];
}

/** Whether a run has ended too long ago to be shown as one of a policy. Nothing is removed by that. */
function isExpired({ settings, clock }: Pick<PolicyRunDeps, 'settings' | 'clock'>, { endedAt }: RunRecord): boolean {
  const minutes = settings.get('policies.runExpiryMinutes');
  return minutes >= 0 && endedAt !== null && clock.now().getTime() - endedAt > minutes * MINUTE_MS;
}

async function sees({ automations }: PolicyRunDeps, principal: Principal, id: string): Promise<boolean> {
  try {
    await automations.get(principal, id);
    return true;
  } catch (error) {
    if (isQuireError(error) && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}
