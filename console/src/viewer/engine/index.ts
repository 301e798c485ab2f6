export { ViewError } from './failure.ts';
export {
  displaySize,
  type Frame,
  fromFrame,
  type PageArea,
  type PageBox,
  type Point,
  rectFromFrame,
  rectToFrame,
  toFrame,
} from './geometry.ts';
export { PRIORITY, ViewedDocument } from './open-document.ts';
export type { OutlineEntry, PageRect, PixelRect, SearchMatch, SearchQuery, TextRun, ViewFailure } from './protocol.ts';
