/** The compressed rows of a PNG, as a PDF's FlateDecode with PNG predictors reads them (ISO 32000-1, 7.4.4.4). */
export interface PngData {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly components: 1 | 3;
  readonly data: Uint8Array;
}

/**
 * Extracts the rows of a PNG without palette, alpha or interlacing (PNG, 11.2). Only for PNGs that Quire encoded
 * itself.
 */
export function pngData(png: Uint8Array): PngData {
  const view = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const type = view[25];
  if ((type !== 0 && type !== 2) || view[28] !== 0) throw new TypeError(`unexpected PNG colour type ${type}`);
  const parts: Buffer[] = [];
  for (let at = 8; at + 8 <= view.length;) {
    const length = view.readUInt32BE(at);
    if (view.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(view.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return {
    width: view.readUInt32BE(16),
    height: view.readUInt32BE(20),
    bits: view[24]!,
    components: type === 0 ? 1 : 3,
    data: Buffer.concat(parts),
  };
}
