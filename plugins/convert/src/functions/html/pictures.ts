import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayoutDocument, Picture, PictureFile } from '@quire/document/layout';

/** A picture that was written. */
export interface WrittenPicture {
  readonly name: string;
  readonly path: string;
  readonly format: 'jpeg' | 'png';
}

/**
 * Writes the pictures of a document to files, each once, and knows their names. Pictures may be added at the same time,
 * as the cells of a table are: they are written one after another, so that their numbers follow the order of the calls
 * and only one is in memory.
 */
export class PictureFiles {
  readonly written: WrittenPicture[] = [];
  readonly #byKey = new Map<string, Promise<string | undefined>>();
  #last: Promise<unknown> = Promise.resolve();

  /** `nameOf`: the file name of the picture with this number (from 1). `change`: makes another picture of it. */
  constructor(
    private readonly layout: Pick<LayoutDocument, 'picture'>,
    private readonly folder: string,
    private readonly nameOf: (number: number, extension: string) => string,
    private readonly change: (file: PictureFile) => Promise<PictureFile> = async (file) => file,
  ) {}

  /** The name of a picture's file; undefined for one that cannot be decoded. */
  add(picture: Picture): Promise<string | undefined> {
    const key =
      picture.key ?? `${picture.page}:${picture.source}:${picture.index ?? ''}:${Object.values(picture.box).join(',')}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const name = this.#last.then(() => this.#save(picture));
    // A picture that fails does not keep others from being written; its own caller learns of it.
    this.#last = name.catch(() => undefined);
    this.#byKey.set(key, name);
    return name;
  }

  async #save(picture: Picture): Promise<string | undefined> {
    const file = await this.layout.picture(picture);
    if (file === undefined) return undefined;
    const { bytes, format } = await this.change(file);
    const number = this.written.length + 1;
    const name = this.nameOf(number, format === 'jpeg' ? 'jpg' : 'png');
    const path = join(this.folder, `picture-${number}`);
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    this.written.push({ name, path, format });
    return name;
  }
}
