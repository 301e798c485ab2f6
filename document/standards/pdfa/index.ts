export { claimPdfA, type PdfAClaim } from './claim.js';
export { claimsGoal, claimsPdfA, goalName, type PdfAGoal } from './goal.js';
export {
  convertToPdfA,
  type PdfACheck,
  type PdfAEngines,
  type PdfAOptions,
  type PdfAResult,
  type PdfAWay,
} from './convert.js';
export { embedStandardFonts, fontsWithoutProgram } from './embed-fonts.js';
export { type Losses, fixForPdfA, PRODUCER } from './fix.js';
export { setOutputIntent } from './fix-catalog.js';
export { fixObjects } from './fix-objects.js';
export { checkWith, type StandardsAnswer } from './verdict.js';
export { prepareForPdfA } from './prepare.js';
export { type Restored, type RestoreOptions, restoreParts } from './restore-parts.js';
