export { dropContentTies, dropPageTies, dropTags } from './drop-content-ties.js';
export { silenceStructure } from './silence-structure.js';
