export { createJobService, type JobRequest, type JobService, type OpenResultFile } from './job-service.js';
export type { JobCluster, JobServiceOptions, JobSettings, JobTiming } from './job-options.js';
export type { JobExecutor, JobInput, JobKind, JobOutcome, JobOutput, JobRunContext, JobWork } from './job-executor.js';
export { normalUrgency } from './job-order.js';
export { nothingText } from './job-endings.js';
export { toWire, localDateTime, type JobMembers, type JobRecord, type JobStatus, type JobStep, type JobWire, type ResultFile } from './job-record.js';
export type { CleanupReport } from './job-cleanup.js';
export type { JobStates, JobStatistics, QueueStatistics } from './job-statistics.js';
export { loadSecretKey, openJson, sealJson } from './job-secrets.js';
