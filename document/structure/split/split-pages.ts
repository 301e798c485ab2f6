/**
 * Returns the 0-based page indexes of each part. A cut is the index of a part's last page; cuts are sorted, and the
 * last page of the document always ends a part (`docs/interface/general.yml`, split-pages).
 */
export function partsOfCuts(cuts: Iterable<number>, pageCount: number): number[][] {
  const ends = [...new Set([...cuts, pageCount - 1])]
    .filter((cut) => cut >= 0 && cut < pageCount)
    .sort((a, b) => a - b);
  let start = 0;
  return ends.map((end) => {
    const part = Array.from({ length: end - start + 1 }, (_unused, i) => start + i);
    start = end + 1;
    return part;
  });
}
