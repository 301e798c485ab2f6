export { contentStreams, decodedContent } from './contents.js';
export {
  type PageEntry,
  boxOf,
  eachPage,
  normaliseAngle,
  NOTHING,
  pageAttribute,
  pageBox,
  pageRotation,
  userUnit,
  walkPages,
  writePageTree,
} from './walk.js';
export { insertPage, movePage, removePage } from './edit.js';
export { repairPages } from './repair-pages.js';
export { decimalLabels, type PageLabel, readPageLabels, writePageLabels } from './page-labels.js';
export { PageRepeats } from './repeat-pages.js';
