export { DeferredStream } from './deferred-stream.js';
