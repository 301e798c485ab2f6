export { finishedAnswer, wantsJson } from './job-result.js';
export { type JobStartDeps, startJob } from './start-job.js';
export { waitForChange } from './wait-for-job.js';
