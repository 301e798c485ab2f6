export { type PageEntry, boxOf, eachPage, normaliseAngle, pageAttribute, pageBox, pageRotation, walkPages, writePageTree } from './walk.js';
export { mendPages } from './mend.js';
