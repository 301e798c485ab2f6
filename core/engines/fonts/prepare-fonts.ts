import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { escapeXml } from '@quire/document/file/xml';
import { letAllRead } from './let-all-read.js';

/**
 * Fonts with the metrics of Arial, Times New Roman and Courier New, for systems that have none; complete TrueType
 * files.
 */
const metricCompatible = ['arimo', 'tinos', 'cousine'].map((name) => `@expo-google-fonts/${name}`);

/** The bundled font for each of these names, where the system has no font for it. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  Arimo: ['sans-serif', 'Arial', 'Helvetica', 'Helvetica Neue', 'Liberation Sans', 'system-ui'],
  Tinos: ['serif', 'Times New Roman', 'Times', 'Liberation Serif'],
  Cousine: ['monospace', 'Courier New', 'Courier', 'Liberation Mono'],
};

/** Han characters are drawn differently in each of these languages. */
const byLanguage: Readonly<Record<string, string>> = { zh: 'Noto Sans SC', ja: 'Noto Sans JP', ko: 'Noto Sans KR' };

/** Fonts that are made known by a file. */
export interface PreparedFonts {
  /** The fontconfig file. */
  readonly file: string;
  /** All folders that it names beside those of the system, and its own. */
  readonly folders: readonly string[];
}

/** A set of fonts for one kind of program. */
interface FontSet {
  readonly name: string;
  /** Writes the files of the built-in Noto fonts into a folder. */
  readonly unpack: (folder: string) => Promise<void>;
}

/**
 * Unpacks the bundled fonts in `folder`, once, completely or not at all, and returns a fontconfig file that
 * adds them to the fonts of the system. System fonts come first; the bundled ones add Chinese, Japanese, Korean, Thai,
 * Arabic, Hebrew and emoji.
 */
export function fontsForPages(folder: string): Promise<PreparedFonts> {
  return prepareFonts(folder, {
    name: 'fonts',
    unpack: async (files) => (await import('@quire/document/fonts/font-files')).unpackFonts(files),
  });
}

/**
 * The same for LibreOffice, which reads neither variable fonts nor families that are split over many files: one regular
 * font for each script, which it makes bold and slanted itself.
 */
export function fontsForOffice(folder: string): Promise<PreparedFonts> {
  return prepareFonts(folder, {
    // Counted up when other files are written.
    name: 'office-fonts-1',
    unpack: async (files) => (await import('@quire/document/fonts/font-files')).writeStaticFonts(files),
  });
}

async function prepareFonts(folder: string, set: FontSet): Promise<PreparedFonts> {
  const { resolve } = createRequire(import.meta.url);
  const places = metricCompatible.map((name) => dirname(resolve(`${name}/package.json`)));
  const version = createHash('sha256').update(configuration(places, '')).digest('hex').slice(0, 12);
  const home = join(folder, `${set.name}-${version}`);
  const file = join(home, 'fonts.conf');
  const exists = (): Promise<boolean> =>
    stat(file).then(
      () => true,
      () => false,
    );
  const prepared = async (): Promise<PreparedFonts> => {
    await letAllRead(home);
    return { file, folders: [home, ...places] };
  };
  if (await exists()) return prepared();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(folder, '.unpacking-'));
  try {
    await Promise.all(['files', 'cache'].map((name) => mkdir(join(work, name))));
    await set.unpack(join(work, 'files'));
    await writeFile(join(work, 'fonts.conf'), configuration(places, home));
    await rename(work, home).catch(async (error: unknown) => {
      if (!(await exists())) throw error;
    });
    return await prepared();
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function configuration(places: readonly string[], home: string): string {
  const alias = ([ours, names]: readonly [string, readonly string[]]): string =>
    names
      .map(
        (name) => `<alias binding="same"><family>${name}</family><default><family>${ours}</family></default></alias>`,
      )
      .join('\n');
  const language = ([name, family]: readonly [string, string]): string =>
    `<match target="pattern"><test name="lang" compare="contains"><string>${name}</string></test><edit ` +
    `name="family" mode="append" binding="strong"><string>${family}</string></edit></match>`;
  return `<?xml version="1.0"?>
<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${[...places, join(home, 'files')].map((place) => `<dir>${escapeXml(place)}</dir>`).join('\n')}
<cachedir>${escapeXml(join(home, 'cache'))}</cachedir>
${Object.entries(aliases).map(alias).join('\n')}
${Object.entries(byLanguage).map(language).join('\n')}
</fontconfig>
`;
}
