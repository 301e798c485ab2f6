/**
 * Returns the candidate with the lowest score (0: equal), or undefined when no score is within `limit`: a wrong
 * suggestion misleads more than none.
 */
export function nearest(
  candidates: Iterable<string>,
  scoreOf: (candidate: string) => number,
  limit: number,
): string | undefined {
  let best: string | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const score = scoreOf(candidate);
    if (score >= bestScore) continue;
    best = candidate;
    bestScore = score;
  }
  return bestScore <= limit ? best : undefined;
}
