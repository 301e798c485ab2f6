import type { JobFacts } from '../../jobs/index.js';
import type { PipelineResult } from './run-pipeline.js';
import type { PipelineReport } from './verify-pipeline.js';

/** Returns the facts that an answer reports about a pipeline run. */
export function pipelineFacts(
  { ignored }: Pick<PipelineReport, 'ignored'>,
  { effects, warnings, dropped }: PipelineResult,
): JobFacts {
  return { effects, warnings, ignored: ignored.map(({ pointer }) => pointer), report: {}, dropped };
}
