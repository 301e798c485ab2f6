export { repairPdf, type Repaired, type RepairOptions } from './repair.js';
export type { RepairProgram } from './repair-engine.js';
export { fileProgram } from './file-program.js';
