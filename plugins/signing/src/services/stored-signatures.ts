import type { SharedFiles } from '@quire/registry';
import { isWithinLimits, MAX_IMAGE_BYTES } from '../functions/signature-image-data.js';
import { idOfImage } from '../functions/signature-image-names.js';
import { imageKind } from '../functions/signature-image-shape.js';
import type { ImageFile, SignatureFolder } from './signature-folder.js';
import type { Verdicts } from './verdicts.js';

/** The signatures of one user, or of all, wherever they lie. */
export type SignaturePlace = Pick<
  SignatureFolder,
  'path' | 'files' | 'images' | 'image' | 'record' | 'loneRecords' | 'relabel' | 'save' | 'remove' | 'clear' | 'moveTo'
>;

/**
 * Signatures among the files that servers share, laid out as in a folder: an image `<id>.<ext>` and a record
 * `<id>.json`. Every change of a file is whole; of two servers that save under one id at once, one may leave its image
 * beside the record of the other.
 */
export class StoredSignatures implements SignaturePlace {
  readonly path: string;

  constructor(
    private readonly shared: SharedFiles,
    name: string,
    private readonly verdicts: Verdicts,
  ) {
    this.path = `customFiles/signatures/${name}`;
  }

  async files(): Promise<readonly ImageFile[]> {
    return (await this.shared.list(this.path)).flatMap(({ name, size, time }) => {
      const id = idOfImage(name);
      return id === undefined ? [] : [{ fileName: name, id, size, time }];
    });
  }

  async images(): Promise<readonly ImageFile[]> {
    const shown: ImageFile[] = [];
    for (const file of await this.files()) if (await this.#isShown(file)) shown.push(file);
    return shown;
  }

  async image(fileName: string): ReturnType<SignatureFolder['image']> {
    const bytes = idOfImage(fileName) === undefined ? undefined : await this.shared.read(`${this.path}/${fileName}`);
    if (bytes === undefined || bytes.length > MAX_IMAGE_BYTES) return undefined;
    const kind = imageKind(bytes);
    return kind !== undefined && isWithinLimits(bytes) ? { kind, bytes } : undefined;
  }

  async record(id: string): Promise<string | undefined> {
    const bytes = await this.shared.read(`${this.path}/${id}.json`);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  }

  async loneRecords(): Promise<number> {
    const names = (await this.shared.list(this.path)).map(({ name }) => name);
    const withImage = new Set(names.map(idOfImage));
    return names.filter((name) => name.endsWith('.json') && !withImage.has(name.slice(0, -'.json'.length))).length;
  }

  relabel(id: string, record: string): Promise<void> {
    return this.shared.write(`${this.path}/${id}.json`, Buffer.from(record));
  }

  async save(
    id: string,
    record: string,
    image?: { readonly fileName: string; readonly bytes: Uint8Array },
  ): Promise<void> {
    // The record first: without it an image is a signature without a label.
    await this.relabel(id, record);
    if (image !== undefined) await this.shared.write(`${this.path}/${image.fileName}`, image.bytes);
    for (const { fileName } of await this.#imagesOf(id))
      if (fileName !== image?.fileName) await this.shared.remove(`${this.path}/${fileName}`);
  }

  async remove(id: string): Promise<boolean> {
    let there = false;
    // The image goes first: without it the signature is gone for everybody.
    for (const { fileName } of await this.#imagesOf(id))
      there = (await this.shared.remove(`${this.path}/${fileName}`)) || there;
    return (await this.shared.remove(`${this.path}/${id}.json`)) || there;
  }

  async clear(): Promise<void> {
    for (const { name } of await this.shared.list(this.path)) await this.shared.remove(`${this.path}/${name}`);
  }

  async moveTo(target: SignaturePlace): Promise<void> {
    for (const { name } of await this.shared.list(this.path)) {
      const bytes = await this.shared.read(`${this.path}/${name}`);
      if (bytes !== undefined) await this.shared.create(`${target.path}/${name}`, bytes);
    }
    if (target.path !== this.path) await this.clear();
  }

  async #imagesOf(id: string): Promise<readonly ImageFile[]> {
    return (await this.files()).filter((file) => file.id === id);
  }

  #isShown(file: ImageFile): Promise<boolean> {
    return this.verdicts.of(
      `${this.path}/${file.fileName}`,
      file,
      async () => (await this.image(file.fileName)) !== undefined,
    );
  }
}
