const PAIRS = ['()', '[]', '{}', '\u2329\u232a', '\u3008\u3009', '\u27e8\u27e9'] as const;
/** Turned, but not paired (UAX 9, BD16 counts brackets only). */
const TURNED = ['<>', '\u00ab\u00bb', '\u2039\u203a'] as const;

const mirrored = new Map<string, string>(
  [...PAIRS, ...TURNED].flatMap(([one = '', two = '']) => [
    [one, two],
    [two, one],
  ]),
);
const kindOfBracket = new Map<string, number>(
  [...PAIRS, ...TURNED].flatMap(([one = '', two = ''], i) => [
    [one, i],
    [two, i],
  ]),
);

/** The bracket that looks like this one seen in a mirror; other text as it is. */
export function mirroredBracket(text: string): string {
  return mirrored.get(text) ?? text;
}

export interface ShownLetter {
  readonly text: string;
  /** Place of the other bracket of its pair. */
  readonly partner: number | undefined;
}

/**
 * Letters of a line as they are seen, with brackets that open on the left. Programs write either the bracket that is
 * seen or the one that is meant, and PDFium turns some of them. So where the brackets of a line do not match, the
 * letters beside them show which they are, or else the first of each two is the left one.
 */
export function visualBrackets(seen: readonly string[]): ShownLetter[] {
  const out: { text: string; partner: number | undefined }[] = seen.map((text) => ({ text, partner: undefined }));
  for (const [kind, [open = '', close = '']] of [...PAIRS, ...TURNED].entries()) {
    const places = [...seen.keys()].filter((at) => kindOfBracket.get(seen[at]!) === kind);
    if (places.length === 0) continue;
    const written = places.map((at) => seen[at] === open);
    const placed = places.map((at, i) => opensByPlace(seen, at) ?? written[i]!);
    const turns = places.map((_, i) => i % 2 === 0);
    const opens = [written, placed, turns].find((one) => isMatched(one)) ?? placed;
    for (const [i, at] of places.entries()) out[at]!.text = opens[i]! ? open : close;
    if (kind >= PAIRS.length) continue;
    for (const [left, right] of pairsOf(places, opens)) [out[left]!.partner, out[right]!.partner] = [right, left];
  }
  return out;
}

/** True for a bracket with a blank on its left and none on its right, false for the opposite. */
function opensByPlace(seen: readonly string[], at: number): boolean | undefined {
  const [left, right] = [(seen[at - 1] ?? ' ') === ' ', (seen[at + 1] ?? ' ') === ' '];
  return left === right ? undefined : left;
}

function isMatched(opens: readonly boolean[]): boolean {
  let depth = 0;
  for (const open of opens) {
    depth += open ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function pairsOf(places: readonly number[], opens: readonly boolean[]): [number, number][] {
  const pairs: [number, number][] = [];
  const waiting: number[] = [];
  for (const [i, at] of places.entries()) {
    if (opens[i]!) waiting.push(at);
    else {
      const from = waiting.pop();
      if (from !== undefined) pairs.push([from, at]);
    }
  }
  return pairs;
}
