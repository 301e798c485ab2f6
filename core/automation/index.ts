export type { SavedPipeline } from './model.js';
export type { SavedPipelines } from './saved-pipelines.js';
