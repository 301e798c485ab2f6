export { anchorsFrom, fetchFrom, MAX_FETCHES, type TrustAtADistance } from './crossing.js';
export type { AnchorLookup, FetchKind, PathFailure, PathFetch, PathPurpose, PathRequest, PathResult, RevocationEvidence, RevocationMode, RevocationStatus } from './types.js';
