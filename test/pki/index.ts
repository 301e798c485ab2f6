export { Authority, type Issued, type KeyKind } from './authority.js';
export { openssl } from './openssl.js';
export { PkiServer, timeStampReply } from './pki-server.js';
export { pyhankoPython, verifyWithPyhanko } from './pyhanko.js';
export { type ListedService, listOfLists, nationalList, signList } from './trusted-lists.js';
