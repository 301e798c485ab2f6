export * from './definition.js';
export * from './verify-pipeline.js';
export * from './run-pipeline.js';
export * from './pipeline-service.js';
export { pipelineFacts } from './pipeline-facts.js';
