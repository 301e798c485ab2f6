export { jobLimits, jobTimeLimit, uploadLimit } from './limits.js';
