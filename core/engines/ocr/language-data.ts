import { statSync } from 'node:fs';
import {
  access,
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Language data in a file, as it is or packed with gzip. */
interface DataFile {
  readonly path: string;
  readonly packed: boolean;
}

/** Folders that may contain language data. */
export interface DataPlaces {
  /** The operator's folder, which may not exist; empty for none. */
  readonly tessdataDir: string;
  /** Folders in whose `node_modules`, and those above, packages are looked for. */
  readonly packagesFrom: readonly string[];
  /** The program's own folder, where there is one. */
  readonly programFolder: () => Promise<string | undefined>;
  /** This server's own folder, in which data from several places is linked together. */
  readonly folder: string;
}

/**
 * Data that is not a language: models for orientation, for formulas, and for whole scripts, which have capital letters.
 */
const noLanguage = /^(osd|equ|[A-Z].*)$/;
/** The engine writes PDFs with this font, which is in the folder of the language data. */
const FONT = 'pdf.ttf';
/** Mode bit of files that everybody may read. */
const FOR_ALL = 0o004;
const unpack = promisify(gunzip);

/** Knows the language data of this machine, and links together what a run needs. */
export class LanguageData {
  readonly #ready = new Map<string, Promise<void>>();
  #packages: Promise<Map<string, DataFile>> | undefined;

  constructor(private readonly places: DataPlaces) {}

  /** Returns the names of the languages, in order. Reads the folders each time, since an operator may add files. */
  async list(): Promise<string[]> {
    return [...(await this.#files()).keys()].filter((name) => !noLanguage.test(name)).sort();
  }

  /**
   * Returns the folder that contains all of these languages as `<name>.traineddata`. Throws RangeError for a missing
   * one.
   */
  async folderOf(languages: readonly string[]): Promise<string> {
    const files = await this.#files();
    const wanted = languages.map((language) => {
      const file = files.get(language);
      if (file === undefined) throw new RangeError(`no data for the language ${language}`);
      return { language, file };
    });
    const [first] = wanted;
    const own = first === undefined ? undefined : dirname(first.file.path);
    if (
      own !== undefined &&
      own === (await this.places.programFolder()) &&
      wanted.every(({ file }) => !file.packed && dirname(file.path) === own)
    )
      return own;
    await mkdir(this.places.folder, { recursive: true, mode: 0o700 });
    const program = await this.places.programFolder();
    if (program !== undefined && (await exists(join(program, FONT))))
      await this.#once(join(program, FONT), () => link(join(program, FONT), join(this.places.folder, FONT)));
    await Promise.all(
      wanted.map(({ language, file }) => {
        const target = join(this.places.folder, `${language}.traineddata`);
        return this.#once(file.path, () => (file.packed ? unpackTo(file.path, target) : link(file.path, target)));
      }),
    );
    return this.places.folder;
  }

  /** Returns the files in a folder of `folderOf` that a run with these languages reads. */
  filesIn(folder: string, languages: readonly string[]): readonly string[] {
    return [...languages.map((language) => `${language}.traineddata`), FONT].map((name) => join(folder, name));
  }

  #once(key: string, act: () => Promise<void>): Promise<void> {
    let done = this.#ready.get(key);
    if (done === undefined) {
      done = act();
      this.#ready.set(key, done);
      done.catch(() => this.#ready.delete(key));
    }
    return done;
  }

  /** Returns the first file of each language: the operator's, the program's, those of packages. */
  async #files(): Promise<Map<string, DataFile>> {
    const program = await this.places.programFolder();
    this.#packages ??= packagesOf(this.places.packagesFrom);
    const found = new Map<string, DataFile>();
    for (const folder of [this.places.tessdataDir, program ?? '']) {
      for (const [name, file] of folder === '' ? [] : await filesIn(folder))
        if (!found.has(name)) found.set(name, file);
    }
    for (const [name, file] of await this.#packages) if (!found.has(name)) found.set(name, file);
    return found;
  }
}

async function filesIn(folder: string): Promise<Map<string, DataFile>> {
  const found = new Map<string, DataFile>();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, language, packed] = /^([A-Za-z0-9][\w-]*)\.traineddata(\.gz)?$/.exec(name) ?? [];
    if (language !== undefined && !(packed !== undefined && found.has(language)))
      found.set(language, { path: join(folder, name), packed: packed !== undefined });
  }
  return found;
}

/**
 * Language packages of npm, in every `node_modules` from these folders upwards: the fast integer models before the
 * larger ones.
 */
async function packagesOf(from: readonly string[]): Promise<Map<string, DataFile>> {
  const found = new Map<string, DataFile>();
  for (const start of from) {
    for (let folder = start; ; folder = dirname(folder)) {
      const scope = join(folder, 'node_modules', '@tesseract.js-data');
      for (const language of await readdir(scope).catch(() => [])) {
        for (const model of ['4.0.0_best_int', '4.0.0']) {
          const path = join(scope, language, model, `${language}.traineddata.gz`);
          if (!found.has(language) && (await exists(path))) found.set(language, { path, packed: true });
        }
      }
      if (dirname(folder) === folder) break;
    }
  }
  return found;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Creates a link at `target`; one with another destination is replaced. A file that only root may read is copied, since
 * programs that root starts run under other user numbers.
 */
async function link(path: string, target: string): Promise<void> {
  if (process.getuid?.() === 0 && ((await stat(path)).mode & FOR_ALL) === 0)
    return writeBeside(target, await readFile(path));
  if ((await readlink(target).catch(() => undefined)) === path) return;
  await rm(target, { force: true });
  await symlink(path, target);
}

async function unpackTo(path: string, target: string): Promise<void> {
  await writeBeside(target, await unpack(await readFile(path)));
}

async function writeBeside(target: string, bytes: Uint8Array): Promise<void> {
  const beside = join(dirname(target), `.${basename(target)}.${process.pid}`);
  await writeFile(beside, bytes);
  await chmod(beside, 0o644);
  await rename(beside, target);
}

/**
 * The folder that the program names in the heading of its list of languages; undefined when it names none (before
 * version 5).
 */
export function folderOfListing(listing: string): string | undefined {
  return /^List of available languages in "([^"]+)"/m.exec(listing)?.[1]?.replace(/\/+$/, '');
}

/** True for a file that was written and is not empty. */
export function isWritten(path: string): boolean {
  try {
    return statSync(path).size > 0;
  } catch {
    return false;
  }
}
