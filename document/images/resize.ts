import type { Pixels } from './decode-image.js';

/** Returns decoded pixels as grey on white, scaled down where there are more than `most`. */
export async function greyOnWhite(
  { width, height, channels, data }: Pixels,
  most: number,
): Promise<Pixels & { readonly channels: 1 }> {
  const { default: sharp } = await import('sharp');
  const scale = Math.min(1, Math.sqrt(most / (width * height)));
  let image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  if (channels === 4) image = image.flatten({ background: '#ffffff' });
  if (scale < 1)
    image = image.resize(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)), {
      fit: 'fill',
    });
  const result = await image.removeAlpha().toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { width: result.info.width, height: result.info.height, channels: 1, data: result.data };
}

/**
 * Returns decoded pixels scaled down where there are more than `most`, else unchanged. Each result is the mean of the
 * pixels it replaces.
 */
export async function shrunkPixels(pixels: Pixels, most: number): Promise<Pixels> {
  const { width, height } = pixels;
  const scale = Math.sqrt(most / (width * height));
  if (scale >= 1) return pixels;
  return scaledPixels(pixels, {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  });
}

/** Returns decoded pixels scaled to a size. */
export async function scaledPixels(
  { width, height, channels, data }: Pixels,
  size: { readonly width: number; readonly height: number },
): Promise<Pixels> {
  const { default: sharp } = await import('sharp');
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false }).resize(
    size.width,
    size.height,
    { fit: 'fill', kernel: 'linear' },
  );
  return { ...size, channels, data: await (channels === 1 ? image.toColourspace('b-w') : image).raw().toBuffer() };
}

/** Returns pixels turned clockwise. */
export async function turnedPixels(pixels: Pixels, turn: 0 | 90 | 180 | 270): Promise<Pixels> {
  if (turn === 0) return pixels;
  const { width, height, channels, data } = pixels;
  const { default: sharp } = await import('sharp');
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false }).rotate(turn);
  const turned = await (channels === 1 ? image.toColourspace('b-w') : image).raw().toBuffer();
  return turn === 180
    ? { width, height, channels, data: turned }
    : { width: height, height: width, channels, data: turned };
}
