import { upright } from '../../structure/geometry/index.js';
import type { Box } from '../model.js';

type Six = readonly [number, number, number, number, number, number];

/** Maps a page's user space to the page as shown: upper left origin, y downwards, points. */
export class PageFrame {
  readonly width: number;
  readonly height: number;
  /** From user space to the page as shown. */
  readonly matrix: Six;
  /** Length on the page of a unit of user space. */
  readonly unit: number;
  readonly #rotation: number;

  /** `box` is what is seen of user space: left, bottom, right, top. */
  constructor(box: readonly [number, number, number, number], rotation: number, unit: number) {
    const {
      matrix: [a, b, c, d, e, f],
      width,
      height,
    } = upright(box, rotation, unit);
    this.width = width;
    this.height = height;
    this.unit = unit;
    this.#rotation = rotation;
    this.matrix = [a, -b, c, -d, e, height - f];
  }

  /** The box around an area of user space. */
  box(left: number, bottom: number, right: number, top: number): Box {
    return boxThrough(this.matrix, left, bottom, right, top);
  }

  point(x: number, y: number): readonly [number, number] {
    const [a, b, c, d, e, f] = this.matrix;
    return [a * x + c * y + e, b * x + d * y + f];
  }

  /** A direction of user space (radians, counter-clockwise) as whole degrees on the page as shown. */
  angle(radians: number): number {
    const degrees = Math.round((radians * 180) / Math.PI) - this.#rotation;
    return ((degrees % 360) + 360) % 360;
  }

  /** The part of a box that is on the page; undefined for one beside it. */
  seen({ left, top, right, bottom }: Box): Box | undefined {
    const cut = {
      left: Math.max(0, left),
      top: Math.max(0, top),
      right: Math.min(this.width, right),
      bottom: Math.min(this.height, bottom),
    };
    return cut.left <= cut.right && cut.top <= cut.bottom ? cut : undefined;
  }
}

/** The box around the image of a rectangle under a matrix. */
export function boxThrough([a, b, c, d, e, f]: Six, x1: number, y1: number, x2: number, y2: number): Box {
  const [ax1, ax2, cy1, cy2] = [a * x1, a * x2, c * y1, c * y2];
  const [bx1, bx2, dy1, dy2] = [b * x1, b * x2, d * y1, d * y2];
  return {
    left: Math.min(ax1, ax2) + Math.min(cy1, cy2) + e,
    right: Math.max(ax1, ax2) + Math.max(cy1, cy2) + e,
    top: Math.min(bx1, bx2) + Math.min(dy1, dy2) + f,
    bottom: Math.max(bx1, bx2) + Math.max(dy1, dy2) + f,
  };
}

/** First `inner`, then `outer`. */
export function joined([a, b, c, d, e, f]: Six, [A, B, C, D, E, F]: Six): Six {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

export type { Six };
