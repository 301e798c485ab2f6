export * from './definition.js';
export { withRest } from './fault-list.js';
export * from './verify-pipeline.js';
export { isWaiting } from './waiting-errors.js';
export * from './run-pipeline.js';
export * from './pipeline-service.js';
export { pipelineFacts } from './pipeline-facts.js';
export { TOOL, type FindSaved } from './saved-steps.js';
export { inputsUsed } from './templates.js';
