import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Catalog } from '@quire/catalog';
import { compress, etagOf, type AnswerEncoding, type EncodedAnswer } from '../http/response/index.js';

/** Where packages have their translations: `texts/<language>.json`, an object of translations by the English text. */
const FOLDER = 'texts';
/** A larger file is ignored: translations of all tools of this repository take 100 KB. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * Translations of what operations and fields declare for people, from the packages of the plugins and of the registry
 * (texts that several packages use). They are read for a language when it is first asked for.
 */
export class ToolTexts {
  readonly #languages = new Map<string, Promise<string>>();

  constructor(private readonly catalog: () => Catalog) {}

  /** Translations by English text; empty for a language that no package has. `language`: a primary language tag. */
  async answer(language: string, encoding: AnswerEncoding): Promise<EncodedAnswer> {
    const text = await this.#textsOf(language);
    return { etag: etagOf(text, encoding), body: () => compress(text, encoding) };
  }

  #textsOf(language: string): Promise<string> {
    const known = this.#languages.get(language);
    if (known !== undefined) return known;
    const read = this.#read(language);
    // Languages that nobody translates are not kept: callers choose the name.
    void read.then((text) => text !== '{}' && this.#languages.set(language, Promise.resolve(text)));
    return read;
  }

  async #read(language: string): Promise<string> {
    const registry = dirname(createRequire(import.meta.url).resolve('@quire/registry/package.json'));
    const roots = [registry, ...this.catalog().plugins.map(({ root }) => root)];
    const found = await Promise.all(roots.map((root) => translationsIn(join(root, FOLDER, `${language}.json`))));
    // The first package decides where two translate the same text.
    return JSON.stringify(Object.assign({}, ...found.toReversed()));
  }
}

/** The translations of a file; none if the package has no such file, or one that is not an object of texts. */
async function translationsIn(path: string): Promise<Readonly<Record<string, string>>> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MOST_BYTES) return {};
    const found: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return {};
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
