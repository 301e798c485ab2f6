import { PRIORITY, type ViewedDocument } from '../engine/index.ts';
import { PageCanvas } from './page-canvas.tsx';

interface ThumbnailProps {
  readonly document: ViewedDocument;
  /** 0-based. */
  readonly page: number;
  /** CSS pixels of the box that it fills as far as its shape allows. */
  readonly width: number;
  readonly height: number;
  readonly turns?: number;
}

/** A small picture of a page, in the middle of a box. */
export function Thumbnail({ document, page, width, height, turns = 0 }: ThumbnailProps) {
  const size = document.size(page);
  const shown = fit(turns % 2 === 0 ? size : { width: size.height, height: size.width }, width, height);
  return (
    <div class="thumbnail" style={{ width: `${shown.width}px`, height: `${shown.height}px` }}>
      <PageCanvas document={document} page={page} {...shown} turns={turns} priority={PRIORITY.thumbnail} small />
    </div>
  );
}

/** The largest size of this shape within a box. */
export function fit(
  size: { readonly width: number; readonly height: number },
  width: number,
  height: number,
): { readonly width: number; readonly height: number } {
  const scale = Math.min(width / size.width, height / size.height);
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) };
}
