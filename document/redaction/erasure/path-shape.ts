import { ContentLexer, numberAt, numberText } from '../../content/index.js';
import type { Point } from './convex.js';

/** A straight line to a point, or a Bézier curve with two control points. */
export type Segment = readonly [number, number] | readonly [number, number, number, number, number, number];

/** A subpath in the coordinate space of its path. */
export interface Subpath {
  readonly start: Point;
  readonly segments: readonly Segment[];
  readonly closed: boolean;
  /** True if it was written with `re`. */
  readonly isRectangle: boolean;
}

/** A path as its operators construct it. */
export interface PathShape {
  readonly subpaths: readonly Subpath[];
  /** The operator that also makes it a clipping path. */
  readonly clip: 'W' | 'W*' | undefined;
}

/** Most straight lines that replace one curve. */
const MAX_PIECES = 200;

/** Reads the operators of a path (ISO 32000-1, 8.5.2). */
export function readPath(content: Uint8Array): PathShape {
  const subpaths: Subpath[] = [];
  let clip: PathShape['clip'];
  let start: Point | undefined;
  let at: Point = [0, 0];
  let segments: Segment[] = [];
  const end = (closed: boolean): void => {
    if (start !== undefined && (segments.length > 0 || closed))
      subpaths.push({ start, segments, closed, isRectangle: false });
    segments = [];
    if (closed && start !== undefined) at = start;
    // After a closed subpath, the current point is its start.
    else start = undefined;
  };
  const add = (segment: Segment): void => {
    start ??= at;
    segments.push(segment);
    at = [segment[segment.length - 2]!, segment[segment.length - 1]!];
  };
  let known = false;
  for (const { name, operands } of new ContentLexer(content)) {
    const n = (index: number): number => numberAt(operands, index);
    if (name === 'm') {
      end(false);
      start = at = [n(0), n(1)];
      known = true;
    } else if (name === 're') {
      end(false);
      const [x, y, width, height] = [n(0), n(1), n(2), n(3)];
      subpaths.push({
        start: [x, y],
        segments: [
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
        ],
        closed: true,
        isRectangle: true,
      });
      start = at = [x, y];
      known = true;
    } else if (name === 'W' || name === 'W*') {
      clip = name;
    } else if (!known && (name === 'l' || name === 'c')) {
      // Without a current point, viewers start at the first point or draw nothing.
      start = at = [n(0), n(1)];
      known = true;
      if (name === 'c') add([n(0), n(1), n(2), n(3), n(4), n(5)]);
    } else if (known) {
      if (name === 'l') add([n(0), n(1)]);
      else if (name === 'c') add([n(0), n(1), n(2), n(3), n(4), n(5)]);
      else if (name === 'v') add([at[0], at[1], n(0), n(1), n(2), n(3)]);
      else if (name === 'y') add([n(0), n(1), n(2), n(3), n(2), n(3)]);
      else if (name === 'h' || name === 's' || name === 'b' || name === 'b*') end(true);
    }
  }
  end(false);
  return { subpaths, clip };
}

/** Returns the points of a subpath whose curves are converted to lines within a tolerance. */
export function flattened({ start, segments }: Subpath, tolerance: number): Point[] {
  const points: Point[] = [start];
  let [x, y] = start;
  for (const segment of segments) {
    if (segment.length === 6) {
      const [x1, y1, x2, y2, x3, y3] = segment;
      const bend = Math.max(
        Math.hypot(x - 2 * x1 + x2, y - 2 * y1 + y2),
        Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3),
      );
      const pieces = Math.min(MAX_PIECES, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))));
      for (let i = 1; i < pieces; i++) {
        const t = i / pieces;
        const u = 1 - t;
        points.push([
          u * u * u * x + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * x3,
          u * u * u * y + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * y3,
        ]);
      }
    }
    [x, y] = [segment[segment.length - 2]!, segment[segment.length - 1]!];
    points.push([x, y]);
  }
  return points;
}

/** Writes a subpath as it was read. */
export function subpathText({ start, segments, closed }: Subpath): string {
  const steps = segments.map((segment) => `${segment.map(numberText).join(' ')} ${segment.length === 2 ? 'l' : 'c'}`);
  return [`${start.map(numberText).join(' ')} m`, ...steps, ...(closed ? ['h'] : [])].join('\n');
}

/** Writes straight lines through points. */
export function pointsText(points: readonly Point[], closed: boolean): string {
  const steps = points.map(([x, y], i) => `${numberText(x)} ${numberText(y)} ${i === 0 ? 'm' : 'l'}`);
  return [...steps, ...(closed ? ['h'] : [])].join('\n');
}
