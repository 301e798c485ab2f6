export { ServerTrust, type TrustParts } from './server-trust.js';
export { HttpTimeStampAuthority, TSA_PRESETS } from './time-stamp-authority.js';
