/**
 * Shrinks an input while it still fails in the same way: removes pieces, large ones first, until nothing more can be
 * removed or the time (milliseconds) is up.
 */
export async function minimised(
  bytes: Buffer,
  stillFails: (candidate: Buffer) => Promise<boolean>,
  budget = 60_000,
): Promise<Buffer> {
  const until = Date.now() + budget;
  let best = bytes;
  for (let size = 2 ** Math.floor(Math.log2(Math.max(1, bytes.length / 2))); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length;) {
      if (Date.now() > until) return best;
      const candidate = Buffer.concat([best.subarray(0, at), best.subarray(at + size)]);
      if (await stillFails(candidate)) best = candidate;
      else at += size;
    }
  }
  return best;
}
