/** Numbers of a Type 1 or CFF charstring of one byte each: a square of 100 units (Adobe technical note 5177). */
const number = (value: number): number => value + 139;
const [MOVE, LINE_X, LINE_Y, END] = [21, 6, 7, 14];
const SQUARE = Buffer.from(
  [
    [number(10), number(10), MOVE],
    [number(100), LINE_X, number(100), LINE_Y, number(-100), LINE_X, END],
  ].flat(),
);
const EMPTY = Buffer.from([END]);

/** A number of a dictionary in five bytes, so that the size of a dictionary does not depend on its offsets. */
function whole(value: number): number[] {
  return [29, value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

/** An INDEX with offsets of two bytes (Adobe technical note 5176, 5). */
function index(items: readonly Uint8Array[]): Buffer {
  if (items.length === 0) return Buffer.from([0, 0]);
  const head = [items.length >> 8, items.length & 255, 2];
  let at = 1;
  for (const length of [0, ...items.map((item) => item.length)]) {
    at += length;
    head.push(at >> 8, at & 255);
  }
  return Buffer.concat([Buffer.from(head), ...items]);
}

interface CffParts {
  /** Operators of the Top DICT; called with the place of each part. */
  readonly top: (places: readonly number[]) => readonly number[];
  readonly strings: readonly string[];
  readonly parts: readonly Uint8Array[];
}

function cff({ top, strings, parts }: CffParts): Buffer {
  const before = (places: readonly number[]): Buffer =>
    Buffer.concat([
      Buffer.from([1, 0, 4, 2]),
      index([Buffer.from('Test')]),
      index([Buffer.from(top(places))]),
      index(strings.map((text) => Buffer.from(text))),
      index([]),
    ]);
  let at = before(parts.map(() => 0)).length;
  const places = parts.map(({ length }) => {
    at += length;
    return at - length;
  });
  return Buffer.concat([before(places), ...parts]);
}

const PRIVATE = Buffer.from([number(50), 20, number(0), 21]);
/** Glyphs .notdef, A, B and "leaf", whose name is the first string after the standard ones. */
const GLYPHS = index([EMPTY, SQUARE, SQUARE, SQUARE]);
const LEAF = 391;

/** A CFF program with glyph names, and an encoding and a character set of this format (Adobe technical note 5176). */
function namedCff(format: 0 | 1): Buffer {
  const charset = format === 0 ? [0, 0, 34, 0, 35, LEAF >> 8, LEAF & 255] : [1, 0, 34, 1, LEAF >> 8, LEAF & 255, 0];
  const encoding = format === 0 ? [0, 3, 65, 66, 67] : [1, 1, 65, 2];
  return cff({
    strings: ['leaf', 'Test Font'],
    parts: [GLYPHS, Buffer.from(charset), Buffer.from(encoding), PRIVATE],
    top: ([glyphs = 0, names = 0, codes = 0, own = 0]) =>
      [
        [...whole(LEAF + 1), 2],
        [...whole(names), 15, ...whole(codes), 16, ...whole(glyphs), 17],
        [...whole(PRIVATE.length), ...whole(own), 18],
      ].flat(),
  });
}

/** A CFF program whose glyphs have numbers of a character collection. */
function numberedCff(): Buffer {
  const inner = (own: number): Buffer => index([Buffer.from([...whole(PRIVATE.length), ...whole(own), 18])]);
  const build = (own: number): CffParts => ({
    strings: ['Adobe', 'Identity'],
    parts: [GLYPHS, Buffer.from([2, 0, 1, 0, 2]), Buffer.from([0, 0, 0, 0, 0]), inner(own), PRIVATE],
    top: ([glyphs = 0, numbers = 0, select = 0, fonts = 0]) =>
      [
        [...whole(LEAF), ...whole(LEAF + 1), number(0), 12, 30],
        [...whole(numbers), 15, ...whole(glyphs), 17, number(4), 12, 34],
        [...whole(fonts), 12, 36, ...whole(select), 12, 37],
      ].flat(),
  });
  return cff(build(cff(build(0)).length - PRIVATE.length));
}

const CLEAR = `%!PS-AdobeFont-1.0: Test 1.0
11 dict begin /FontInfo 3 dict dup begin /Notice (A font of nobody) readonly def end readonly def
/FontName /Test def /Encoding 256 array 0 1 255 {1 index exch /.notdef put} for
dup 65 /A put dup 66 /B put readonly def /PaintType 0 def /FontType 1 def /FontMatrix [0.001 0 0 0.001 0 0] def
/FontBBox {0 -200 1000 800} readonly def currentdict end currentfile eexec `;
const HIDDEN = `dup /Private 4 dict dup begin /RD {string currentfile exch readstring pop} executeonly def
/CharStrings 3 dict dup begin /.notdef 3 RD abc ND /A 5 RD abcde ND /B 4 RD abcd ND end end
mark currentfile closefile `;

/** The second part of a Type 1 program (Adobe Type 1 Font Format, 7.1). */
function encrypted(text: string): Buffer {
  let key = 55_665;
  return Buffer.from(
    Array.from(Buffer.from(`\0\0\0\0${text}`, 'latin1'), (byte) => {
      const cipher = byte ^ (key >> 8);
      key = ((cipher + key) * 52_845 + 22_719) & 0xffff;
      return cipher;
    }),
  );
}

function segment(kind: number, bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([Buffer.from([0x80, kind]), size, bytes]);
}

/** Font programs and character maps by their kind, each of which a reader of documents understands. */
export function fontSeeds(trueType: Uint8Array): ReadonlyMap<string, Buffer> {
  const [clear, hidden] = [Buffer.from(CLEAR, 'latin1'), encrypted(HIDDEN)];
  return new Map([
    ['TrueType', Buffer.from(trueType)],
    ['CFF with names', namedCff(0)],
    ['CFF with ranges', namedCff(1)],
    ['CFF with numbers', numberedCff()],
    ['Type 1', Buffer.concat([clear, hidden])],
    ['Type 1 in hexadecimal', Buffer.concat([clear, Buffer.from(hidden.toString('hex'))])],
    ['Type 1 in segments', Buffer.concat([segment(1, clear), segment(2, hidden), Buffer.from([0x80, 3])])],
    ['character map', Buffer.from(CHARACTER_MAP)],
  ]);
}

const CHARACTER_MAP = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Test def
1 begincodespacerange <0000> <ffff> endcodespacerange
2 beginbfrange <0000> <005e> <0020> <005f> <0061> [<00660066> <00660069> <0066006c>] endbfrange
1 beginbfchar <3a51> <d840dc3e> endbfchar 1 begincidrange <0000> <00ff> 12 endcidrange
1 beginnotdefrange <0000> <001f> 1 endnotdefrange endcmap end end`;
