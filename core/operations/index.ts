export { jobLimits, uploadLimit } from './limits.js';
