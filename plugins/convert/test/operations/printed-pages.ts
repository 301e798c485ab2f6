import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { ZipFile } from 'yazl';

export type Sent = { readonly name: string; readonly bytes: Uint8Array };

export const fixture = async (name: string): Promise<Sent> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
export async function fontFace(weight: number, style: string): Promise<string> {
  const fonts = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/arimo/package.json'));
  const data = (await readFile(join(fonts, `${weight}${style}`, `Arimo_${weight}${style}.ttf`))).toString('base64');
  return `@font-face { font-family: Embedded; font-weight: ${weight}; src: url(data:font/ttf;base64,${data}) }\n`;
}
export const page = (html: string, name = 'page.html'): Sent => ({ name, bytes: Buffer.from(html) });

export async function zipped(name: string, entries: Readonly<Record<string, string | Buffer>>): Promise<Sent> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return { name, bytes: Buffer.concat(chunks) };
}

/** Renders page `n` at 60 dpi: RGB bytes. */
export const pixels = async (pdf: string, n: number): Promise<{ data: Buffer; width: number; height: number }> => {
  execFileSync('pdftoppm', [
    '-r',
    '60',
    '-f',
    String(n),
    '-l',
    String(n),
    '-singlefile',
    '-png',
    pdf,
    join(dirname(pdf), 'shot'),
  ]);
  const {
    data,
    info: { width, height },
  } = await sharp(join(dirname(pdf), 'shot.png'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width, height };
};
/** Share of the points that are of this colour, about. */
export const share = async (pdf: string, colour: readonly [number, number, number], n = 1): Promise<number> => {
  const { data, width, height } = await pixels(pdf, n);
  let count = 0;
  for (let i = 0; i < data.length; i += 3)
    if (colour.every((value, k) => Math.abs((data[i + k] ?? 0) - value) < 40)) count++;
  return count / (width * height);
};
