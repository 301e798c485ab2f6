export { finishExport, finishPrint, type PrintFinish } from './finish-print.js';
export { paintPages } from './paint-pages.js';
