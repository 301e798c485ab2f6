export type { InspectLimits } from './inspect-limits.js';
export { inspectPdf, inspectResult } from './inspect.js';
export type { Damage } from '../damage/index.js';
export type { PdfFacts } from './pdf-facts.js';
export { inspectSignatures, needsRepair } from './inspect-with-quire.js';
export { refuseStructureBombs } from './bomb-check.js';
export { openWithLibpdf } from './libpdf.js';
export { isWorthParsing } from './worth-parsing.js';
export { checkSyntax } from './check-syntax.js';
