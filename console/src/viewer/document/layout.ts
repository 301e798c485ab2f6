/** `width` and `page` fit every page to the view; a number is a share of the size on paper. */
export type Zoom = 'width' | 'page' | number;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A place in a document: a page (0-based), and how far down it, between 0 and 1. */
export interface Position {
  readonly page: number;
  readonly down: number;
}

/** CSS pixels in a point. */
export const PIXELS_PER_POINT = 96 / 72;
export const SMALLEST_ZOOM = 0.1;
export const LARGEST_ZOOM = 8;
const GAP = 16;
const EDGE = 16;
/** Browsers show no taller elements. */
const TALLEST = 30_000_000;

/** Where every page is, in CSS pixels from the upper edge. */
export class Layout {
  readonly pageCount: number;
  readonly width: number;
  private readonly tops: Float64Array;
  private readonly scales: Float64Array;
  /** Reduces the zoom of very long documents, which would be too tall for the browser. */
  private readonly reduction: number;

  constructor(
    private readonly sizes: readonly Size[],
    readonly zoom: Zoom,
    readonly view: Size,
  ) {
    this.pageCount = sizes.length;
    this.scales = Float64Array.from(sizes, (size) => scaleOf(size, zoom, view));
    const tall = sizes.reduce((sum, size, i) => sum + size.height * (this.scales[i] ?? 1), 0);
    this.reduction = Math.min(1, (TALLEST - sizes.length * GAP) / Math.max(tall, 1));
    this.tops = new Float64Array(sizes.length + 1);
    let top = EDGE;
    let widest = 0;
    sizes.forEach((size, i) => {
      this.tops[i] = top;
      top += size.height * this.scale(i) + GAP;
      widest = Math.max(widest, size.width * this.scale(i));
    });
    this.tops[sizes.length] = top;
    this.width = Math.max(view.width, Math.ceil(widest) + 2 * EDGE);
  }

  get height(): number {
    return Math.max(this.view.height, (this.tops[this.pageCount] ?? 0) - GAP + EDGE);
  }

  /** CSS pixels per point. */
  scale(page: number): number {
    return (this.scales[page] ?? 1) * this.reduction;
  }

  top(page: number): number {
    return this.tops[Math.max(0, Math.min(page, this.pageCount - 1))] ?? 0;
  }

  size(page: number): Size {
    const size = this.sizes[page] ?? { width: 1, height: 1 };
    return { width: size.width * this.scale(page), height: size.height * this.scale(page) };
  }

  left(page: number): number {
    return (this.width - this.size(page).width) / 2;
  }

  /** The page at this distance from the upper edge; gaps belong to the page above them. */
  pageAt(y: number): number {
    let [low, high] = [0, this.pageCount - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.tops[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  positionAt(y: number): Position {
    const page = this.pageAt(y);
    const down = (y - this.top(page)) / Math.max(1, this.size(page).height);
    return { page, down: Math.max(page === 0 ? -1 : 0, Math.min(1, down)) };
  }

  yOf({ page, down }: Position): number {
    const within = Math.max(0, Math.min(page, this.pageCount - 1));
    return this.top(within) + down * this.size(within).height;
  }
}

function scaleOf(size: Size, zoom: Zoom, view: Size): number {
  if (typeof zoom === 'number') return zoom * PIXELS_PER_POINT;
  const wide = Math.max(40, view.width - 2 * EDGE) / size.width;
  if (zoom === 'width') return wide;
  return Math.min(wide, Math.max(40, view.height - 2 * EDGE) / size.height);
}

/** The next larger or smaller zoom that people know. */
export function stepZoom(current: number, direction: 1 | -1): number {
  const steps = [0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8];
  const near = current * 0.01;
  const next =
    direction > 0 ? steps.find((step) => step > current + near) : steps.findLast((step) => step < current - near);
  return next ?? (direction > 0 ? LARGEST_ZOOM : SMALLEST_ZOOM);
}
