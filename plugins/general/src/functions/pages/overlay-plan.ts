/** How overlay files are laid over the pages of a base document (`docs/interface/general.yml`, overlay-pdfs). */
export const OVERLAY_MODES = ['SequentialOverlay', 'InterleavedOverlay', 'FixedRepeatOverlay'] as const;
export type OverlayMode = (typeof OVERLAY_MODES)[number];

/** The page that lies over a base page: 0-based places of the overlay file and of its page. */
export interface OverlayPage {
  readonly file: number;
  readonly page: number;
}

/** Gives the page of an overlay for each base page; undefined for a base page that gets none. */
export type OverlayPlan = (basePage: number) => OverlayPage | undefined;

/**
 * Plans which overlay page each base page gets; `pageCounts` are those of the overlay files, at least one.
 * `SequentialOverlay` goes through all pages of the first file, then of the next, and begins again;
 * `InterleavedOverlay` takes the first pages of the files in turn; `FixedRepeatOverlay` lays the first page of file i
 * over `counts[i]` times as many base pages as the file has pages.
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

/** Finds the file among whose `spans` consecutive places a place lies. */
function within(spans: readonly number[], place: number, pageOf: (offset: number) => number): OverlayPage | undefined {
  let start = 0;
  for (const [file, span] of spans.entries()) {
    if (place < start + span) return { file, page: pageOf(place - start) };
    start += span;
  }
  return undefined;
}
