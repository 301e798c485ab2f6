import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { dropTables, runSubsetter, startSubsetter, tagNumber } from '../harfbuzz-subsetter.js';
import { mergeFonts, renameFont } from './merge-fonts.js';

/** Families that come in several files, up to a hundred and more, by ranges of characters. */
const split: Readonly<Record<string, string>> = {
  'noto-sans-jp': 'Noto Sans JP',
  'noto-sans-kr': 'Noto Sans KR',
  'noto-sans-sc': 'Noto Sans SC',
  'noto-emoji': 'Noto Emoji',
  'noto-sans-symbols': 'Noto Sans Symbols',
};
/** Files that hold one script each, with the rules by which its letters are joined. */
const scripts: Readonly<Record<string, string>> = {
  'noto-naskh-arabic/noto-naskh-arabic-arabic': 'Noto Naskh Arabic',
  'noto-sans/noto-sans-devanagari': 'Noto Sans Devanagari',
  'noto-sans-thai/noto-sans-thai-thai': 'Noto Sans Thai',
  'noto-sans-hebrew/noto-sans-hebrew-hebrew': 'Noto Sans Hebrew',
  ...Object.fromEntries(
    'Bengali Gujarati Gurmukhi Kannada Khmer Lao Malayalam Sinhala Tamil Telugu'.split(' ').map((script) => {
      const name = `noto-sans-${script.toLowerCase()}`;
      return [`${name}/${name}-${script.toLowerCase()}`, `Noto Sans ${script}`];
    }),
  ),
};
const REGULAR = 400;
const VARIATION = ['HVAR', 'VVAR', 'MVAR', 'STAT', 'avar', 'fvar', 'gvar', 'cvar'];
const LAYOUT = ['GSUB', 'GPOS', 'GDEF', 'BASE', 'vhea', 'vmtx', 'VORG'];

/**
 * Writes a whole regular font for each script into a folder, for programs that read neither variable fonts nor families
 * split over many files. Takes seconds, in short steps.
 */
export async function writeStaticFonts(folder: string): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const folderOf = (name: string): string =>
    join(dirname(resolve(`@fontsource-variable/${name}/unicode.json`)), 'files');
  const write = (family: string, font: Uint8Array): Promise<void> =>
    writeFile(join(folder, `${family.replaceAll(' ', '')}.ttf`), font, { mode: 0o600 });
  for (const [name, family] of Object.entries(split)) {
    const parts: Uint8Array[] = [];
    for (const file of (await readdir(folderOf(name))).filter((one) => one.endsWith('-wght-normal.woff2')))
      parts.push(await regularOf(join(folderOf(name), file), false));
    await write(family, mergeFonts(parts, family));
  }
  for (const [path, family] of Object.entries(scripts)) {
    const [name = '', file = ''] = path.split('/');
    await write(family, renameFont(await regularOf(join(folderOf(name), `${file}-wght-normal.woff2`), true), family));
  }
}

/** The regular weight of a variable font file. */
async function regularOf(path: string, withLayout: boolean): Promise<Uint8Array> {
  // Lets the server answer other requests in between.
  await breathe();
  const { default: decompress } = await import('woff2-encoder/decompress');
  const program = await decompress(await readFile(path));
  const engine = await startSubsetter();
  const font = runSubsetter(engine, program, (input, face) => {
    engine.hb_subset_input_keep_everything(input);
    engine.hb_subset_input_pin_axis_location(input, face, tagNumber('wght'), REGULAR);
    if (!withLayout) dropTables(engine, input, [...VARIATION, ...LAYOUT]);
  });
  if (font === undefined) throw new Error(`${path} cannot be read`);
  return font;
}
