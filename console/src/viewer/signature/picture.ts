/** Larger pictures are made smaller: 1600 pixels are sharp in print at the width of a hand. */
const LARGEST = 1600;
/** Of 255: what is brighter is paper. */
const PAPER = 235;
/** Below it, ink keeps all its colour. */
const INK = 160;

/** A picture of a signature as PNG; with `clear` the paper becomes transparent. Rejects for what is no picture. */
export async function pictureToPng(file: Blob, clear: boolean): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext('2d', { willReadFrequently: clear });
  if (context === null) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  if (clear) {
    const image = context.getImageData(0, 0, canvas.width, canvas.height);
    clearPaper(image.data);
    context.putImageData(image, 0, 0);
  }
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Makes bright pixels transparent, gradually towards the ink, so that edges stay smooth. */
function clearPaper(pixels: Uint8ClampedArray): void {
  for (let i = 0; i < pixels.length; i += 4) {
    const bright = 0.299 * (pixels[i] ?? 0) + 0.587 * (pixels[i + 1] ?? 0) + 0.114 * (pixels[i + 2] ?? 0);
    const share = Math.max(0, Math.min(1, (PAPER - bright) / (PAPER - INK)));
    pixels[i + 3] = Math.round((pixels[i + 3] ?? 0) * share);
  }
}
