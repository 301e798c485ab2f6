export { Callbacks, type CallbackDeps } from './callbacks.js';
export type { CallbackSettings } from './callback-settings.js';
export { callbackWire, type CallbackAttempt, type CallbackRecord, type CallbackType } from './callback-record.js';
export { readCallback, type CallbackRules } from './read-callback.js';
