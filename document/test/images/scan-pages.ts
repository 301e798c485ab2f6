import sharp from 'sharp';

/** A4 at 150 dpi: as few pixels as a scan may have. */
export const [WIDTH, HEIGHT] = [1240, 1754] as const;

/** Samples of a page, in grey or RGB. */
export interface ScannedPage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly data: Buffer;
}

/** Always the same number from 0 to 1 for `n`. */
export function hash(n: number): number {
  const x = Math.sin(n * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
}

const words = 'Received with thanks for repairs of the bridge and new windows'.split(' ');

/** Lines of text in letters of 24 pixels. */
export function textLines(colour: string, { from = 120, lines = 34 } = {}): string {
  return Array.from({ length: lines }, (_, line) => {
    const text = Array.from({ length: 8 }, (_unused, k) => words[(line * 5 + k * 3) % words.length]).join(' ');
    const place = `x="100" y="${from + line * 44}" font-size="26" font-family="sans-serif"`;
    return `<text ${place} fill="${colour}">${text}</text>`;
  }).join('');
}

/** Draws a page of SVG on paper of a colour, softens it as a lens does, and adds grain. */
export async function scannedPage(drawing: string, paper = '#f2efe6', channels: 1 | 3 = 3): Promise<ScannedPage> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
    `<rect width="100%" height="100%" fill="${paper}"/>${drawing}</svg>`;
  const page = sharp(Buffer.from(svg)).removeAlpha().blur(0.6);
  const data = await (channels === 1 ? page.greyscale().toColourspace('b-w') : page).raw().toBuffer();
  const noise = grain();
  for (let at = 0; at < data.length; at++)
    data[at] = Math.min(255, Math.max(0, data[at]! + Math.round(noise[Math.floor(at / channels)]! * 10)));
  return { width: WIDTH, height: HEIGHT, channels, data };
}

let made: Float64Array | undefined;

/** Numbers from -0.5 to 0.5, one for each pixel; computed once, because a page has two million. */
function grain(): Float64Array {
  return (made ??= Float64Array.from({ length: WIDTH * HEIGHT }, (_, at) => hash(at) - 0.5));
}

/** A photograph: smooth shapes with a texture, and nothing of paper. */
export async function photographedPage(): Promise<ScannedPage> {
  const shapes = Array.from({ length: 60 }, (_, i) => {
    const [x, y, r] = [hash(i * 3) * WIDTH, hash(i * 3 + 1) * HEIGHT, 60 + hash(i * 3 + 2) * 300];
    const colour = `hsl(${hash(i) * 360},55%,${25 + hash(i + 9) * 40}%)`;
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}" opacity="0.6"/>`;
  });
  const page = await scannedPage(shapes.join(''), '#6a7f92');
  for (let at = 0; at < page.data.length; at++)
    page.data[at] = Math.min(255, Math.max(0, page.data[at]! + Math.round(grain()[at >> 3]! * 40)));
  return page;
}
