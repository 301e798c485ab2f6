export { type JobCallback, type JobCallbacks } from './job-callbacks.js';
export { type JobFacts } from './job-facts.js';
export { nothingText } from './job-endings.js';
export { type JobExecutor, type JobOutput } from './job-executor.js';
export { type JobCluster, type JobServiceOptions, type JobSettings } from './job-options.js';
export { normalUrgency } from './job-order.js';
export { type JobRecord, type JobWire, localDateTime, toWire } from './job-record.js';
export { type JobRequest, type JobService, type OpenResultFile } from './job-service.js';
export { createJobService } from './store-job-service.js';
