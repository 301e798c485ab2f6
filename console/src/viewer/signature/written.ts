import caveatCyrillic from '@fontsource/caveat/files/caveat-cyrillic-400-normal.woff2?url';
import caveat from '@fontsource/caveat/files/caveat-latin-400-normal.woff2?url';
import caveatExtended from '@fontsource/caveat/files/caveat-latin-ext-400-normal.woff2?url';
import dancing from '@fontsource/dancing-script/files/dancing-script-latin-400-normal.woff2?url';
import dancingExtended from '@fontsource/dancing-script/files/dancing-script-latin-ext-400-normal.woff2?url';
import vibesCyrillic from '@fontsource/great-vibes/files/great-vibes-cyrillic-400-normal.woff2?url';
import vibes from '@fontsource/great-vibes/files/great-vibes-latin-400-normal.woff2?url';
import vibesExtended from '@fontsource/great-vibes/files/great-vibes-latin-ext-400-normal.woff2?url';

/** Handwriting fonts (SIL Open Font Licence 1.1); the system's fonts write what they lack. */
export const scripts = ['Dancing Script', 'Caveat', 'Great Vibes'] as const;
export type Script = (typeof scripts)[number];

/** Letters of the files: as the packages divide the fonts. */
const LATIN = 'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122';
const EXTENDED = 'U+0100-0130, U+0132-0151, U+0154-02BA, U+1E00-1EFF, U+2C60-2C7F, U+A720-A7FF';
const CYRILLIC = 'U+0301, U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116';

const files: readonly (readonly [Script, string, string])[] = [
  ['Dancing Script', dancing, LATIN],
  ['Dancing Script', dancingExtended, EXTENDED],
  ['Caveat', caveat, LATIN],
  ['Caveat', caveatExtended, EXTENDED],
  ['Caveat', caveatCyrillic, CYRILLIC],
  ['Great Vibes', vibes, LATIN],
  ['Great Vibes', vibesExtended, EXTENDED],
  ['Great Vibes', vibesCyrillic, CYRILLIC],
];

let added = false;

/** Makes the fonts known to the page; a file is loaded when a letter of it is written. */
export function addScripts(): void {
  if (added) return;
  added = true;
  for (const [family, address, unicodeRange] of files)
    document.fonts.add(new FontFace(family, `url("${address}") format("woff2")`, { unicodeRange }));
}

const SIZE = 160;
const MARGIN = 24;

/** A name in a handwriting font, as a picture with a transparent background; undefined for an empty name. */
export async function writtenToPng(name: string, script: Script, colour: string): Promise<Blob | undefined> {
  const text = name.trim();
  if (text === '') return undefined;
  addScripts();
  const font = `${SIZE}px "${script}", cursive, sans-serif`;
  await document.fonts.load(font, text);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.font = font;
  const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } =
    context.measureText(text);
  canvas.width = Math.ceil(actualBoundingBoxLeft + actualBoundingBoxRight + 2 * MARGIN);
  canvas.height = Math.ceil(actualBoundingBoxAscent + actualBoundingBoxDescent + 2 * MARGIN);
  // A new size resets the context.
  context.font = font;
  context.fillStyle = colour;
  context.fillText(text, MARGIN + actualBoundingBoxLeft, MARGIN + actualBoundingBoxAscent);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
}
