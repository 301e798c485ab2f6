export {
  MAX_JOB_PIXELS,
  MAX_PAGE_PIXELS,
  type PixelSize,
  type PointSize,
  fittingDpi,
  guardPixels,
  pixelSize,
} from './limits.js';
export { invisibleText } from './hide-text.js';
export { type PagePart, type RenderOptions, renderPage } from './render-page.js';
export { withRenderable } from './with-renderable.js';
export { type DrawableOptions, withDrawable } from './with-drawable.js';
export { type PagePicture, type PagePixels, picturePages, type PicturePagesOptions } from './picture-pages.js';
export { drawOrPicture, type ImagesInstead } from './draw-or-picture.js';
export { PictureStore } from './picture-store.js';
export { breathe } from './breathe.js';
export { type BlankRule, findBlankPages, type FindOptions } from './find-blank-pages.js';
