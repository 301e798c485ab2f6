export { repairPdf, type Repaired, type RepairOptions } from './repair.js';
export type { RepairProgram } from './rungs.js';
export { throughFiles } from './through-files.js';
