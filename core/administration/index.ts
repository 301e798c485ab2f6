export { FirstRun, type OnceRecord } from './first-run.js';
export { engineFacts, type EngineFact } from './engine-facts.js';
export { installHint, ProgramFacts } from './program-facts.js';
export { installationId } from './installation-id.js';
export { packageLicences, type PackageLicence } from './package-licences.js';
