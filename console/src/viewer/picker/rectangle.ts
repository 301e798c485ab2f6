import {
  displaySize,
  type Frame,
  type PageArea,
  type PageBox,
  type PageRect,
  type Point,
  rectToFrame,
} from '../engine/index.ts';

/** Edges and corners by which a rectangle is resized. */
export const handles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;
export type Handle = (typeof handles)[number];

export const corners: readonly Handle[] = ['nw', 'ne', 'se', 'sw'];

/** Points; a smaller rectangle is a click that missed. */
export const SMALLEST = 2;

/** The rectangle between two points of the page as displayed, within the page. */
export function between(
  box: PageBox,
  a: { readonly x: number; readonly y: number },
  b: { readonly x: number; readonly y: number },
): PageRect {
  const { width, height } = displaySize(box);
  const [x0, x1] = [clamp(Math.min(a.x, b.x), width), clamp(Math.max(a.x, b.x), width)];
  const [y0, y1] = [clamp(Math.min(a.y, b.y), height), clamp(Math.max(a.y, b.y), height)];
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}

/**
 * The rectangle of these proportions (width to height) from a corner towards a point, as large as the page allows: the
 * other corner is as near to the point as the proportions let it be.
 */
export function proportionate(box: PageBox, corner: Point, to: Point, ratio: number): PageRect {
  const { width, height } = displaySize(box);
  const [from, dx, dy] = [{ x: clamp(corner.x, width), y: clamp(corner.y, height) }, to.x - corner.x, to.y - corner.y];
  const [roomX, roomY] = [dx < 0 ? from.x : width - from.x, dy < 0 ? from.y : height - from.y];
  const w = Math.min((Math.abs(dx) + Math.abs(dy) * ratio) / 2, roomX, roomY * ratio);
  const h = w / ratio;
  return { x: dx < 0 ? from.x - w : from.x, y: dy < 0 ? from.y - h : from.y, width: w, height: h };
}

/** Moves a rectangle and keeps it within the page. */
export function moved(box: PageBox, rect: PageRect, dx: number, dy: number): PageRect {
  const { width, height } = displaySize(box);
  return {
    ...rect,
    x: Math.max(0, Math.min(width - rect.width, rect.x + dx)),
    y: Math.max(0, Math.min(height - rect.height, rect.y + dy)),
  };
}

/**
 * Moves the edges that a handle is at; an edge that passes the opposite one takes its place. With `ratio` the
 * proportions stay, and the handle is that of a corner.
 */
export function resized(
  box: PageBox,
  rect: PageRect,
  handle: Handle,
  { x: dx, y: dy }: Point,
  ratio?: number,
): PageRect {
  let [left, top, right, bottom] = [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height];
  if (ratio !== undefined) {
    const corner = { x: handle.includes('w') ? right : left, y: handle.startsWith('n') ? bottom : top };
    const moving = { x: handle.includes('w') ? left : right, y: handle.startsWith('n') ? top : bottom };
    return proportionate(box, corner, { x: moving.x + dx, y: moving.y + dy }, ratio);
  }
  if (handle.includes('w')) left += dx;
  if (handle.includes('e')) right += dx;
  if (handle.startsWith('n')) top += dy;
  if (handle.startsWith('s')) bottom += dy;
  return between(box, { x: left, y: top }, { x: right, y: bottom });
}

/** Points with one decimal: a tenth of a point is a thirtieth of a millimetre. */
export function toArea(box: PageBox, frame: Frame, rect: PageRect): PageArea {
  const { left, bottom, right, top } = rectToFrame(box, frame, rect);
  return { left: tenth(left), bottom: tenth(bottom), right: tenth(right), top: tenth(top) };
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function clamp(value: number, largest: number): number {
  return Math.max(0, Math.min(largest, value));
}
