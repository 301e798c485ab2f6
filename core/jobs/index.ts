export { type JobCallback, type JobCallbacks } from './job-callbacks.js';
export { type CleanupReport } from './job-cleanup.js';
export { type JobFacts } from './job-facts.js';
export { nothingText } from './job-endings.js';
export {
  type JobExecutor,
  type JobInput,
  type JobKind,
  type JobOutcome,
  type JobOutput,
  type JobRunContext,
  type JobWork,
} from './job-executor.js';
export { type JobCluster, type JobServiceOptions, type JobSettings, type JobTiming } from './job-options.js';
export { normalUrgency } from './job-order.js';
export {
  type JobMembers,
  type JobRecord,
  type JobStatus,
  type JobStep,
  type JobWire,
  localDateTime,
  type ResultFile,
  toWire,
} from './job-record.js';
export { type JobRequest, type JobService, type OpenResultFile } from './job-service.js';
export { createJobService } from './store-job-service.js';
export { type JobStates, type JobStatistics, type QueueStatistics } from './job-statistics.js';
