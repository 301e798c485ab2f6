export { allowedAddress } from './allowed-address.js';
export { authorities } from './authorities.js';
export { createOutbound, type CoreCall, type CoreOutbound } from './outbound-client.js';
export { createWebClient, OutboundWebFetch } from './web-fetch.js';
