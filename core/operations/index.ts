export { jobLimits, limitsOf, poolSettings, uploadLimit, workerSettings } from './limits.js';
