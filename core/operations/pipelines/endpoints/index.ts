export { pipelineEndpoints, type PipelineEndpointDeps } from './pipeline.endpoint.js';
export { presetPipelines } from './preset-pipelines.js';
