export type { Issuer } from './discover-keys.js';
export { hasFurtherFactor } from './further-factor.js';
export { KeySets, type IssuerKeys } from './issuer-keys.js';
export { CLOCK_TOLERANCE, issuerOf, TokenRejected, verifyToken, type VerifiedToken } from './verify-token.js';
