/** Bytes of all kept bitmaps together: about twenty pages of a screen. */
const MOST_BYTES = 96 * 1024 * 1024;
const BYTES_PER_PIXEL = 4;

/** Keeps the bitmaps that were drawn last and closes older ones, whose memory the browser would keep for long. */
class BitmapCache {
  private readonly kept = new Map<string, ImageBitmap>();
  private bytes = 0;

  get(key: string): ImageBitmap | undefined {
    const found = this.kept.get(key);
    if (found === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, found);
    return found;
  }

  set(key: string, bitmap: ImageBitmap): void {
    this.drop(key);
    this.kept.set(key, bitmap);
    this.bytes += sizeOf(bitmap);
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MOST_BYTES || oldest === key) return;
      this.drop(oldest);
    }
  }

  /** Drops all bitmaps of which the key starts with this. */
  clear(prefix: string): void {
    for (const key of this.kept.keys()) if (key.startsWith(prefix)) this.drop(key);
  }

  private drop(key: string): void {
    const bitmap = this.kept.get(key);
    if (bitmap === undefined) return;
    this.kept.delete(key);
    this.bytes -= sizeOf(bitmap);
    bitmap.close();
  }
}

function sizeOf({ width, height }: ImageBitmap): number {
  return width * height * BYTES_PER_PIXEL;
}

export const bitmaps = new BitmapCache();
