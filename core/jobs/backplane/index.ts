export { noBackplane, type Backplane } from './backplane.js';
export { createBackplane } from './create-backplane.js';
export { atMostEvery } from './listeners.js';
export { pollOrListen, SLOW_JOBS_MS } from './slow-polls.js';
