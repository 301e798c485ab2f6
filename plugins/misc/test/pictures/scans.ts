import sharp, { type OverlayOptions } from 'sharp';

/** A photo on the glass of a scanner, in pixels; `angle` rotates it clockwise about its centre. */
export interface Photo {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
  readonly seed: number;
}

export interface Scan {
  readonly width: number;
  readonly height: number;
  readonly photos: readonly Photo[];
  /** Colour of the scanner's lid; nearly white by default. */
  readonly background?: { readonly r: number; readonly g: number; readonly b: number };
  /** Maximum deviation of background pixels. */
  readonly noise?: number;
  /** A soft dark edge to the right of and below each photo. */
  readonly shadow?: boolean;
  /** Number of dust grains. */
  readonly dust?: number;
}

/** A different landscape for each seed, darker and more colourful than paper, with a frame along its edges. */
async function landscape({ width, height, seed }: Photo): Promise<Buffer> {
  const hue = (seed * 67) % 360;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="s" ` +
    'x1="0" y1="0" x2="0" y2="1">' +
    `<stop offset="0" stop-color="hsl(${hue},60%,35%)"/><stop offset="1" stop-color="hsl(${hue + 40},50%,60%)"/>` +
    '</linearGradient></defs>' +
    `<rect width="100%" height="100%" fill="url(#s)"/><circle cx="${width * 0.7}" cy="${height * 0.3}" r="` +
    `${height * 0.12}" fill="hsl(50,80%,60%)"/>` +
    `<path d="M0 ${height} L${width * 0.4} ${height * 0.45} L${width * 0.65} ${height * 0.75} L${width * 0.8} ` +
    `${height * 0.6} L${width} ${height} Z" fill="hsl(${hue + 90},40%,25%)"/></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

/** Renders a scan as rows of RGB. The same scan gives the same bytes. */
export async function scanPixels({
  width,
  height,
  photos,
  background = { r: 247, g: 246, b: 244 },
  noise = 3,
  shadow = false,
  dust = 0,
}: Scan): Promise<Uint8Array> {
  const paper = sharp({ create: { width, height, channels: 3, background } });
  const layers: OverlayOptions[] = [];
  for (const photo of photos) {
    const turned = await sharp(await landscape(photo))
      .ensureAlpha()
      .rotate(photo.angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png()
      .toBuffer({ resolveWithObject: true });
    const left = Math.round(photo.x + photo.width / 2 - turned.info.width / 2);
    const top = Math.round(photo.y + photo.height / 2 - turned.info.height / 2);
    if (shadow)
      layers.push(
        await placed(
          await sharp(turned.data).linear([0, 0, 0, 0.5], [0, 0, 0, 0]).blur(4).png().toBuffer(),
          left + 5,
          top + 5,
          width,
          height,
        ),
      );
    layers.push(await placed(turned.data, left, top, width, height));
  }
  const data = await paper.composite(layers).removeAlpha().raw().toBuffer();
  let state = 11;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  for (let i = 0; i < data.length; i++)
    data[i] = Math.min(255, Math.max(0, data[i]! + Math.round((random() * 2 - 1) * noise)));
  for (let i = 0; i < dust; i++) {
    const at = (Math.floor(random() * (height - 3)) * width + Math.floor(random() * (width - 3))) * 3;
    for (const shift of [0, 3, width * 3, width * 3 + 3]) data.fill(60, at + shift, at + shift + 3);
  }
  return data;
}

/** Parts beyond the edges of the glass are cut off. */
async function placed(
  input: Buffer,
  left: number,
  top: number,
  width: number,
  height: number,
): Promise<OverlayOptions> {
  const { width: own = 0, height: tall = 0 } = await sharp(input).metadata();
  const [cutLeft, cutTop] = [Math.max(0, -left), Math.max(0, -top)];
  const seen = {
    left: cutLeft,
    top: cutTop,
    width: Math.min(own - cutLeft, width - Math.max(0, left)),
    height: Math.min(tall - cutTop, height - Math.max(0, top)),
  };
  return { input: await sharp(input).extract(seen).png().toBuffer(), left: Math.max(0, left), top: Math.max(0, top) };
}

/** The scan as a PNG file. */
export async function scanPng(scan: Scan): Promise<Buffer> {
  return sharp(await scanPixels(scan), { raw: { width: scan.width, height: scan.height, channels: 3 } })
    .png({ palette: false })
    .toBuffer();
}
