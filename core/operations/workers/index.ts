export { inBackground } from './background.js';
export { workerTasksOf } from './plugin-tasks.js';
export {
  type FromWorker,
  type InspectTask,
  type PluginTask,
  type RunOutcome,
  type RunTask,
  type ServiceCall,
  type SignatureFacts,
  type ToWorker,
  type UnzipTask,
  type WireFile,
  type WorkerTask,
  type WritePolicy,
  type ZipTask,
} from './protocol.js';
export { killLeftoverWorkers, type PoolSettings, type PoolStats, WorkerPool } from './worker-pool.js';
