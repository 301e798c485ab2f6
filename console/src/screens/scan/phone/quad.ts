/** A point of a picture; 0 to 1 from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Corners of a page in a picture: upper left, upper right, lower right, lower left. */
export type Quad = readonly [Point, Point, Point, Point];

export const WHOLE: Quad = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

/** True if the corners go round in order, so that the area can be straightened. */
export function isConvex(quad: Quad): boolean {
  return quad.every((point, i) => {
    const [next, after] = [quad[(i + 1) % 4]!, quad[(i + 2) % 4]!];
    return (next.x - point.x) * (after.y - next.y) - (next.y - point.y) * (after.x - next.x) > 1e-4;
  });
}

/** Size of the straightened page in pixels: the longer of opposite edges. */
export function sizeOf(quad: Quad, width: number, height: number): { readonly width: number; readonly height: number } {
  const edge = (a: Point, b: Point): number => Math.hypot((a.x - b.x) * width, (a.y - b.y) * height);
  const [a, b, c, d] = quad;
  return { width: Math.max(edge(a, b), edge(d, c)), height: Math.max(edge(a, d), edge(b, c)) };
}

/**
 * Returns where a point of the straightened page (0 to 1) is in the picture: the projective map of the unit square to
 * the corners (Heckbert, "Fundamentals of Texture Mapping", 1989, 2.2.3).
 */
export function projection([p0, p1, p2, p3]: Quad): (u: number, v: number) => Point {
  const [dx1, dx2, sx] = [p1.x - p2.x, p3.x - p2.x, p0.x - p1.x + p2.x - p3.x];
  const [dy1, dy2, sy] = [p1.y - p2.y, p3.y - p2.y, p0.y - p1.y + p2.y - p3.y];
  const divisor = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / divisor;
  const h = (dx1 * sy - sx * dy1) / divisor;
  const [a, b] = [p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x];
  const [d, e] = [p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y];
  return (u, v) => {
    const w = g * u + h * v + 1;
    return { x: (a * u + b * v + p0.x) / w, y: (d * u + e * v + p0.y) / w };
  };
}

/** A sheet covers so much of its picture. */
const LEAST_SHARE = 0.12;
const MOST_SHARE = 0.97;
/** Of 255: a sheet is so much brighter than what it lies on. */
const LEAST_CONTRAST = 40;
/** How much of the bright patch is within its corners, and how much of that is bright in spite of text and pictures. */
const LEAST_INSIDE = 0.96;
const LEAST_FILLED = 0.75;
/** Corners so near to those of the picture mean the whole picture. */
const NEAR = 0.02;

/** The corners of the sheet in a grey picture; undefined if there is no sheet. */
export function sheetIn(grey: Uint8Array, width: number): Quad | undefined {
  const height = grey.length / width;
  const { threshold, contrast } = twoClasses(grey);
  if (contrast < LEAST_CONTRAST) return undefined;
  const patch = largestPatch(grey, width, threshold);
  const share = patch.length / grey.length;
  if (share < LEAST_SHARE || share > MOST_SHARE) return undefined;
  const quad = cornersOf(patch, width).map(({ x, y }) => ({ x: x / width, y: y / height })) as unknown as Quad;
  if (!isConvex(quad) || !fills(patch, quad, width, height)) return undefined;
  const isWhole = quad.every(({ x, y }, i) => Math.hypot(x - WHOLE[i]!.x, y - WHOLE[i]!.y) < NEAR);
  return isWhole ? undefined : quad;
}

/** The brightness that divides dark from bright best (Otsu 1979), and how far the means of the two are apart. */
function twoClasses(grey: Uint8Array): { readonly threshold: number; readonly contrast: number } {
  const counts = new Array<number>(256).fill(0);
  for (const level of grey) counts[level]!++;
  const sum = counts.reduce((all, count, level) => all + count * level, 0);
  let best = { threshold: 0, contrast: 0, between: 0 };
  let [below, sumBelow] = [0, 0];
  for (let level = 0; level < 255; level++) {
    below += counts[level]!;
    sumBelow += counts[level]! * level;
    const above = grey.length - below;
    if (below === 0 || above === 0) continue;
    const contrast = (sum - sumBelow) / above - sumBelow / below;
    const between = below * above * contrast ** 2;
    if (between > best.between) best = { threshold: level, contrast, between };
  }
  return best;
}

/** Indexes of the pixels of the largest patch that is brighter than the threshold. */
function largestPatch(grey: Uint8Array, width: number, threshold: number): readonly number[] {
  const seen = new Uint8Array(grey.length);
  let largest: readonly number[] = [];
  for (let start = 0; start < grey.length; start++) {
    if (seen[start] === 1 || grey[start]! <= threshold) continue;
    const patch = [start];
    seen[start] = 1;
    for (let i = 0; i < patch.length; i++) {
      const at = patch[i]!;
      const x = at % width;
      for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (next < 0 || next >= grey.length || seen[next] === 1 || grey[next]! <= threshold) continue;
        seen[next] = 1;
        patch.push(next);
      }
    }
    if (patch.length > largest.length) largest = patch;
  }
  return largest;
}

/** Its outermost points towards the corners of the picture, in pixels, in the order of a quad. */
function cornersOf(patch: readonly number[], width: number): readonly Point[] {
  const outermost = (weigh: (x: number, y: number) => number, dx: number, dy: number): Point => {
    let [most, found] = [-Infinity, 0];
    for (const at of patch) {
      const weight = weigh(at % width, Math.floor(at / width));
      if (weight > most) [most, found] = [weight, at];
    }
    return { x: (found % width) + dx, y: Math.floor(found / width) + dy };
  };
  return [
    outermost((x, y) => -x - y, 0, 0),
    outermost((x, y) => x - y, 1, 0),
    outermost((x, y) => x + y, 1, 1),
    outermost((x, y) => y - x, 0, 1),
  ];
}

/** Whether the patch is a page with these corners: hardly any of it is outside, and it covers most of the inside. */
function fills(patch: readonly number[], quad: Quad, width: number, height: number): boolean {
  let inside = 0;
  for (const at of patch) {
    const point = { x: ((at % width) + 0.5) / width, y: (Math.floor(at / width) + 0.5) / height };
    if (contains(quad, point)) inside++;
  }
  return inside >= LEAST_INSIDE * patch.length && inside >= LEAST_FILLED * areaOf(quad) * width * height;
}

function contains(quad: Quad, { x, y }: Point): boolean {
  return quad.every((corner, i) => {
    const next = quad[(i + 1) % 4]!;
    return (next.x - corner.x) * (y - corner.y) - (next.y - corner.y) * (x - corner.x) >= -0.005;
  });
}

function areaOf(quad: Quad): number {
  return Math.abs(quad.reduce((sum, { x, y }, i) => sum + x * quad[(i + 1) % 4]!.y - y * quad[(i + 1) % 4]!.x, 0)) / 2;
}
