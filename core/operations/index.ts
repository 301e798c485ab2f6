export { jobLimits, poolLimits, uploadLimit } from './limits.js';
