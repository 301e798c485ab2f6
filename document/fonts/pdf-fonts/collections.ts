import { collectionRanges } from './collection-ranges.js';

/** The code layout of a collection's character set. */
interface CodePlan {
  readonly charset: string;
  /** First and second byte of the code at a position. */
  readonly bytes: (place: number) => readonly [number, number];
  /** First CIDs of plain Latin: from the blank to the tilde. */
  readonly latin: readonly number[];
}

const rows = (place: number): readonly [number, number] => [0xa1 + Math.floor(place / 94), 0xa1 + (place % 94)];
const bigFive = (place: number): readonly [number, number] => [
  0x81 + Math.floor(place / 157),
  place % 157 < 63 ? 0x40 + (place % 157) : 0xa1 + (place % 157) - 63,
];

const PLANS: Readonly<Record<string, CodePlan>> = {
  Japan1: { charset: 'euc-jp', bytes: rows, latin: [1, 231] },
  GB1: { charset: 'gb18030', bytes: rows, latin: [1, 814] },
  Korea1: { charset: 'euc-kr', bytes: rows, latin: [1, 8094] },
  CNS1: { charset: 'big5', bytes: bigFive, latin: [1, 13_648] },
};

const made = new Map<string, ReadonlyMap<number, string>>();

/**
 * The characters of the CIDs in one of Adobe's character collections (ISO 32000-1, 9.7.3), as far as the national
 * character sets contain them, and plain Latin; undefined for other collections. `ordering` is that of the
 * CIDSystemInfo.
 */
export function textsOfCollection(ordering: string): ReadonlyMap<number, string> | undefined {
  const plan = PLANS[ordering];
  if (plan === undefined) return undefined;
  const known = made.get(ordering);
  if (known !== undefined) return known;
  const texts = new Map<number, string>();
  const decoder = new TextDecoder(plan.charset);
  const numbers = (collectionRanges[ordering] ?? '').split(' ').map((number) => parseInt(number, 36));
  for (let i = 0; i + 2 < numbers.length; i += 3) {
    for (let step = 0; step < numbers[i + 2]!; step++) {
      const text = decoder.decode(Uint8Array.from(plan.bytes(numbers[i + 1]! + step)));
      if (text.length > 0 && !text.includes('\ufffd')) texts.set(numbers[i]! + step, text);
    }
  }
  for (const first of plan.latin)
    for (let code = 0x20; code <= 0x7e; code++) texts.set(first + code - 0x20, String.fromCharCode(code));
  made.set(ordering, texts);
  return texts;
}

const inverted = new Map<string, ReadonlyMap<string, number>>();

/** The CIDs of characters in a collection, the lowest where there are several; empty for an unknown collection. */
export function cidsOfCollection(ordering: string): ReadonlyMap<string, number> {
  const known = inverted.get(ordering);
  if (known !== undefined) return known;
  const cids = new Map<string, number>();
  for (const [cid, text] of textsOfCollection(ordering) ?? []) if (!cids.has(text)) cids.set(text, cid);
  if (PLANS[ordering] !== undefined) inverted.set(ordering, cids);
  return cids;
}
