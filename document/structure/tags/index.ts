export { dropContentReferences, dropPageContentReferences, dropTags } from './drop-content-references.js';
export { dropReplacementTexts } from './drop-replacement-texts.js';
