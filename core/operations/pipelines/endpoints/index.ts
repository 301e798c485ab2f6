export { pipelineEndpoints, type PipelineEndpointDeps } from './pipeline.endpoint.js';
export { type PresetPipeline, presetPipelines } from './preset-pipelines.js';
