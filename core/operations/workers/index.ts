export { inBackground } from './background.js';
export { workerTasksOf } from './plugin-tasks.js';
export {
  type DocumentsTask,
  type FromWorker,
  type PluginTask,
  type RunOutcome,
  type RunTask,
  type ServiceCall,
  type ToWorker,
  type UnzipTask,
  type WorkerTask,
  type WritePolicy,
  type ZipTask,
} from './protocol.js';
export { type SignatureFacts, type WireFile } from './wire-file.js';
export { killLeftoverWorkers, type PoolSettings, type PoolStats, WorkerPool } from './worker-pool.js';
