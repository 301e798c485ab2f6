import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayoutDocument, Picture, PictureFile } from '@quire/document/layout';

/** A picture that was written. */
export interface WrittenPicture {
  readonly name: string;
  readonly path: string;
  readonly format: 'jpeg' | 'png';
}

/** Writes the pictures of a document to files, each once, and knows their names. */
export class PictureFiles {
  readonly written: WrittenPicture[] = [];
  readonly #byKey = new Map<string, string | undefined>();

  /** `nameOf`: the file name of the picture with this number (from 1). `change`: makes another picture of it. */
  constructor(
    private readonly layout: Pick<LayoutDocument, 'picture'>,
    private readonly folder: string,
    private readonly nameOf: (number: number, extension: string) => string,
    private readonly change: (file: PictureFile) => Promise<PictureFile> = async (file) => file,
  ) {}

  /** The name of a picture's file; undefined for one that cannot be decoded. */
  async add(picture: Picture): Promise<string | undefined> {
    const key =
      picture.key ?? `${picture.page}:${picture.source}:${picture.index ?? ''}:${Object.values(picture.box).join(',')}`;
    if (this.#byKey.has(key)) return this.#byKey.get(key);
    const file = await this.layout.picture(picture);
    const name = file === undefined ? undefined : await this.#write(await this.change(file));
    this.#byKey.set(key, name);
    return name;
  }

  async #write({ bytes, format }: PictureFile): Promise<string> {
    const name = this.nameOf(this.written.length + 1, format === 'jpeg' ? 'jpg' : 'png');
    const path = join(this.folder, `picture-${this.written.length + 1}`);
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    this.written.push({ name, path, format });
    return name;
  }
}
