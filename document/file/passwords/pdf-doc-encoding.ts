/** The differences between PDFDocEncoding and Latin 1 (ISO 32000-1, D.2): codes from 0x18 on, then from 0x80 on. */
const LOWER = '˘ˇˆ˙˝˛˚˜';
const UPPER = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž';
/** Unassigned codes. */
const UNDEFINED: ReadonlySet<number> = new Set([0x7f, 0x9f, 0xad]);

let codes: ReadonlyMap<string, number> | undefined;

/** Encodes a text in PDFDocEncoding; undefined when a character is missing from it. */
export function encodePdfDoc(text: string): Uint8Array | undefined {
  codes ??= table();
  const bytes: number[] = [];
  for (const character of text) {
    const code = codes.get(character);
    if (code === undefined) return undefined;
    bytes.push(code);
  }
  return Uint8Array.from(bytes);
}

function table(): Map<string, number> {
  const characters = Array.from(
    { length: 256 },
    (_, code) => LOWER[code - 0x18] ?? UPPER[code - 0x80] ?? (code === 0xa0 ? '€' : String.fromCharCode(code)),
  );
  return new Map(characters.flatMap((character, code) => (UNDEFINED.has(code) ? [] : [[character, code] as const])));
}
