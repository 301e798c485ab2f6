import type { Box, Picture } from '../model.js';
import type { PageContent } from '../page-content.js';
import { around } from '../prose/line.js';

/** Pictures smaller than this (points) are marks and rules. */
const SMALLEST = 9;
/**
 * A picture of so much of the page with so many words on it is its background: a scanned page with its text, letter
 * paper.
 */
const BACKGROUND = 0.7;
const BACKGROUND_WORDS = 12;
/** A drawing has so many shapes and such a size (points). */
const LEAST_SHAPES = 4;
const LEAST_SIDE = 36;
/** Shapes so near (points) are of one drawing. */
const NEAR = 9;
/** Words may cover no more than this part of a drawing. */
const MOST_TEXT = 0.35;
const MAX_SHAPES = 20_000;
const MAX_SLICES = 1000;

/** An image in the text flow of the page. */
export interface FoundFigure {
  readonly picture: Picture;
  readonly mcid: number;
  readonly box: Box;
}

/** The pictures of a page that people see as such: no backgrounds, no marks; slices of one picture joined. */
export function picturesOf({ pictures, words, width, height, number }: PageContent): FoundFigure[] {
  const kept = pictures.filter(({ picture: { box } }) => {
    const [wide, high] = [box.right - box.left, box.bottom - box.top];
    if (wide < SMALLEST || high < SMALLEST) return false;
    if (wide * high < BACKGROUND * width * height) return true;
    let over = 0;
    for (const word of words) if (isInside(word.box, box) && ++over >= BACKGROUND_WORDS) return false;
    return true;
  });
  const slices = sliced(kept.slice(0, MAX_SLICES).map(({ picture, mcid }) => ({ picture, mcid, box: picture.box })));
  return slices.map((group) => {
    if (group.length === 1) return group[0]!;
    const box = around(group.map((one) => one.box));
    return { picture: drawing(number, box), mcid: group[0]!.mcid, box };
  });
}

/** Groups of pictures that stand edge to edge: writers cut large pictures into strips. */
function sliced(figures: readonly FoundFigure[]): FoundFigure[][] {
  const groups: FoundFigure[][] = [];
  const sorted = [...figures].sort((a, b) => a.box.left - b.box.left || a.box.top - b.box.top);
  for (const figure of sorted) {
    const last = groups.at(-1)?.at(-1);
    if (
      last !== undefined &&
      Math.abs(last.box.left - figure.box.left) < 0.6 &&
      Math.abs(last.box.right - figure.box.right) < 0.6 &&
      Math.abs(figure.box.top - last.box.bottom) < 0.6
    )
      groups.at(-1)!.push(figure);
    else groups.push([figure]);
  }
  return groups;
}

/**
 * Areas with many shapes and little text: charts, diagrams, logos. `others` are areas that are something else already.
 */
export function drawingsOf(
  { shapes, rulings, words, number, width, height }: PageContent,
  others: readonly Box[],
): FoundFigure[] {
  if (shapes.length < LEAST_SHAPES) return [];
  const free = shapes
    .slice(0, MAX_SHAPES)
    .filter((shape) => shape.right - shape.left < 0.9 * width || shape.bottom - shape.top < 0.9 * height);
  const found = clusters(free).filter(
    ({ boxes, box }) =>
      boxes >= LEAST_SHAPES && box.right - box.left >= LEAST_SIDE && box.bottom - box.top >= LEAST_SIDE,
  );
  return found.flatMap(({ box }): FoundFigure[] => {
    // Axes and frames that touch it belong to it.
    const lines = rulings
      .filter(({ direction, at, from, to }) => {
        const line =
          direction === 'horizontal'
            ? { left: from, right: to, top: at, bottom: at }
            : { left: at, right: at, top: from, bottom: to };
        return (
          line.left >= box.left - 40 &&
          line.right <= box.right + 40 &&
          line.top >= box.top - 40 &&
          line.bottom <= box.bottom + 40
        );
      })
      .map(({ direction, at, from, to }) =>
        direction === 'horizontal'
          ? { left: from, right: to, top: at, bottom: at }
          : { left: at, right: at, top: from, bottom: to },
      );
    const whole = around([box, ...lines]);
    if (others.some((other) => share(whole, other) > 0.3)) return [];
    const inside = words.filter((word) => isInside(word.box, whole));
    const text = inside.reduce((sum, word) => sum + area(word.box), 0);
    return text > MOST_TEXT * area(whole) ? [] : [{ picture: drawing(number, whole), mcid: -1, box: whole }];
  });
}

function drawing(page: number, box: Box): Picture {
  return {
    source: 'drawing',
    page,
    box,
    index: undefined,
    key: undefined,
    width: 0,
    height: 0,
    dpi: 0,
    format: 'drawing',
    colour: '',
    bits: 0,
  };
}

/** Boxes that lie near each other, by and by: from the left, those that are still open. */
function clusters(boxes: readonly Box[]): { readonly box: Box; readonly boxes: number }[] {
  let open: { box: Box; boxes: number }[] = [];
  const done: { box: Box; boxes: number }[] = [];
  for (const box of [...boxes].sort((a, b) => a.left - b.left)) {
    const [near, rest]: [typeof open, typeof open] = [[], []];
    for (const cluster of open) {
      if (cluster.box.right < box.left - NEAR) done.push(cluster);
      else if (cluster.box.top <= box.bottom + NEAR && cluster.box.bottom >= box.top - NEAR) near.push(cluster);
      else rest.push(cluster);
    }
    rest.push({
      box: around([box, ...near.map((one) => one.box)]),
      boxes: near.reduce((sum, one) => sum + one.boxes, 1),
    });
    open = rest.slice(-2000);
  }
  return [...done, ...open];
}

/** True if the centre of a box is inside another. */
export function isInside(inner: Box, outer: Box): boolean {
  const [x, y] = [(inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2];
  return x >= outer.left && x <= outer.right && y >= outer.top && y <= outer.bottom;
}

function area({ left, top, right, bottom }: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}

/** How much of a box another one covers, 0 to 1. */
export function share(box: Box, other: Box): number {
  const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
  const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
  return wide <= 0 || high <= 0 ? 0 : (wide * high) / Math.max(1e-6, area(box));
}
