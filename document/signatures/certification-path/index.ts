export { anchorsFrom, fetchFrom, MAX_FETCHES, type TrustAtADistance } from './crossing.js';
export { nameKeyOf } from './names.js';
export { isAuthority } from './path-certificate.js';
export { validatePath } from './validate-path.js';
export type {
  AnchorLookup,
  FetchKind,
  PathFailure,
  PathFetch,
  PathPurpose,
  PathRequest,
  PathResult,
  RevocationEvidence,
  RevocationMode,
  RevocationStatus,
} from './types.js';
