/**
 * UTF-16 code units. Engines need quadratic time to segment a long text, so it is segmented in pieces of this length.
 */
const PIECE = 512;

/**
 * Returns the segments of a text (graphemes or words) in linear time. A segment that is longer than a piece is returned
 * in several parts.
 */
export function segmentsOf(segmenter: Intl.Segmenter, text: string): Intl.SegmentData[] {
  const found: Intl.SegmentData[] = [];
  for (let start = 0; start < text.length;) {
    const segments = [...segmenter.segment(text.slice(start, start + PIECE))];
    // The last segment of a piece may continue in the next piece.
    if (start + PIECE < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) found.push({ ...segment, index: start + segment.index, input: text });
    const last = segments.at(-1);
    start += last === undefined ? PIECE : last.index + last.segment.length;
  }
  return found;
}
