export { CmsFault, type CmsSignedData, type CmsSignerInfo, readCms } from './read-cms.js';
export { type CmsRequest, type CmsSigner, planCms, signCms } from './sign-cms.js';
export { schemeOf, type SignatureScheme, signWith } from './schemes.js';
export {
  type CmsVerdict,
  digestOf,
  isTimeStampToken,
  isSignatureOf,
  type SignatureFacts,
  type SignedContent,
  verifySigner,
} from './verify-cms.js';
export {
  readTimeStamp,
  readTimeStampReply,
  stampedHash,
  type TimeStamp,
  timeStampRequest,
  type TimeStampRequest,
} from './time-stamps.js';
export type { DigestName, KeyFamily } from './oids.js';
