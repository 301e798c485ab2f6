export * from './counters.js';
export * from './counting-rules.js';
export * from './endpoint-days.js';
export * from './health.js';
export * from './metrics.js';
export * from './prometheus-metrics.js';
export * from './weekly-browsers.js';
export * from './usage-statistics.js';
export { pluginWarning } from './plugin-warning.js';
