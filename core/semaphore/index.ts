export { FairQueue } from './fair-queue.js';
export { Gate } from './gate.js';
export { accountOwner, addressOwner, currentOwner, onBehalfOf } from './owner.js';
