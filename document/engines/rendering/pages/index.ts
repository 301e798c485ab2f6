// What drawing whole pages needs, without the forms and fonts that the rest of `engines/rendering` loads: a worker's
// first picture comes sooner.
export { breathe } from '../breathe.js';
export { type PixelSize, guardPixels, pixelSize } from '../limits.js';
export { type RenderOptions, renderPage } from '../render-page.js';
export { withRenderable } from '../with-renderable.js';
