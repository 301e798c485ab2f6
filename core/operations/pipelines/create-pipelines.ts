import type { Endpoint, Logger, PipelineRuns, SavedPipelines } from '@quire/registry';
import { pipelineEndpoints, type PipelineCallDeps } from './endpoints/index.js';
import { JobPipelineRuns } from './job-pipeline-runs.js';
import { savedPipelinesOf } from './saved-pipelines.js';

export interface CreatePipelinesDeps extends PipelineCallDeps {
  readonly log: Logger;
}

export interface PipelinesFeature {
  /** Pipelines that plugins run as jobs of their callers. */
  readonly runs: PipelineRuns;
  readonly saved: SavedPipelines;
  readonly endpoints: readonly Endpoint[];
}

/** Creates the endpoints of pipelines and the two services that plugins use. */
export function createPipelines(deps: CreatePipelinesDeps): PipelinesFeature {
  return {
    runs: new JobPipelineRuns(deps),
    saved: savedPipelinesOf(deps),
    endpoints: pipelineEndpoints(deps),
  };
}
