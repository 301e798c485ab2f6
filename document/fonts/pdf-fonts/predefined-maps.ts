import { CMap, identityMap } from './cmap.js';

/** The codes of a character set in a CMap: their lengths, their characters, and the CIDs of plain Latin. */
interface CharacterSet {
  /** Low and high bytes of the codes of each length, in hexadecimal. */
  readonly spaces: readonly (readonly [string, string])[];
  readonly text: (bytes: Uint8Array) => string;
}

const EAST_ASIAN: readonly (readonly [string, string])[] = [
  ['00', '80'],
  ['8140', 'fefe'],
  ['ff', 'ff'],
];
const UNITS: readonly (readonly [string, string])[] = [
  ['0000', 'd7ff'],
  ['d800dc00', 'dbffdfff'],
  ['e000', 'ffff'],
];

/** Character sets that the predefined CMaps (ISO 32000-1, table 118) are named after. */
const SETS: readonly (readonly [RegExp, CharacterSet])[] = [
  [
    /^(83pv|90ms|90msp|90pv|Add|Ext|78ms|78)?-?RKSJ$/,
    {
      spaces: [
        ['00', '80'],
        ['8140', '9ffc'],
        ['a0', 'df'],
        ['e040', 'fcfc'],
        ['fd', 'ff'],
      ],
      text: decoder('shift_jis'),
    },
  ],
  [
    /^EUC$/,
    {
      spaces: [
        ['00', '80'],
        ['8ea0', '8edf'],
        ['a1a1', 'fefe'],
      ],
      text: decoder('euc-jp'),
    },
  ],
  [
    /^(|78|Add|Ext|NWP|Hojo)$/,
    { spaces: [['2121', '7e7e']], text: (bytes) => decoder('euc-jp')(bytes.map((byte) => byte | 0x80)) },
  ],
  [
    /^(GB|GBpc|GBK|GBKp|GBK2K)(-EUC)?$/,
    {
      spaces: [
        ['00', '80'],
        ['8140', 'fefe'],
        ['81308130', 'fe39fe39'],
      ],
      text: decoder('gb18030'),
    },
  ],
  [
    /^(B5pc|HKscs-B5|ETen-B5|ETenms-B5|HKdla-B5|HKdlb-B5|HKgccs-B5|HKm314-B5|HKm471-B5|B5)$/,
    { spaces: EAST_ASIAN, text: decoder('big5') },
  ],
  [/^(KSC|KSCpc|KSCms-UHC|KSCms-UHC-HW)(-EUC)?$/, { spaces: EAST_ASIAN, text: decoder('euc-kr') }],
  [
    /^Uni(GB|CNS|JIS|KS|JISX0213|JIS2004|JISPro)\d*-(UCS2|UTF16)(-HW)?$/,
    { spaces: UNITS, text: (bytes) => decoder('utf-16be')(bytes) },
  ],
  [
    /^Uni(GB|CNS|JIS|KS|JISX0213|JISX02132004|JIS2004|AKR)-UTF32$/,
    {
      spaces: [['00000000', '0010ffff']],
      text: (bytes) =>
        String.fromCodePoint(
          Math.min(
            0x10ffff,
            bytes.reduce((sum, byte) => sum * 256 + byte, 0),
          ),
        ),
    },
  ],
  [
    /^Uni(GB|CNS|JIS|KS|JIS2004|AKR)-UTF8$/,
    {
      spaces: [
        ['00', '7f'],
        ['c080', 'dfbf'],
        ['e08080', 'efbfbf'],
        ['f0808080', 'f7bfbfbf'],
      ],
      text: decoder('utf-8'),
    },
  ],
];

/** The CID of the blank in a CMap, where plain Latin begins: half-width in CMaps that use it, else proportional. */
const LATIN: readonly (readonly [RegExp, number])[] = [
  [/^(90ms-RKSJ|UniJIS-UCS2-HW|Ext-RKSJ|Add-RKSJ|EUC)$/, 231],
  [/^(GBK-EUC|GB-EUC|GBK2K)$/, 814],
  [/^KSCms-UHC-HW$/, 8094],
  [/^(ETen-B5|HKscs-B5)$/, 13_648],
];

const known = new Map<string, CMap | undefined>();

/**
 * Returns the predefined CMap of this name (ISO 32000-1, table 118), or undefined. Those of character sets map
 * characters without Adobe's tables; they contain only the CIDs of plain Latin, which may be half-width: the others are
 * found by character (`cidsOfCollection`).
 */
export function predefinedMap(name: string): CMap | undefined {
  if (name === 'Identity-H' || name === 'Identity-V') return identityMap(name === 'Identity-V');
  if (!known.has(name)) known.set(name, make(name));
  return known.get(name);
}

function make(name: string): CMap | undefined {
  const [, set, direction] = /^(?:(.+)-)?([HV])$/.exec(name) ?? [];
  if (direction === undefined) return undefined;
  const base = set ?? '';
  const characters = SETS.find(([names]) => names.test(base))?.[1];
  if (characters === undefined) return undefined;
  const map = new CMap();
  for (const [low, high] of characters.spaces)
    map.spaces.push({ low: Buffer.from(low, 'hex'), high: Buffer.from(high, 'hex') });
  map.vertical = direction === 'V';
  map.textOf = characters.text;
  const blank = LATIN.find(([names]) => names.test(base))?.[1] ?? 1;
  const latin = characters.spaces[0]![0].length === 2 ? 1 : /UCS2|UTF16/.test(base) ? 2 : 0;
  if (latin > 0) for (let code = 0x20; code <= 0x7e; code++) map.cids.set(code, blank + code - 0x20);
  return map;
}

function decoder(charset: string): (bytes: Uint8Array) => string {
  let made: InstanceType<typeof TextDecoder> | undefined;
  return (bytes) => {
    made ??= new TextDecoder(charset);
    const text = made.decode(bytes);
    return text.includes('\ufffd') ? '' : text;
  };
}
