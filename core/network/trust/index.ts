export { ServerTrust, type TrustDeps } from './server-trust.js';
export { HttpTimeStampAuthority, TSA_PRESETS } from './time-stamp-authority.js';
