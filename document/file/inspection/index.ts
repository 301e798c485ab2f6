export { type InspectLimits, inspectPdf, inspectResult, opensWithoutPassword, type PdfFacts } from './inspect.js';
export { inspectSignatures, needsMending } from './own-facts.js';
export { refuseStructureBombs } from './bomb-check.js';
export { openWithLibpdf } from './libpdf.js';
export { isWorthParsing } from './worth-parsing.js';
