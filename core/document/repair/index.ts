export { repairPdf, type Repaired, type RepairEngine } from './repair.js';
