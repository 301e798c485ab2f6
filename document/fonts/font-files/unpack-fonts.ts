import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';

/**
 * The font families of `fonts` (docs/internals/adr/0001-fonts.md) and one of emoji; all under the SIL Open Font
 * License, each split into files by ranges of characters.
 */
const packages = [
  '@fontsource-variable/noto-sans',
  '@fontsource-variable/noto-naskh-arabic',
  '@fontsource-variable/noto-sans-jp',
  '@fontsource-variable/noto-sans-kr',
  '@fontsource-variable/noto-sans-sc',
  '@fontsource-variable/noto-sans-thai',
  '@fontsource-variable/noto-sans-hebrew',
  '@fontsource-variable/noto-sans-symbols',
  '@fontsource/noto-sans-symbols-2',
  '@fontsource-variable/noto-emoji',
];

/**
 * Writes every built-in font, upright in all its weights, into a folder as TrueType files. Takes seconds, in short
 * steps.
 */
export async function unpackFonts(folder: string): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const { default: decompress } = await import('woff2-encoder/decompress');
  for (const name of packages) {
    const files = join(dirname(resolve(`${name}/unicode.json`)), 'files');
    for (const file of await readdir(files)) {
      if (!/-(wght|400)-normal\.woff2$/.test(file)) continue;
      await writeFile(
        join(folder, file.replace(/\.woff2$/, '.ttf')),
        await decompress(await readFile(join(files, file))),
        { mode: 0o600 },
      );
      // Lets the server answer other requests in between.
      await breathe();
    }
  }
}
