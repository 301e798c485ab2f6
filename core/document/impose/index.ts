export { type ImposeOptions, imposeSheets } from './impose-sheets.js';
export { LARGEST_SIDE, type Placement, type Sheet } from './sheets.js';
