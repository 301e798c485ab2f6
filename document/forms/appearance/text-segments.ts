/** Engines step through a long text in time that grows with its square; a piece of this many code units is quick. */
const PIECE = 512;

/**
 * Gives the segments of a text (letters as people count them, or words) in time that grows with its length. A segment
 * of more code units than a piece is given in several.
 */
export function segmentsOf(segmenter: Intl.Segmenter, text: string): Intl.SegmentData[] {
  const found: Intl.SegmentData[] = [];
  for (let start = 0; start < text.length;) {
    const segments = [...segmenter.segment(text.slice(start, start + PIECE))];
    // What ends with the piece may go on in the next one.
    if (start + PIECE < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) found.push({ ...segment, index: start + segment.index, input: text });
    const last = segments.at(-1);
    start += last === undefined ? PIECE : last.index + last.segment.length;
  }
  return found;
}
