export * from './server.js';
export * from './endpoints/index.js';
export { presetPipelines, type PresetPipeline } from './endpoints/preset-pipelines.js';
export type { HttpDeps } from './deps.js';
export type { Captures } from './audit-captures.js';
export { runHeaders } from './respond.js';
