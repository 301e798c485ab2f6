export { HttpTimeStampAuthority, TSA_PRESETS } from './time-stamp-authority.js';
