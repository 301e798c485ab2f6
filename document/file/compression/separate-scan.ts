import type { Sharp } from 'sharp';
import { greyPixels, type Pixels } from '../../images/index.js';
import { encodeJbig2 } from '../../images/jbig2/index.js';
import {
  type Layers,
  painted,
  type Plane,
  separateLayers,
  similarity,
  type View,
  viewed,
  viewedFile,
  viewOf,
} from '../../images/mixed-raster/index.js';
import { type CompressLevel, jpegQuality, type Size, scaledSize } from './rules.js';

/** In pixels: A4 at 600 dpi. Larger scans would take too much memory. */
const MAX_PIXELS = 36_000_000;
/** In pixels. Text of smaller images has too few of them for two colours. */
const MIN_SIDE = 1000;
/** Size of the paper by level; it has little to show. */
const PAPER_SCALE: Readonly<Partial<Record<CompressLevel, number>>> = { 6: 1 / 3, 7: 1 / 4, 8: 1 / 5, 9: 1 / 6 };
const MIN_PAPER_QUALITY = 60;
const INK_QUALITY = 60;
/** From this share of the page on, pictures decide about the size of the background. */
const SHARE_OF_PICTURES = 0.02;
/** The layers look like the scan: similarity of what can be read, in the mean and at the worst places. */
const [MIN_SIMILARITY, MIN_WORST] = [0.92, 0.7] as const;
/** Deviation from which something can be read, in shades and as a multiple of the paper's grain. */
const [MIN_CONTRAST, GRAIN_RATIO] = [8, 2] as const;

/** A scan in three encoded layers. */
export interface SeparatedScan {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  /** JBIG2 of the scan's size: 1 where there is ink. */
  readonly mask: Uint8Array;
  /** JPEGs of any size. */
  readonly background: EncodedLayer;
  /** One colour of samples from 0 to 255, or a JPEG. */
  readonly ink: readonly number[] | EncodedLayer;
  /** Bytes of all layers. */
  readonly size: number;
}

export interface EncodedLayer extends Size {
  readonly jpeg: Uint8Array;
}

/** True when this level separates scans. */
export function separatesScans(level: CompressLevel): boolean {
  return PAPER_SCALE[level] !== undefined;
}

/** True for an image that may be a scan of a page. */
export function mayBeScan({ width, height }: Size): boolean {
  return Math.min(width, height) >= MIN_SIDE && width * height <= MAX_PIXELS;
}

/**
 * Separates a scan into ink, mask and background (mixed raster content) if it is text on paper, the layers look like it
 * and take fewer than `most` bytes; undefined otherwise. The pixels are grey or RGB.
 */
export async function separateScan(
  pixels: Sharp,
  level: CompressLevel,
  most: number,
): Promise<SeparatedScan | undefined> {
  const { data, info } = await pixels.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels !== 1 && channels !== 3) return undefined;
  const view = viewOf(width, height);
  const scan = { width, height, channels, data };
  const grey = greyPixels(scan);
  const before = viewed(grey, view, 255);
  const layers = await separateLayers(scan, grey);
  if (layers === undefined) return undefined;
  const mask = encodeJbig2(packed(layers.mask), width, height);
  if (mask.length >= most) return undefined;
  const background = await encodeBackground(layers, level);
  const ink = await encodeInk(layers.ink);
  const size = mask.length + background.jpeg.length + ('jpeg' in ink ? ink.jpeg.length : 0);
  if (size >= most || !(await isLegible(before, layers, { background, ink }, view))) return undefined;
  return { width, height, channels, mask, background, ink, size };
}

/** Rows of whole bytes, the leftmost pixel in the highest bit. */
function packed({ width, height, data }: Plane): Uint8Array {
  const row = Math.ceil(width / 8);
  const bits = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const end = (y + 1) * width;
    for (let at = y * width, to = y * row; at < end; to++) {
      let byte = 0;
      for (let bit = 0x80; bit > 0 && at < end; bit >>= 1, at++) if (data[at] === 1) byte |= bit;
      bits[to] = byte;
    }
  }
  return bits;
}

async function encodeBackground({ background, pictures }: Layers, level: CompressLevel): Promise<EncodedLayer> {
  const { width, height } = background;
  const scale = PAPER_SCALE[level] ?? 1;
  const paper = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return pictures > SHARE_OF_PICTURES
    ? encodeLayer(background, scaledSize(width, height, level) ?? background, jpegQuality(level))
    : encodeLayer(background, paper, Math.max(MIN_PAPER_QUALITY, jpegQuality(level)));
}

async function encodeInk(ink: Pixels): Promise<readonly number[] | EncodedLayer> {
  return ink.width === 1 && ink.height === 1 ? [...ink.data] : encodeLayer(ink, ink, INK_QUALITY, '4:4:4');
}

async function encodeLayer(
  { width, height, channels, data }: Pixels,
  size: Size,
  quality: number,
  chromaSubsampling = '4:2:0',
): Promise<EncodedLayer> {
  const { default: sharp } = await import('sharp');
  const jpeg = await sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality, mozjpeg: true, chromaSubsampling })
    .toBuffer();
  return { width: size.width, height: size.height, jpeg };
}

async function isLegible(
  before: Plane,
  { mask, grain }: Layers,
  { background, ink }: Pick<SeparatedScan, 'background' | 'ink'>,
  view: View,
): Promise<boolean> {
  const after = painted(
    await viewedFile(background.jpeg, view),
    'jpeg' in ink ? await viewedFile(ink.jpeg, view) : evenPlane(ink, view),
    viewed(mask, view, 1),
  );
  const found = similarity(before, after, Math.max(MIN_CONTRAST, grain * GRAIN_RATIO));
  return found !== undefined && found.mean >= MIN_SIMILARITY && found.worst >= MIN_WORST;
}

function evenPlane(colour: readonly number[], { width, height }: View): Plane {
  const channels = colour.length === 1 ? 1 : 3;
  const shade = greyPixels({ width: 1, height: 1, channels, data: Uint8Array.from(colour) }).data[0]!;
  return { width, height, data: new Uint8Array(width * height).fill(shade) };
}
