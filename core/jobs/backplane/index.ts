export { noBackplane, type Backplane } from './backplane.js';
export { createBackplane } from './create-backplane.js';
export { atMostEvery } from './listeners.js';
export { pollOrListen } from './slow-polls.js';
