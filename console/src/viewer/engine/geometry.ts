import { NUMBERS_PER_PAGE, type PageRect } from './protocol.ts';

/** A rectangle in points of the page's own coordinates, before rotation (ISO 32000-1, 8.3.2.3). */
export interface PageArea {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** A page's crop box, which is what people see of it, and its rotation in degrees. */
export interface PageBox extends PageArea {
  readonly rotation: 0 | 90 | 180 | 270;
  readonly media: PageArea;
}

/** Reads the numbers of one page (`OpenedDocument.boxes`). */
export function pageBoxOf(boxes: Float32Array, page: number): PageBox {
  const [left = 0, bottom = 0, right = 1, top = 1, mediaLeft = 0, mediaBottom = 0, mediaRight = 1, mediaTop = 1, turn] =
    boxes.subarray(page * NUMBERS_PER_PAGE, (page + 1) * NUMBERS_PER_PAGE);
  return {
    left,
    bottom,
    right,
    top,
    rotation: (turn ?? 0) as PageBox['rotation'],
    media: { left: mediaLeft, bottom: mediaBottom, right: mediaRight, top: mediaTop },
  };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Width and height of a page as displayed, in points. */
export function displaySize(box: PageBox): { readonly width: number; readonly height: number } {
  const width = box.right - box.left;
  const height = box.top - box.bottom;
  return box.rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** From the page's own coordinates to points from the upper left of the page as displayed. */
export function toDisplay(box: PageBox, { x, y }: Point): Point {
  switch (box.rotation) {
    case 0:
      return { x: x - box.left, y: box.top - y };
    case 90:
      return { x: y - box.bottom, y: x - box.left };
    case 180:
      return { x: box.right - x, y: y - box.bottom };
    case 270:
      return { x: box.top - y, y: box.right - x };
  }
}

/** From points of the page as displayed to the page's own coordinates. */
function toPage(box: PageBox, { x, y }: Point): Point {
  switch (box.rotation) {
    case 0:
      return { x: x + box.left, y: box.top - y };
    case 90:
      return { x: y + box.left, y: x + box.bottom };
    case 180:
      return { x: box.right - x, y: y + box.bottom };
    case 270:
      return { x: box.right - y, y: box.top - x };
  }
}

/**
 * What points are measured in: `page` are the page's own coordinates; `shown` are distances from the lower left corner
 * of the media box as displayed.
 */
export type Frame = 'page' | 'shown';

/** From points of the page as displayed to a frame. */
export function toFrame(box: PageBox, frame: Frame, point: Point): Point {
  const own = toPage(box, point);
  if (frame === 'page') return own;
  const media = { ...box, ...box.media };
  const { x, y } = toDisplay(media, own);
  return { x, y: displaySize(media).height - y };
}

/** From a frame to points of the page as displayed. */
export function fromFrame(box: PageBox, frame: Frame, { x, y }: Point): Point {
  if (frame === 'page') return toDisplay(box, { x, y });
  const media = { ...box, ...box.media };
  return toDisplay(box, toPage(media, { x, y: displaySize(media).height - y }));
}

/** The area in a frame that a displayed rectangle covers. */
export function rectToFrame(box: PageBox, frame: Frame, { x, y, width, height }: PageRect): PageArea {
  const a = toFrame(box, frame, { x, y });
  const b = toFrame(box, frame, { x: x + width, y: y + height });
  return {
    left: Math.min(a.x, b.x),
    bottom: Math.min(a.y, b.y),
    right: Math.max(a.x, b.x),
    top: Math.max(a.y, b.y),
  };
}

/** The displayed rectangle that covers an area of a frame. */
export function rectFromFrame(box: PageBox, frame: Frame, area: PageArea): PageRect {
  const a = fromFrame(box, frame, { x: area.left, y: area.bottom });
  const b = fromFrame(box, frame, { x: area.right, y: area.top });
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}
