import { PAGE_ORIGIN } from './page-files.js';

/** The moment at which animated drawings are printed: they have no end that could be asked for. */
const DRAWING_SECONDS = 0.05;

/**
 * The script that the server runs in a page before it is printed; its result is true after fonts were waited for. It
 *
 * - ends the animations of styles, since no frame is drawn in which they would go on, and what fades in is meant to be
 *   read; those that are paused, follow scrolling or never end stay as they are;
 * - removes links to the made-up origin, which nobody could follow; links within the page stay;
 * - lays the page out, which begins to load the images and fonts of its styles.
 *
 * Properties of the document are read by their accessors: elements of the page may have the same names.
 */
export const settlePage = `(() => {
  const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const all = (selector) => Document.prototype.querySelectorAll.call(document, selector);

  for (const animation of Document.prototype.getAnimations.call(document)) {
    const { playState, timeline, effect } = animation;
    const end = effect?.getComputedTiming().endTime;
    if (playState === 'running' && timeline === read('timeline') && Number.isFinite(end)) animation.finish();
  }
  for (const drawing of all('svg:not(svg svg)'))
    if (drawing instanceof SVGSVGElement) SVGSVGElement.prototype.setCurrentTime.call(drawing, ${DRAWING_SECONDS});

  for (const link of all('a[href], area[href]')) {
    const href = Element.prototype.getAttribute.call(link, 'href') ?? '';
    const base = read('URL');
    const url = URL.canParse(href, base) ? new URL(href, base) : undefined;
    const own = url?.origin === ${JSON.stringify(PAGE_ORIGIN)};
    if (url === undefined || (own && (url.pathname !== location.pathname || url.hash === '')))
      Element.prototype.removeAttribute.call(link, 'href');
  }

  const root = read('documentElement');
  if (root !== null) Element.prototype.getBoundingClientRect.call(root);
  const fonts = read('fonts');
  return fonts.status === 'loading' ? fonts.ready.then(() => true) : false;
})()`;
