export { checkPdfX } from './check.js';
export { finishPdfX } from './finish.js';
