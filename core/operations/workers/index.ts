export { inBackground } from './background.js';
export { workerTasksOf } from './plugin-tasks.js';
export { nameSourcesInStacks } from './readable-stacks.js';
export type { ViewedPages } from './view-pages.js';
export type { WireFile } from './wire-file.js';
export { killLeftoverWorkers, type PoolLimits, type PoolStats, WorkerPool } from './worker-pool.js';
export { workerEntry } from './worker-process.js';
