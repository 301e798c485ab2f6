import type { PagePicture, PagePixels } from '@quire/document/engines/rendering';

/** Uniform random numbers from 0 (included) to 1 (excluded). */
export type RandomSource = () => number;

export interface ScanLook {
  readonly grey: boolean;
  /** Skew of each sheet in degrees, clockwise. */
  readonly angle: number;
  /** Maximum random deviation from that skew, in degrees to either side. */
  readonly variance: number;
  /** Width in pixels of the scanner's lid around the sheet. */
  readonly border: number;
  /** Brightness factor; 1 changes nothing. */
  readonly brightness: number;
  /** Factor on the distance from middle grey; 1 changes nothing. */
  readonly contrast: number;
  /** Standard deviation of the blur in pixels; nothing is blurred below 0.3. */
  readonly blur: number;
  /** Standard deviation of the noise, in levels of 255. */
  readonly noise: number;
  /** Tints the paper like old paper. */
  readonly yellowish: boolean;
  readonly jpegQuality: number;
}

/** Below this the kernel of the image library is a single pixel. */
const MIN_BLUR = 0.3;
/** Factors of old paper for red, green and blue. */
const OLD_PAPER = [1, 0.965, 0.82] as const;
/** Darkness of the sheet's shadow on the lid, and its width as a share of the page width. */
const SHADOW = 0.4;
const SHADOW_REACH = 0.004;
/** Brightness that the lamp loses towards its end. */
const FALL_OFF = 0.035;
/** Number of random levels; a prime, so that adjacent rows do not repeat. */
const GRAIN = 65_521;
/** Colour noise relative to brightness noise. */
const COLOUR_NOISE = 0.4;

/**
 * Makes a rendered page look scanned: a skewed sheet under an off-white lid, with a shadow at its edge, uneven light,
 * and a scanner's blur, grain and contrast. The image has the size of the rendered page and shows the whole sheet. The
 * same numbers from `random` give the same image.
 */
export async function scanPage(drawn: PagePixels, look: ScanLook, random: RandomSource): Promise<PagePicture> {
  const { default: sharp } = await import('sharp');
  const { width, height } = drawn;
  const laid = await laySheet(drawn, look, random);
  const components = look.grey && !look.yellowish ? 1 : 3;
  let image = sharp(laid, { raw: { width, height, channels: 3 } });
  if (look.grey) image = image.greyscale();
  if (look.blur >= MIN_BLUR) image = image.blur(look.blur);
  const { data } = await (look.grey ? image.toColourspace('b-w') : image).raw().toBuffer({ resolveWithObject: true });
  const pixels = develop(data, { width, height, from: look.grey ? 1 : 3, to: components }, look, random);
  const coded = sharp(pixels, { raw: { width, height, channels: components } });
  const jpeg = await (components === 1 ? coded.toColourspace('b-w') : coded)
    .jpeg({ quality: look.jpegQuality })
    .toBuffer();
  return { width, height, jpeg, components };
}

/** Places the sheet on the lid, rotated and scaled down to be visible as a whole. RGB. */
async function laySheet(
  { pixels, width, height }: PagePixels,
  { angle, variance, border }: ScanLook,
  random: RandomSource,
): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const degrees = angle + variance * (random() * 2 - 1);
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.abs(Math.sin(radians)), Math.abs(Math.cos(radians))];
  const [turnedWidth, turnedHeight] = [width * cos + height * sin, width * sin + height * cos];
  const scale = Math.min(width / (turnedWidth + border * 2), height / (turnedHeight + border * 2));
  const [sheetWidth, sheetHeight] = [width, height].map((side) => Math.max(1, Math.floor(side * scale)));
  const flat = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .resize(sheetWidth, sheetHeight, { fit: 'fill' })
    .raw()
    .toBuffer();
  const turned = await sharp(flat, { raw: { width: sheetWidth ?? 1, height: sheetHeight ?? 1, channels: 3 } })
    .ensureAlpha()
    .rotate(degrees, { background: { r: 255, g: 255, b: 255, alpha: 0 } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const sheet = { data: turned.data, width: turned.info.width, height: turned.info.height };
  const left = Math.round((width - sheet.width) / 2);
  const top = Math.round((height - sheet.height) / 2);
  const alpha = new Uint8Array(width * height);
  eachPixel(sheet, width, height, left, top, (from, to) => {
    alpha[to] = sheet.data[from * 4 + 3] ?? 0;
  });
  const shadow = await sharp(alpha, { raw: { width, height, channels: 1 } })
    .blur(Math.min(100, Math.max(MIN_BLUR, width * SHADOW_REACH)))
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const page = lid(width, height, shadow, random);
  eachPixel(sheet, width, height, left, top, (from, to) => {
    const share = (sheet.data[from * 4 + 3] ?? 0) / 255;
    for (let c = 0; c < 3; c++)
      page[to * 3 + c] = (page[to * 3 + c] ?? 0) * (1 - share) + (sheet.data[from * 4 + c] ?? 0) * share;
  });
  return page;
}

function eachPixel(
  sheet: { readonly width: number; readonly height: number },
  width: number,
  height: number,
  left: number,
  top: number,
  work: (from: number, to: number) => void,
): void {
  for (let y = Math.max(0, -top); y < sheet.height && y + top < height; y++) {
    for (let x = Math.max(0, -left); x < sheet.width && x + left < width; x++)
      work(y * sheet.width + x, (y + top) * width + x + left);
  }
}

/** The underside of the lid: light grey, darker towards one side, with the sheet's shadow. */
function lid(width: number, height: number, shadow: Uint8Array, random: RandomSource): Uint8Array {
  const [bright, slope, across] = [222 + random() * 16, 10 + random() * 14, random()];
  const page = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const level = bright - slope * (across * (x / width) + (1 - across) * (y / height));
      page.fill(level * (1 - (SHADOW * (shadow[at] ?? 0)) / 255), at * 3, at * 3 + 3);
    }
  }
  return page;
}

/** Applies light, contrast, paper and grain in one pass. */
function develop(
  data: Uint8Array,
  {
    width,
    height,
    from,
    to,
  }: { readonly width: number; readonly height: number; readonly from: 1 | 3; readonly to: 1 | 3 },
  look: ScanLook,
  random: RandomSource,
): Uint8Array {
  const grain = grainOf(look.noise, random);
  const tables = [0, 1, 2].map((c) =>
    Float32Array.from(
      { length: 256 },
      (_, level) =>
        (look.yellowish ? (OLD_PAPER[c] ?? 1) : 1) *
        Math.max(0, Math.min(255, (level * look.brightness - 128) * look.contrast + 128)),
    ),
  );
  const out = new Uint8Array(width * height * to);
  const side = random() < 0.5;
  for (let y = 0; y < height; y++) {
    let own = Math.floor(random() * GRAIN);
    let tint = Math.floor(random() * GRAIN);
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const light = 1 - FALL_OFF * ((side ? x : width - x) / width) ** 2;
      const level = grain[own] ?? 0;
      if (++own === GRAIN) own = 0;
      for (let c = 0; c < to; c++) {
        const value =
          (tables[c]?.[data[at * from + (from === 3 ? c : 0)] ?? 0] ?? 0) * light +
          level +
          (from === 3 ? (grain[tint] ?? 0) * COLOUR_NOISE : 0);
        if (from === 3 && ++tint === GRAIN) tint = 0;
        out[at * to + c] = value < 0 ? 0 : value > 255 ? 255 : value;
      }
    }
  }
  return out;
}

/** Normally distributed levels (Box and Muller, 1958). */
function grainOf(deviation: number, random: RandomSource): Float32Array {
  const grain = new Float32Array(GRAIN);
  if (deviation <= 0) return grain;
  for (let i = 0; i < GRAIN; i++)
    grain[i] = deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return grain;
}
