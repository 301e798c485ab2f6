import type { Region } from './areas.js';
import { type Convex, type Point, stretchIn } from './convex.js';

/** Limit for cutting one contour: its points times the regions that it meets. */
const MAX_STEPS = 50_000_000;
const TURN = 2 * Math.PI;
/** Angles closer to each other than this belong to the same corner. */
const CLOSE = 1e-9;

type Contour = readonly Point[];

/**
 * Subtracts convex regions from a closed contour. Outside of a region the winding number of every point stays the same,
 * inside it becomes zero: so the filled area is the exact difference under either fill rule, whatever other contours
 * the path has. Each section of the contour outside of a region is closed along the region's edge, in the direction of
 * the contour; a contour that surrounds a region is kept and gets the region as a hole. Returns the same array if the
 * contour is unchanged, and an empty one if a region contains it or if cutting would take too long.
 */
export function cutContour(contour: Contour, regions: readonly Region[]): readonly Contour[] {
  let contours: Contour[] = [contour];
  let steps = 0;
  for (const { polygon, box } of regions) {
    const next: Contour[] = [];
    for (const one of contours) {
      steps += one.length;
      if (steps > MAX_STEPS) return [];
      const [left, bottom, right, top] = reach(one);
      if (left >= box[2] || box[0] >= right || bottom >= box[3] || box[1] >= top) next.push(one);
      else for (const piece of without(one, polygon)) next.push(piece);
    }
    contours = next;
  }
  return contours;
}

const reaches = new WeakMap<Contour, readonly [number, number, number, number]>();

function reach(contour: Contour): readonly [number, number, number, number] {
  const known = reaches.get(contour);
  if (known !== undefined) return known;
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of contour) {
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
  }
  const found = [left, bottom, right, top] as const;
  reaches.set(contour, found);
  return found;
}

function without(contour: Contour, polygon: Convex): readonly Contour[] {
  const centre: Point = [
    polygon.reduce((sum, [x]) => sum + x, 0) / polygon.length,
    polygon.reduce((sum, [, y]) => sum + y, 0) / polygon.length,
  ];
  const chains = outside(contour, polygon);
  if (chains !== undefined)
    return chains.map((chain) => [...chain, ...alongEdge(chain, polygon, centre)]).filter((piece) => piece.length > 2);
  const turns = Math.round(swept(contour, centre, true) / TURN);
  const hole = turns > 0 ? [...polygon].reverse() : polygon;
  return [contour, ...Array.from({ length: Math.abs(turns) }, () => [...hole])];
}

/**
 * Returns the sections of a contour outside of a polygon, each from edge to edge; undefined if no part of the contour
 * is inside.
 */
function outside(contour: Contour, polygon: Convex): Point[][] | undefined {
  const chains: Point[][] = [];
  let open: Point[] | undefined;
  let first: Point[] | undefined;
  let enters = false;
  for (let i = 0; i < contour.length; i++) {
    const [a, b] = [contour[i]!, contour[(i + 1) % contour.length]!];
    const inside = stretchIn(a, b, polygon);
    if (i === 0 && inside?.[0] !== 0) first = open = [a];
    if (inside === undefined) {
      // Leaves the polygon at the corner where the previous segment ended.
      open ??= begin(chains, a);
      open.push(b);
      continue;
    }
    enters = true;
    const [enter, leave] = inside;
    if (enter > 0) {
      open ??= begin(chains, a);
      open.push(between(a, b, enter));
    }
    open = undefined;
    if (leave < 1) (open = begin(chains, between(a, b, leave))).push(b);
  }
  if (!enters) return undefined;
  if (first === undefined) return chains;
  // The contour started outside: its last section continues in its first.
  if (open === undefined) return [first, ...chains];
  open.push(...first.slice(1));
  return chains;
}

function begin(chains: Point[][], point: Point): Point[] {
  const chain = [point];
  chains.push(chain);
  return chain;
}

/** Returns the corners of a polygon between the end of a section and its start, in the direction of the contour. */
function alongEdge(chain: Contour, polygon: Convex, centre: Point): Point[] {
  const turned = swept(chain, centre, false);
  const from = angleOf(chain[0]!, centre);
  const passed: { readonly corner: Point; readonly at: number }[] = [];
  for (const corner of polygon) {
    // The position of a corner on the way, which may pass it several times.
    const gap = (((angleOf(corner, centre) - from) % TURN) + TURN) % TURN;
    if (turned > 0) for (let at = gap; at < turned - CLOSE; at += TURN) if (at > CLOSE) passed.push({ corner, at });
    if (turned < 0)
      for (let at = gap - TURN; at > turned + CLOSE; at -= TURN) if (at < -CLOSE) passed.push({ corner, at });
  }
  return passed.sort((a, b) => Math.abs(b.at) - Math.abs(a.at)).map(({ corner }) => corner);
}

/** Returns the angle by which a line turns around a point, counter-clockwise. */
function swept(line: Contour, [cx, cy]: Point, closed: boolean): number {
  let total = 0;
  for (let i = 0; i + (closed ? 0 : 1) < line.length; i++) {
    const [a, b] = [line[i]!, line[(i + 1) % line.length]!];
    const [ax, ay, bx, by] = [a[0] - cx, a[1] - cy, b[0] - cx, b[1] - cy];
    total += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return total;
}

function angleOf([x, y]: Point, [cx, cy]: Point): number {
  return Math.atan2(y - cy, x - cx);
}

function between(a: Point, b: Point, t: number): Point {
  return t <= 0 ? a : t >= 1 ? b : [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
}
