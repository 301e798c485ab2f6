export { Authority, type CertificateWish, type Issued, type KeyKind, type Purpose } from './authority.js';
export { openssl } from './openssl.js';
export { type PkiAnswer, type PkiRequest, type PkiRoute, PkiServer, timeStampReply } from './pki-server.js';
export { pyhankoPython, type PyhankoVerdict, verifyWithPyhanko } from './pyhanko.js';
export { type ListedService, listOfLists, nationalList, signList } from './trusted-lists.js';
