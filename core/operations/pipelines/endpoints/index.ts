export { pipelineEndpoints } from './pipeline.endpoint.js';
export { isStrict, runAnswers, runCall, stepCodes, type PipelineCallDeps } from './pipeline-call.js';
export { presetPipelines } from './preset-pipelines.js';
