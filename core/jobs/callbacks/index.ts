export { Callbacks } from './callbacks.js';
export { callbackWire } from './callback-record.js';
export { readCallback } from './read-callback.js';
