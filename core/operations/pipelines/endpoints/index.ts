export { pipelineEndpoints, type PipelineEndpointDeps, pipelineHeaders } from './pipeline.endpoint.js';
export { type PresetPipeline, presetPipelines } from './preset-pipelines.js';
