export {
  KeptAnswers,
  isBody,
  type Claim,
  type IdempotencySettings,
  type KeptAnswer,
  type KeptAnswersDeps,
  type KeyedRequest,
} from './kept-answers.js';
export type { KeptBody, KeptHead } from './answer-record.js';
export { fingerprintText, type FingerprintFile } from './fingerprint.js';
export { idempotencyKey } from './idempotency-key.js';
