import type { JobRecord } from '../../jobs/index.js';
import type { StepTime } from '../../operations/pipelines/index.js';
import type { RunRecord } from './run-records.js';

/** What the job of a run has reported, also one that has failed: its steps, and at which of them it failed. */
export function reportOf(job: JobRecord): Required<Pick<RunRecord, 'warnings' | 'steps'>> {
  const { warnings = [], steps = [] } = job.facts ?? {};
  return { warnings, steps: withFailure(job, steps as readonly StepTime[]) };
}

/** A server that stopped could not say at which step it was: the last progress that it stored does. */
function withFailure({ failure, error, step }: JobRecord, steps: readonly StepTime[]): readonly StepTime[] {
  if (failure === null || step === null || steps.some((one) => one.error !== undefined)) return steps;
  const nothing = { count: 0, names: [] };
  const begun = steps.find(({ index }) => index === step.index) ?? {
    index: step.index,
    operation: step.path,
    ms: 0,
    received: nothing,
    returned: nothing,
  };
  const failed = { ...begun, error: { code: failure.code, detail: error ?? '' } };
  return [...steps.filter(({ index }) => index !== step.index), failed].sort((a, b) => a.index - b.index);
}
