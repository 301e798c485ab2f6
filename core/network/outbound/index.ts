export { createOutbound } from './outbound-client.js';
export { OutboundWebFetch } from './web-fetch.js';
