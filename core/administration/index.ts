export { engineFacts, type EngineFact } from './engine-facts.js';
export { FirstRun, type OnceRecord } from './first-run.js';
export { packageLicences, type PackageLicence } from './package-licences.js';
export { installHint, ProgramFacts, type ProgramFact } from './program-facts.js';
