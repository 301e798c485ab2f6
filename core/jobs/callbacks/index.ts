export { Callbacks, type CallbackParts, type CallbackSettings } from './callbacks.js';
export { callbackWire, type CallbackAttempt, type CallbackRecord, type CallbackType } from './callback-record.js';
export { readCallback, type CallbackRules } from './read-callback.js';
