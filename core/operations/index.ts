export { jobLimits, poolSettings, uploadLimit } from './limits.js';
