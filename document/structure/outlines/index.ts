export {
  OUTLINE_LINKS,
  type OutlineItem,
  type OutlineNode,
  outlineTitle,
  pageItem,
  readOutlines,
  upperEdge,
  type UpperEdge,
  writeOutlines,
} from './outlines.js';
