import type { Pixels } from './decode-image.js';

/** Gives decoded pixels as RGBA on white paper, scaled down where they are more than `most`. */
export async function rgbaOnWhite({ width, height, channels, data }: Pixels, most: number): Promise<Pixels & { readonly channels: 4 }> {
  const { default: sharp } = await import('sharp');
  const scale = Math.min(1, Math.sqrt(most / (width * height)));
  let image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  if (channels === 4) image = image.flatten({ background: '#ffffff' });
  if (scale < 1) image = image.resize(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)), { fit: 'fill' });
  const result = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: result.info.width, height: result.info.height, channels: 4, data: result.data };
}
