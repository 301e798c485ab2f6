export { ServerTrust } from './server-trust.js';
export { HttpTimeStampAuthority, TSA_PRESETS } from './time-stamp-authority.js';
