export { KeptAnswers, isBody, type Claim, type KeptAnswer } from './kept-answers.js';
export type { KeptBody } from './answer-record.js';
export { fingerprintText } from './fingerprint.js';
export { idempotencyKey } from './idempotency-key.js';
