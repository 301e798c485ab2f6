export { changeInfo, dropInfo, type InfoChanges, localPdfDate } from './change-info.js';
export { isoDate } from './dates.js';
export { documentAuthor } from './document-author.js';
export { documentTime, documentTitle, infoOf } from './info.js';
export { syncXmp, mayDeclareStandards, readClaims, readXmp, withdrawClaims, writeXmp } from './metadata.js';
export { type ResultStamp, type StampOptions, stampResult } from './stamp-result.js';
export { readViewerPreferences } from './viewer-preferences.js';
export { withoutElements } from './xml-elements.js';
export {
  INFO_KEYS,
  type InfoKey,
  infoValue,
  propertyOf,
  withInfoValue,
  withoutInfoValue,
  withoutNamespace,
} from './xmp.js';
