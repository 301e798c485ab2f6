export type { Place, Sentence, Severity, Violation } from './violation.js';
