export { pipelineHeaders } from './pipeline.endpoint.js';
export { type PresetPipeline, presetPipelines } from './preset-pipelines.js';
