import { projection, sizeOf, type Quad } from './quad.ts';

/** Longest side of a page in pixels: A4 at 300 dpi; `reduced` is the administrator's choice. */
const LONGEST = { full: 3508, reduced: 1200 } as const;
const QUALITY = 0.9;

/** Cuts a page out of a picture, straightens it and turns it by quarters to the right. */
export async function straighten(picture: Blob, quad: Quad, turns: number, size: keyof typeof LONGEST): Promise<Blob> {
  // The orientation that cameras record is applied by the browser.
  const bitmap = await createImageBitmap(picture);
  const source = pixelsOf(bitmap);
  bitmap.close();
  const exact = sizeOf(quad, source.width, source.height);
  const scale = Math.min(1, LONGEST[size] / Math.max(exact.width, exact.height));
  const flat = project(source, quad, atLeastOne(exact.width * scale), atLeastOne(exact.height * scale));
  const sideways = turns % 2 === 1;
  const canvas = new OffscreenCanvas(sideways ? flat.height : flat.width, sideways ? flat.width : flat.height);
  const context = contextOf(canvas);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((turns * Math.PI) / 2);
  const upright = new OffscreenCanvas(flat.width, flat.height);
  contextOf(upright).putImageData(flat, 0, 0);
  context.drawImage(upright, -flat.width / 2, -flat.height / 2);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

function pixelsOf(bitmap: ImageBitmap): ImageData {
  const context = contextOf(new OffscreenCanvas(bitmap.width, bitmap.height));
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

/** Reads every pixel of the page between the four nearest of the picture. */
function project(source: ImageData, quad: Quad, width: number, height: number): ImageData {
  const at = projection(quad);
  const result = new ImageData(width, height);
  const [from, to] = [source.data, result.data];
  const line = source.width * 4;
  for (let y = 0, pixel = 0; y < height; y++)
    for (let x = 0; x < width; x++, pixel += 4) {
      const point = at((x + 0.5) / width, (y + 0.5) / height);
      const sx = within(point.x * source.width - 0.5, source.width - 1);
      const sy = within(point.y * source.height - 0.5, source.height - 1);
      const [left, top] = [Math.floor(sx), Math.floor(sy)];
      const [right, down] = [left < source.width - 1 ? 4 : 0, top < source.height - 1 ? line : 0];
      const [fx, fy, first] = [sx - left, sy - top, top * line + left * 4];
      for (let i = first; i < first + 3; i++) {
        const above = from[i]! + (from[i + right]! - from[i]!) * fx;
        const below = from[i + down]! + (from[i + down + right]! - from[i + down]!) * fx;
        to[pixel + i - first] = above + (below - above) * fy;
      }
      to[pixel + 3] = 255;
    }
  return result;
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no memory for this picture');
  return context;
}

const within = (value: number, most: number): number => Math.min(most, Math.max(0, value));
const atLeastOne = (value: number): number => Math.max(1, Math.round(value));
