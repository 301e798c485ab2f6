import type { JobFacts } from '../../jobs/index.js';
import type { PipelineResult } from './run-pipeline.js';
import type { PipelineReport } from './verify-pipeline.js';

/** Returns the facts that an answer reports about a pipeline run. `replaced`: values of the call itself. */
export function pipelineFacts(
  { ignored, replaced }: Pick<PipelineReport, 'ignored' | 'replaced'>,
  { effects, warnings, dropped, decisions, decisionsCount, steps }: Omit<PipelineResult, 'files'>,
  replacedInCall: readonly string[] = [],
): JobFacts {
  return {
    effects,
    warnings,
    ignored: ignored.map(({ pointer }) => pointer),
    replaced: [...replacedInCall, ...replaced.map(({ pointer, used }) => `${pointer}=${used}`)],
    report: {},
    dropped,
    ...(steps.length > 0 ? { steps } : {}),
    ...(decisions.length > 0 ? { decisions } : {}),
    ...(decisionsCount === undefined ? {} : { decisionsCount }),
  };
}
