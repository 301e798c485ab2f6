export { createOutbound } from './outbound-client.js';
export { isPublicAddress } from './addresses.js';
export { OutboundWebFetch } from './web-fetch.js';
