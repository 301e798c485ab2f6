/** Facts about a JPEG that is embedded unchanged. */
export interface JpegHeader {
  readonly components: 1 | 3 | 4;
  /** True for the Adobe marker, with which four components are stored inverted. */
  readonly adobe: boolean;
}

/**
 * Reads the frame header; undefined when DCTDecode cannot show the file (12 bits, arithmetic coding, lossless; ISO
 * 32000-1, 7.4.8).
 */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  let adobe = false;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = (bytes[at + 2]! << 8) | bytes[at + 3]!;
    if (marker === 0xee && Buffer.from(bytes.subarray(at + 4, at + 9)).toString('latin1') === 'Adobe') adobe = true;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const components = bytes[at + 9];
      const shown = marker <= 0xc2 && bytes[at + 4] === 8 && (components === 1 || components === 3 || components === 4);
      return shown ? { components, adobe } : undefined;
    }
    if (marker === 0xda || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}
