export { Callbacks } from './callbacks.js';
export { callbackWire } from './callback-record.js';
export { streamedWebhookHeaders, webhookHmac, webhookKey } from './webhook-signature.js';
export { readCallback } from './read-callback.js';
