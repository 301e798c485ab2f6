/** How overlay pages are assigned to the pages of a base document (`docs/interface/general.yml`, overlay-pdfs). */
export const OVERLAY_MODES = ['SequentialOverlay', 'InterleavedOverlay', 'FixedRepeatOverlay'] as const;
export type OverlayMode = (typeof OVERLAY_MODES)[number];

/** The overlay page for a base page: 0-based indexes of the overlay file and of its page. */
export interface OverlayPage {
  readonly file: number;
  readonly page: number;
}

/** Returns the overlay page for a base page; undefined if it gets none. */
export type OverlayPlan = (basePage: number) => OverlayPage | undefined;

/**
 * Plans the overlay page for each base page; `pageCounts` are those of the overlay files, at least one.
 * `SequentialOverlay` uses all pages of the first file, then of the next, and starts over; `InterleavedOverlay` uses
 * the first pages of the files in turn; `FixedRepeatOverlay` puts the first page of file i on `counts[i]` times as many
 * base pages as the file has pages.
 */
export function planOverlay(mode: OverlayMode, pageCounts: readonly number[], counts: readonly number[]): OverlayPlan {
  switch (mode) {
    case 'SequentialOverlay': {
      const all = pageCounts.reduce((sum, pages) => sum + pages, 0);
      return (basePage) => within(pageCounts, basePage % all, (offset) => offset);
    }
    case 'InterleavedOverlay':
      return (basePage) => ({ file: basePage % pageCounts.length, page: 0 });
    case 'FixedRepeatOverlay':
      return (basePage) =>
        within(
          pageCounts.map((pages, file) => pages * (counts[file] ?? 0)),
          basePage,
          () => 0,
        );
  }
}

/** Finds the file that contains a position, given the number of consecutive positions of each file. */
function within(spans: readonly number[], place: number, pageOf: (offset: number) => number): OverlayPage | undefined {
  let start = 0;
  for (const [file, span] of spans.entries()) {
    if (place < start + span) return { file, page: pageOf(place - start) };
    start += span;
  }
  return undefined;
}
