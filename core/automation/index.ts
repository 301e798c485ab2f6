export type { Connectors } from './connectors-of.js';
export type { AutomationStats } from './create-engine.js';
export type { SavedPipeline } from './model.js';
export type { SavedPipelines } from './saved-pipelines.js';
