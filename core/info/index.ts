export * from './counters.js';
export * from './metrics.js';
