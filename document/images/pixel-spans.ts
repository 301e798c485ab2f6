/** Columns and rows from the upper left; `right` and `bottom` are exclusive. */
export interface PixelArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Column ranges for each row, start inclusive and end exclusive, in order and disjoint. */
export type PixelSpans = readonly (readonly (readonly [number, number])[])[];

/** All pixels outside of an area. */
export function spansOutside({ left, top, right, bottom }: PixelArea, width: number, height: number): PixelSpans {
  const whole = [[0, width]] as const;
  const beside = (
    [
      [0, left],
      [right, width],
    ] as const
  ).filter(([from, to]) => from < to);
  return Array.from({ length: height }, (_none, row) => (row < top || row >= bottom ? whole : beside));
}

/** All pixels that convex polygons touch. Their corners are columns and rows from the upper left. */
export function spansIn(
  polygons: readonly (readonly (readonly [number, number])[])[],
  width: number,
  height: number,
): PixelSpans {
  const rows: [number, number][][] = Array.from({ length: height }, () => []);
  for (const polygon of polygons) {
    const ys = polygon.map(([, y]) => y);
    const [first, last] = [
      Math.max(0, Math.floor(Math.min(...ys))),
      Math.min(height - 1, Math.ceil(Math.max(...ys)) - 1),
    ];
    for (let row = first; row <= last; row++) {
      const [low, high] = reach(polygon, row, row + 1);
      const [from, to] = [Math.max(0, Math.floor(low)), Math.min(width, Math.ceil(high))];
      if (from < to) rows[row]!.push([from, to]);
    }
  }
  return rows.map(joined);
}

/** The extent of a convex polygon to the left and right between two heights. */
function reach(
  polygon: readonly (readonly [number, number])[],
  top: number,
  bottom: number,
): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  const note = (x: number): void => {
    low = Math.min(low, x);
    high = Math.max(high, x);
  };
  for (const [i, [x0, y0]] of polygon.entries()) {
    const [x1, y1] = polygon[(i + 1) % polygon.length]!;
    if (y0 >= top && y0 <= bottom) note(x0);
    for (const y of [top, bottom])
      if ((y0 < y && y < y1) || (y1 < y && y < y0)) note(x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));
  }
  return [low, high];
}

function joined(spans: [number, number][]): readonly (readonly [number, number])[] {
  if (spans.length < 2) return spans;
  const merged: [number, number][] = [];
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
