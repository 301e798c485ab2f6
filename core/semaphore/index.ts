export { FairQueue } from './fair-queue.js';
export { Gate } from './gate.js';
export { accountOwner, addressOwner, currentOwner, onBehalfOf } from './owner.js';
export { childrenOf, processTree, SharedProgram } from './processes.js';
export { mapAtOnce } from './map-at-once.js';
export { measureProgram, waitForTurn, WorkClock, type WorkLimit } from './work-clock.js';
